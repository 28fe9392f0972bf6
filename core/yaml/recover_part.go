package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// recoverParts makes every part of the text readable by itself. Those before fail are
// already, as far as they close what they open.
func (r *recovery) recoverParts(fail *loadFailure) {
	var whole strings.Builder
	for _, span := range splitParts(r.body) {
		if span.End <= fail.furthest() && !hasUnclosedLine(r.body[span.Start:span.End]) {
			whole.WriteString(r.body[span.Start:span.End])
			continue
		}
		part := &recovery{source: r.source[span.Start:span.End], body: r.body[span.Start:span.End], after: r.body[span.End:],
			kind: partKind(r.body, span.Start), edited: r.edited.Shift(-span.Start), budget: r.budget}
		part.recoverPart()
		whole.WriteString(part.body)
		for _, p := range part.problems {
			r.problems = append(r.problems, p.shift(span.Start))
		}
	}
	r.body = whole.String()
}

// partKind is what a part that starts at line is a part of.
func partKind(body string, line int) library.Kind {
	content := body[line+indentation(body, line) : lineEnd(body, line)]
	switch {
	case isDash(content):
		return library.SequenceNode
	case keyLength(content) > 0:
		return library.MappingNode
	}
	return 0
}

// isSameKind reports whether docs, read from a part, have remained of its kind or are
// nothing.
func (r *recovery) isSameKind(docs []*library.Node) bool {
	if r.kind == 0 || len(docs) == 0 || len(docs[0].Content) == 0 {
		return true
	}
	root := docs[0].Content[0]
	return root.Kind == r.kind || root.Kind == library.ScalarNode && root.Value == ""
}

// recoverPart makes a part readable, leaving out all of it if need be.
func (r *recovery) recoverPart() {
	for n := 0; ; n++ {
		_, fail := r.loadBody()
		if fail == nil {
			return
		}
		if n == maxRounds || *r.budget < 0 || !r.cutOneLine(fail) {
			r.cut(r.afterDashes(text.Span{Start: lineStart(r.body, fail.offset), End: len(r.body)}), fail)
			if _, fail = r.loadBody(); fail != nil {
				r.cut(r.afterDashes(r.wholeSpan()), fail)
			}
			return
		}
	}
}
