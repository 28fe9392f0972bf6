package lint

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// UnusedIgnore is the rule about the comments that silence rules.
const UnusedIgnore = "unused-ignore"

// ignoreDirective is a comment that silences rules on one line:
//
//	# rubric: ignore RULE, RULE -- reason
//
// It is at the end of that line, or alone on a line above it.
type ignoreDirective struct {
	span    text.Span
	line    int // that it silences, zero-based
	rules   []string
	reason  string
	usedFor map[string]bool // rules of which it silenced a diagnostic
}

var ignorePattern = pattern.New(`^rubric:\s*ignore\b\s*(.*?)\s*(?:--\s*(.*))?$`)

// parseIgnores returns the comments that silence rules, and the same by what they silence.
func parseIgnores(src *text.Source, comments []yaml.Comment) (all []*ignoreDirective, byLine map[lineRule][]*ignoreDirective) {
	byLine = map[lineRule][]*ignoreDirective{}
	from, next := 0, 0 // comments alone on lines from…next-1 silence line next
	for _, c := range comments {
		m := ignorePattern().FindStringSubmatch(strings.TrimSpace(c.Text))
		if m == nil {
			continue
		}
		i := &ignoreDirective{span: c.Span, reason: strings.TrimSpace(m[2]), usedFor: map[string]bool{}}
		i.rules = strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
		i.line = src.OffsetLine(c.Span.Start)
		if src.IsFirstOnLine(c.Span.Start) {
			if i.line < from || i.line >= next {
				next = nextContentLine(src, i.line)
			}
			from, i.line = i.line, next
		}
		all = append(all, i)
		for n, rule := range i.rules {
			if !slices.Contains(i.rules[:n], rule) {
				at := lineRule{i.line, rule}
				byLine[at] = append(byLine[at], i)
			}
		}
	}
	return all, byLine
}

// nextContentLine returns the next line that is not empty or a comment.
func nextContentLine(src *text.Source, line int) int {
	for line++; line < src.Lines(); line++ {
		content := strings.TrimSpace(src.Slice(src.LineSpan(line)))
		if content != "" && !strings.HasPrefix(content, "#") && !strings.HasPrefix(content, "//") {
			break
		}
	}
	return line
}

// isSilenced reports whether a comment silences d, and marks that comment as used.
func (p *Pass) isSilenced(d diag.Diagnostic) bool {
	ignores := p.ignoresFor(d)
	if len(ignores) > 0 {
		ignores[0].usedFor[d.Code] = true
	}
	return len(ignores) > 0
}

// ignoresFor returns the comments that silence d, in order.
func (p *Pass) ignoresFor(d diag.Diagnostic) (silencing []*ignoreDirective) {
	if len(p.ignores) == 0 {
		return nil
	}
	return p.byLine[lineRule{p.Source.OffsetLine(d.Span.Start), d.Code}]
}

// lineRule is a rule on a zero-based line.
type lineRule struct {
	line int
	rule string
}

// ReportIgnores reports the comments that silence nothing, or give no reason.
func (p *Pass) ReportIgnores() {
	for _, i := range p.ignores {
		if len(i.rules) == 0 {
			p.Report(i.span, "this comment names no rule to ignore")
			continue
		}
		if i.reason == "" {
			p.Report(i.span, "this comment gives no reason; write it after `--`")
		}
		for _, id := range i.rules {
			switch rule := Find(id); {
			case rule == nil:
				p.Report(i.span, "there is no rule `%s`%s", Abbreviate(id), spell.DidYouMean(id, RuleIDs()))
			case !i.usedFor[id] && !(rule.AboutProfile && p.Severities[id] == 0):
				p.diagnostics = append(p.diagnostics, p.unusedIgnoreDiagnostic(i, id))
			}
		}
	}
}

// unusedIgnoreDiagnostic reports a comment that silences no diagnostic of rule.
func (p *Pass) unusedIgnoreDiagnostic(i *ignoreDirective, rule string) diag.Diagnostic {
	d := p.newDiagnostic(i.span, "`%s` reports nothing here to ignore", rule)
	d.Tags = []diag.Tag{diag.Unnecessary}
	if len(i.rules) == 1 {
		d.Fixes = fix.RemoveComment(p.Source, i.span)
	}
	return d
}
