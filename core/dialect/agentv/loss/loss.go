package loss

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// New is a loss at n.
func New(kind string, level rubric.Level, n *yaml.Node, detail string) rubric.Loss {
	return rubric.Loss{Kind: kind, Level: level, Span: SpanOf(n), Detail: detail}
}

// SpanOf is where a person looks for n: an absent value is shown by its key.
func SpanOf(n *yaml.Node) text.Span {
	if n.Span.Empty() && n.Key != nil {
		return n.Key.Key.Span
	}
	return n.Span
}
