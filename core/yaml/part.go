package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// parts makes every part of the text readable by itself. Those before fail are
// already, as far as they close what they open.
func (r *rescue) parts(fail *failure) {
	var whole strings.Builder
	for _, span := range outline(r.body) {
		if span.End <= fail.reach() && !opensMore(r.body[span.Start:span.End]) {
			whole.WriteString(r.body[span.Start:span.End])
			continue
		}
		part := &rescue{source: r.source[span.Start:span.End], body: r.body[span.Start:span.End], after: r.body[span.End:],
			kind: kindOf(r.body, span.Start), hint: r.hint.Shift(-span.Start), patience: r.patience}
		part.alone()
		whole.WriteString(part.body)
		for _, p := range part.problems {
			r.problems = append(r.problems, p.shift(span.Start))
		}
	}
	r.body = whole.String()
}

// kindOf is what a part that starts at line is a part of.
func kindOf(body string, line int) library.Kind {
	words := body[line+indentation(body, line) : lineEnd(body, line)]
	switch {
	case isDash(words):
		return library.SequenceNode
	case keyEnd(words) > 0:
		return library.MappingNode
	}
	return 0
}

// fits reports whether docs, read from a part, have remained of its kind or are
// nothing.
func (r *rescue) fits(docs []*library.Node) bool {
	if r.kind == 0 || len(docs) == 0 || len(docs[0].Content) == 0 {
		return true
	}
	root := docs[0].Content[0]
	return root.Kind == r.kind || root.Kind == library.ScalarNode && root.Value == ""
}

// alone makes a part readable, leaving out all of it if need be.
func (r *rescue) alone() {
	for n := 0; ; n++ {
		_, fail := r.load()
		if fail == nil {
			return
		}
		if n == rounds || *r.patience < 0 || !r.round(fail) {
			r.cut(r.keepDash(text.Span{Start: lineStart(r.body, fail.at), End: len(r.body)}), fail)
			if _, fail = r.load(); fail != nil {
				r.cut(r.keepDash(r.whole()), fail)
			}
			return
		}
	}
}
