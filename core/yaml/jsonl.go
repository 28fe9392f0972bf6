package yaml

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
	"github.com/rubric-ls/rubric/core/yaml/recover"
)

// ParseJSONL reads src as JSONL: one document on every line that is not blank. A line with a syntax
// error is a problem and gives no document. A line that is YAML but not JSON is a problem and gives
// a document. The span of a document is its line.
func ParseJSONL(src *text.Source) *Tree {
	t := &Tree{Source: src}
	if t.rejectUnreadable() {
		return t
	}
	for n := range src.Lines() {
		t.addLine(src.LineSpan(n))
	}
	if len(t.Docs) == 0 {
		t.Docs = []*Document{emptyDocument(src.Whole())}
	}
	t.checkDocuments(nil)
	return t
}

// addLine adds the document on a line of JSONL.
func (t *Tree) addLine(line text.Span) {
	body := t.Source.Body[:line.End]
	if lines.SkipSpace(body, line.Start) == line.End {
		return
	}
	if root := readJSON(body, line.Start); root != nil {
		t.Docs = append(t.Docs, &Document{Root: root, Span: line})
		return
	}
	read := readYAMLLine(body[line.Start:])
	read.MapSpans(func(span text.Span) text.Span { return span.Shift(line.Start) })
	for _, doc := range read.Docs {
		doc.Span = line
	}
	t.Docs, t.Comments, t.Problems = append(t.Docs, read.Docs...), append(t.Comments, read.Comments...), append(t.Problems, read.Problems...)
}

// readYAMLLine reads a line that is not JSON. The tree has no documents if the line is not YAML
// either.
func readYAMLLine(line string) *Tree {
	t := &Tree{Source: text.New("", line)}
	body, s := t.sanitize()
	docs, fail := recover.Load(body)
	if fail != nil {
		t.addLost(fail.Problem(body, t.Source.Whole()))
		return t
	}
	if !json.Valid([]byte(strings.TrimPrefix(strings.TrimSpace(body), "\ufeff"))) {
		t.Problems = append(t.Problems, Problem{
			Kind: SyntaxProblem, Span: t.Source.Whole(), Message: "this line is YAML, not JSON: put keys and texts in double quotes and remove trailing commas",
		})
	}
	a := &aligner{source: line, body: body, sanitizer: s}
	for _, doc := range docs {
		t.Docs = append(t.Docs, a.alignDocument(doc))
	}
	a.skipTrivia()
	t.Comments, t.Problems = append(t.Comments, a.comments...), append(t.Problems, a.problems...)
	return t
}

// SplitJSONL divides JSONL into its lines. Blank lines belong to the line before. It returns nil
// for text that has no lines or is unsplittable.
func SplitJSONL(body string) []text.Span {
	first := 0
	for first < len(body) && lines.IsBlankLine(body, first) {
		first = lines.Next(body, lines.End(body, first))
	}
	if isUnsplittable(body) || first == len(body) {
		return nil
	}
	var spans []text.Span
	span := text.Span{}
	for line := lines.Next(body, lines.End(body, first)); line < len(body); line = lines.Next(body, lines.End(body, line)) {
		if !lines.IsBlankLine(body, line) {
			span.End = line
			spans = append(spans, span)
			span.Start = line
		}
	}
	span.End = len(body)
	return append(spans, span)
}
