package lint

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

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

func parseIgnores(src *text.Source, comments []yaml.Comment) (all []*ignoreDirective) {
	from, next := 0, 0 // comments alone on lines from…next-1 silence line next
	for _, c := range comments {
		m := ignorePattern().FindStringSubmatch(strings.TrimSpace(c.Text))
		if m == nil {
			continue
		}
		i := &ignoreDirective{span: c.Span, reason: strings.TrimSpace(m[2]), usedFor: map[string]bool{}}
		i.rules = strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
		i.line = src.OffsetLine(c.Span.Start)
		if isAloneOnLine(src, c.Span) {
			if i.line < from || i.line >= next {
				next = nextContentLine(src, i.line)
			}
			from, i.line = i.line, next
		}
		all = append(all, i)
	}
	return all
}

// isAloneOnLine reports whether a comment is the first text on its line.
func isAloneOnLine(src *text.Source, comment text.Span) bool {
	line := src.LineSpan(src.OffsetLine(comment.Start))
	return strings.TrimSpace(src.Body[line.Start:comment.Start]) == ""
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
	if p.ignoresByLine == nil {
		p.ignoresByLine = map[lineRule][]*ignoreDirective{}
		for _, i := range p.ignores {
			for n, rule := range i.rules {
				if !slices.Contains(i.rules[:n], rule) {
					at := lineRule{i.line, rule}
					p.ignoresByLine[at] = append(p.ignoresByLine[at], i)
				}
			}
		}
	}
	return p.ignoresByLine[lineRule{p.Source.OffsetLine(d.Span.Start), d.Code}]
}

// lineRule is a rule on a zero-based line.
type lineRule struct {
	line int
	rule string
}
