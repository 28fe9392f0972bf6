package lint

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ignoreDirective is a comment that asks not to be told of rules on one line:
//
//	# rubric: ignore RULE, RULE -- reason
//
// It stands at the end of that line, or alone on the line before it.
type ignoreDirective struct {
	span    text.Span
	line    int // zero-based: the one it speaks of
	rules   []string
	reason  string
	usedFor map[string]bool
}

var ignorePattern = pattern.New(`^rubric:\s*ignore\b\s*(.*?)\s*(?:--\s*(.*))?$`)

func parseIgnores(src *text.Source, comments []yaml.Comment) (all []*ignoreDirective) {
	from, next := 0, 0 // a comment alone on one of the lines between applies to the line next
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

// isAloneOnLine reports whether nothing stands before a comment on its line.
func isAloneOnLine(src *text.Source, comment text.Span) bool {
	line := src.LineSpan(src.OffsetLine(comment.Start))
	return strings.TrimSpace(src.Body[line.Start:comment.Start]) == ""
}

// nextContentLine is the next line that holds more than a comment.
func nextContentLine(src *text.Source, line int) int {
	for line++; line < src.Lines(); line++ {
		words := strings.TrimSpace(src.Slice(src.LineSpan(line)))
		if words != "" && !strings.HasPrefix(words, "#") && !strings.HasPrefix(words, "//") {
			break
		}
	}
	return line
}

// isSilenced reports whether a comment asks not to be told of d, and remembers
// that it was of use.
func (p *Pass) isSilenced(d diag.Diagnostic) bool {
	for _, i := range p.ignoresFor(d) {
		i.usedFor[d.Code] = true
		return true
	}
	return false
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

// lineRule is a rule at a zero-based line.
type lineRule struct {
	line int
	rule string
}
