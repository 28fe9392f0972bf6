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
	p := jsonlParser{tree: t}
	for n := range src.Lines() {
		p.parseLine(src.LineSpan(n))
	}
	if len(t.Docs) == 0 {
		t.Docs = []*Document{emptyDocument(src.Whole())}
	}
	t.checkDocuments(nil)
	return t
}

// A jsonlParser reads the documents of a tree line by line.
type jsonlParser struct {
	tree *Tree

	// After the first line that is not JSON: the text for the library.
	started   bool
	body      string
	sanitizer *sanitizer
}

func (p *jsonlParser) parseLine(line text.Span) {
	source := p.tree.Source.Body[:line.End]
	if lines.SkipSpace(source, line.Start) == line.End {
		return
	}
	if root := readJSON(source, line.Start); root != nil {
		p.tree.Docs = append(p.tree.Docs, &Document{Root: root, Span: line})
		return
	}
	if !p.started {
		p.body, p.sanitizer = p.tree.prepareText()
		p.started = true
	}
	p.parseYAMLLine(p.body[:line.End], line)
}

// parseYAMLLine reads a document that is not JSON from the last line of body.
func (p *jsonlParser) parseYAMLLine(body string, line text.Span) {
	t := p.tree
	docs, fail := recover.Load(body[line.Start:])
	if fail != nil {
		t.addLost(fail.Problem(body, line))
		return
	}
	if content := strings.TrimSpace(body[line.Start:]); !json.Valid([]byte(strings.TrimPrefix(content, "\ufeff"))) {
		t.Problems = append(t.Problems, Problem{
			Kind: SyntaxProblem, Span: line, Message: "this line is YAML, not JSON: put keys and texts in double quotes and remove trailing commas",
		})
	}
	a := &aligner{source: t.Source.Body, body: body, pos: line.Start, sanitizer: p.sanitizer}
	for _, doc := range docs {
		placed := a.alignDocument(doc)
		placed.Span = line
		t.Docs = append(t.Docs, placed)
	}
	a.skipTrivia()
	t.Comments = append(t.Comments, a.comments...)
	t.Problems = append(t.Problems, a.problems...)
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
