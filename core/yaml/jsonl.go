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
	if t.refuse() {
		return t
	}
	l := liner{tree: t}
	for n := range src.Lines() {
		l.line(src.LineSpan(n))
	}
	if len(t.Docs) == 0 {
		t.Docs = []*Document{emptyDocument(src.Whole())}
	}
	for _, doc := range l.others {
		t.check(doc)
	}
	l.json.settle(t)
	return t
}

// liner reads the documents of a tree line by line.
type liner struct {
	tree *Tree
	json scanner

	// Once a line is no JSON, what the library is to be given for the text, and what
	// it has read of it.
	begun    bool
	body     string
	disguise *disguise
	others   []*Document
}

// line reads the document on a line.
func (l *liner) line(line text.Span) {
	source := l.tree.Source.Body[:line.End]
	if skipSpace(source, line.Start) == line.End {
		return
	}
	if root := l.json.line(source, line.Start); root != nil {
		l.tree.Docs = append(l.tree.Docs, &Document{Root: root, Span: line})
		return
	}
	if !l.begun {
		l.body, l.disguise = l.tree.begin()
		l.begun = true
	}
	l.other(l.body[:line.End], line)
}

// other reads a document that is not JSON on the last line of body.
func (l *liner) other(body string, line text.Span) {
	t := l.tree
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
	a := &aligner{source: t.Source.Body, body: body, pos: line.Start, disguise: l.disguise}
	for _, doc := range docs {
		placed := a.document(doc)
		placed.Span = line
		t.Docs, l.others = append(t.Docs, placed), append(l.others, placed)
	}
	a.skip()
	t.Comments = append(t.Comments, a.comments...)
	t.Problems = append(t.Problems, a.problems...)
}
