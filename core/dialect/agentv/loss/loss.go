// Package loss creates the losses of all AgentV readers. It gives each one a span that an
// editor can show.
package loss

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// New returns a loss at n.
func New(kind string, level rubric.Level, n *yaml.Node, detail string) rubric.Loss {
	return rubric.Loss{Kind: kind, Level: level, Span: SpanOf(n), Detail: detail}
}

// SpanOf returns the span of n, or of its key if the value is absent.
func SpanOf(n *yaml.Node) text.Span {
	if n.Span.Empty() && n.Key != nil {
		return n.Key.Key.Span
	}
	return n.Span
}
