package syntax

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entryLine matches a line that looks like a list item or a mapping entry.
var entryLine = pattern.New(`^(?:- \S|[A-Za-z_][\w-]*:(?: |$))`)

var _ = lint.Register(pages, lint.Rule{
	ID:       "swallowed-line",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachNode(func(n *yaml.Node) {
			if n.Kind != yaml.Scalar || n.Style != yaml.Plain || !strings.Contains(p.Source.Slice(n.Span), "\n") {
				return
			}
			for line := p.Source.OffsetLine(n.Span.Start) + 1; line < p.Source.Lines(); line++ {
				at := p.Source.LineSpan(line)
				if at.Start >= n.Span.End {
					return
				}
				words := strings.TrimLeft(p.Source.Slice(at), " \t")
				if !entryLine().MatchString(words) {
					continue
				}
				start := at.End - len(words)
				d := p.Report(text.Span{Start: start, End: start + len(strings.TrimRight(words, " \t"))}, "this line is part of the text before it; indent it less to make it a separate item or key")
				d.Fixes = indentLess(p, n, text.Span{Start: at.Start, End: start}, words)
			}
		})
	},
})

// indentLess is the fix that aligns a line in the text n, whose indentation and words are given, with
// the items or keys of the nearest collection around n. There is none if that already has the key.
func indentLess(p *lint.Pass, n *yaml.Node, indentation text.Span, words string) []diag.Fix {
	kind := yaml.Mapping
	if strings.HasPrefix(words, "- ") {
		kind = yaml.Sequence
	}
	around := n.Parent
	for around != nil && (around.Kind != kind || around.Style != yaml.Block) {
		around = around.Parent
	}
	key, _, _ := strings.Cut(words, ":")
	if around == nil || around.Pair(key) != nil {
		return nil
	}
	column := around.Span.Start - p.Source.LineSpan(p.Source.OffsetLine(around.Span.Start)).Start
	if column >= indentation.Len() {
		return nil
	}
	return []diag.Fix{{Title: "indent it less", Edits: []text.Edit{{Span: indentation, New: strings.Repeat(" ", column)}}}}
}

var (
	booleanWord     = pattern.New(`^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$`)
	lookalikeStarts = "yYnNoO+-0123456789" // first characters of these words and of numbers
	sexagesimal     = pattern.New(`^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
	underscored     = pattern.New(`^[-+]?[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?$`)
	leadingZero     = pattern.New(`^[-+]?0[0-9]+$`)
)

// maxLookalikeLength is the greatest length in bytes of such a value.
const maxLookalikeLength = 24

var _ = lint.Register(pages, lint.Rule{
	ID:       "yaml-lookalike",
	Severity: diag.Hint,
	Run: func(p *lint.Pass) {
		if p.Role == string(agentv.Settings) {
			return // only rubric reads it
		}
		misread := map[*yaml.Node]bool{} // values that wrong-type reports, and those of keys that nothing reads
		for _, m := range p.Mismatches {
			misread[m.Node] = true
			if m.Kind == conform.UnknownKey {
				misread[m.Node.Get(m.Key)] = true
			}
		}
		p.EachNode(func(n *yaml.Node) {
			if n.Kind != yaml.Scalar || n.Style != yaml.Plain || n.Tagged || n.Value == "" || len(n.Value) > maxLookalikeLength ||
				strings.IndexByte(lookalikeStarts, n.Value[0]) < 0 || strings.Contains(n.Value, " ") {
				return
			}
			what := ""
			switch v := n.Value; {
			case booleanWord().MatchString(v) && n.Tag == yaml.TagStr && !misread[n]:
				what = "a boolean"
			case sexagesimal().MatchString(v):
				what = "a base-60 number"
			case underscored().MatchString(v) && !misread[n]:
				what = "a number"
			case leadingZero().MatchString(v):
				what = "an octal number"
			default:
				return
			}
			d := p.Report(n.Span, "`%s` is %s in YAML 1.1; quote it", lint.Abbreviate(n.Value), what)
			if n.Tag == yaml.TagStr {
				d.Fixes = fix.Replace(n, strconv.Quote(n.Value), "quote it")
			}
		})
	},
})
