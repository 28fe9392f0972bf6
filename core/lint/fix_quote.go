package lint

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// lineValue is what stands before a value on its line, and the value. A comment
// after it is no part of it.
var lineValue = pattern.New(`^([ \t]*(?:- +)*(?:[A-Za-z_][\w-]*: +)?)(.*?)[ \t]*(?:[ \t]#.*)?$`)

// unquotedStarts are texts that YAML takes for something else by their beginning, and
// what for. Each is one only if there is more after what YAML would make of it.
var unquotedStarts = []struct {
	text  pattern.Lazy
	taken string // with backticks; "" where the parser's own words say it
}{
	{pattern.New(`^\*\S*(?:\*| .)`), "a text that starts with `*` is taken for an alias"},
	{pattern.New(`^\{\{`), "a template's braces are brackets to YAML"},
	{pattern.New(`^\[[^\[\]]*\][^ ,]`), "a text that starts with `[` is taken for a list"},
	{pattern.New("^[`@%]|^& |^[|>] *[^ \t+0-9#-]"), ""},
	{pattern.New(`^"[^"\\]*".`), "a text that starts with a quote ends at the next one"},
	{pattern.New(`^'[^']*'[^']`), "a text that starts with a quote ends at the next one"},
}

// findUnquoted is a value on one line that would be a text if it were quoted, and
// what YAML takes it for as it stands.
func findUnquoted(src *text.Source, at text.Span) (value text.Span, taken string, ok bool) {
	line := src.LineSpan(src.OffsetLine(at.Start))
	if at.End > line.End {
		return value, "", false
	}
	m := lineValue().FindStringSubmatchIndex(src.Slice(line))
	if m == nil {
		return value, "", false
	}
	value = text.Span{Start: line.Start + m[4], End: line.Start + m[5]}
	words := src.Slice(value)
	for _, o := range unquotedStarts {
		if o.text().MatchString(words) {
			return value, o.taken, true
		}
	}
	return value, "", false
}

// quoteFix is the fix that makes a text of a stretch of the source.
func quoteFix(src *text.Source, at text.Span) []diag.Fix {
	return []diag.Fix{{Title: "quote it", Safe: true, Edits: []text.Edit{{Span: at, New: strconv.Quote(src.Slice(at))}}}}
}

// isUnquotedPart reports whether a node is the beginning of a text that is not YAML in the
// end; quoting all of it mends both, see yaml-syntax.
func (p *Pass) isUnquotedPart(n *yaml.Node) bool {
	if len(p.Tree.Problems) == 0 {
		return false
	}
	if p.unquotedValues == nil {
		p.unquotedValues = map[int]text.Span{}
		for _, problem := range p.Tree.Problems {
			if problem.Kind != yaml.SyntaxProblem {
				continue
			}
			if value, _, ok := findUnquoted(p.Source, problem.Span); ok {
				p.unquotedValues[p.Source.OffsetLine(value.Start)] = value
			}
		}
	}
	value, ok := p.unquotedValues[p.Source.OffsetLine(n.Span.Start)]
	return ok && value.Contains(n.Span)
}

// reportTemplate reports a mapping that was meant as a template, as in
// `input: {{ question }}`, and whether it is one.
func (p *Pass) reportTemplate(n *yaml.Node, lost string) bool {
	words := p.Source.Slice(n.Span)
	if !n.IsMap() || !strings.HasPrefix(words, "{{") || !strings.HasSuffix(words, "}}") || strings.Contains(words, "\n") {
		return false
	}
	p.Report(n.Span, "the braces make a mapping of this template%s; quote it", lost).Fixes = quoteFix(p.Source, n.Span)
	return true
}
