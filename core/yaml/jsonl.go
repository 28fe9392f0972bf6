package yaml

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// ParseLines reads src as JSONL: one document on every line that is not blank.
// A line that cannot be read is a problem and gives no document; one that is YAML
// and not JSON is a problem and is read all the same. A document's span is its
// line.
func ParseLines(src *text.Source) *Tree {
	t := &Tree{Source: src}
	body, d := t.begin()
	if t.Docs != nil {
		return t
	}
	for n := range src.Lines() {
		line := src.LineSpan(n)
		if skipSpace(body[:line.End], line.Start) < line.End {
			t.line(body[:line.End], line, d)
		}
	}
	if len(t.Docs) == 0 {
		t.Docs = []*Document{emptyDocument(src.Whole())}
	}
	t.settle(nil)
	return t
}

// line reads the document on the last line of body.
func (t *Tree) line(body string, line text.Span, d *disguise) {
	docs, fail := load(body[line.Start:])
	if fail != nil {
		problem := fail.problem(body[line.Start:], text.Span{Start: 0, End: line.Len()})
		t.Problems = append(t.Problems, problem.shift(line.Start))
		return
	}
	if words := strings.TrimSpace(body[line.Start:]); !json.Valid([]byte(strings.TrimPrefix(words, "\ufeff"))) {
		t.Problems = append(t.Problems, Problem{
			Kind: SyntaxProblem, Span: line, Message: "this line is YAML and not JSON: keys and texts have to be in double quotes, and no comma may be left over",
		})
	}
	a := &aligner{source: t.Source.Body, body: body, pos: line.Start, disguise: d}
	for _, doc := range docs {
		placed := a.document(doc)
		placed.Span = line
		t.Docs = append(t.Docs, placed)
	}
	a.skip()
	t.Comments = append(t.Comments, a.comments...)
	t.Problems = append(t.Problems, a.problems...)
}
