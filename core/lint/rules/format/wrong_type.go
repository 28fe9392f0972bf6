package format

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "wrong-type",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.WrongType, func(m conform.Mismatch) {
			if isUnquotedPart(p, m.Node) || reportTemplate(p, m.Node, fieldLoss(m.Field)) {
				return // yaml-syntax reports it
			}
			d := p.Report(m.Span, "expected %s for %s, found %s%s", m.Type.Expectation(), mismatchSubject(m), lint.DescribeValue(m.Node), mismatchLoss(m))
			if d.Fixes = retypeFix(m); p.ADK != nil && d.Fixes == nil {
				d.Fixes = wrapFix(m)
			}
		})
	},
})

// retypeFix is the fix that gives a scalar the expected type, if its meaning is clear.
func retypeFix(m conform.Mismatch) []diag.Fix {
	n := m.Node
	if n.Kind != yaml.Scalar || n.Tagged {
		return nil
	}
	value, isText := n.Str()
	switch {
	case m.Type.Kind == schema.Text && !isText && n.Style == yaml.Plain:
		return fix.Replace(n, strconv.Quote(n.Value), "quote it, so that it is a text")
	case m.Type.Kind == schema.Bool && isText:
		switch strings.ToLower(value) {
		case "yes", "on", "true":
			return fix.Replace(n, "true", "change to `true`")
		case "no", "off", "false":
			return fix.Replace(n, "false", "change to `false`")
		}
	case m.Type.Kind == schema.Number && isText && n.Style != yaml.Plain:
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return fix.Replace(n, value, "remove the quotes, so that it is a number")
		}
	}
	return nil
}

// wrapFix is the fix that turns a text into the expected mapping, if that has one text field.
func wrapFix(m conform.Mismatch) []diag.Fix {
	value, isText := m.Node.Str()
	if !isText || m.Type.Kind != schema.Map || len(m.Type.Fields) != 1 || m.Type.Fields[0].Type.Kind != schema.Text {
		return nil
	}
	key := m.Type.Fields[0].Key
	return fix.Replace(m.Node, `{ "`+key+`": `+scalar.Quote(value)+" }", "put it under `"+key+"`")
}

// unquotedValues are the texts that only lack quotes, by their lines.
var unquotedValues = lint.PerPass(func(p *lint.Pass) map[int]text.Span {
	values := map[int]text.Span{}
	for _, problem := range p.Tree.Problems {
		if problem.Kind != yaml.SyntaxProblem {
			continue
		}
		if value, _, ok := fix.FindUnquoted(p.Source, problem.Span); ok {
			values[p.Source.OffsetLine(value.Start)] = value
		}
	}
	return values
})

// isUnquotedPart reports whether a node is the start of a text that lacks quotes. Quoting
// the text, as yaml-syntax offers, fixes the node too.
func isUnquotedPart(p *lint.Pass, n *yaml.Node) bool {
	value, ok := unquotedValues(p)[p.Source.OffsetLine(n.Span.Start)]
	return ok && value.Contains(n.Span)
}

// reportTemplate reports a mapping that was meant as a template, such as
// `input: {{ question }}`, and whether n is one.
func reportTemplate(p *lint.Pass, n *yaml.Node, loss string) bool {
	written := p.Source.Slice(n.Span)
	if !n.IsMap() || !strings.HasPrefix(written, "{{") || !strings.HasSuffix(written, "}}") || strings.Contains(written, "\n") {
		return false
	}
	p.Report(n.Span, "the braces make this template a mapping%s; quote it", loss).Fixes = fix.Quote(p.Source, n.Span)
	return true
}
