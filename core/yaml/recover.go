package yaml

import (
	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// reading is what became of a text: the part of it that the library read, as a
// text of the same length, the documents, and what had to be left out.
type reading struct {
	body     string
	docs     []*library.Node
	lost     []text.Span
	problems []Problem
}

func read(body string, edited text.Span, hinted bool) reading {
	docs, fail := load(body)
	if fail == nil {
		return reading{body: body, docs: docs}
	}
	return reading{body: body, problems: []Problem{fail.problem(body, text.Span{Start: fail.at, End: lineEnd(body, fail.at)})}}
}

func (f *failure) shift(delta int) {
	f.at += delta
	if f.context >= 0 {
		f.context += delta
	}
}

// problem words the failure for what was left out because of it.
func (f *failure) problem(body string, lost text.Span) Problem {
	p := Problem{Kind: SyntaxProblem, Span: lost, Message: f.message}
	if f.tooDeep {
		p.Kind = DepthProblem
	}
	return p
}

func markRecovered(root *Node, lost []text.Span) {}
