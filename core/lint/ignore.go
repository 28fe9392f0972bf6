package lint

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ignore is a comment that asks not to be told of rules on one line:
//
//	# rubric: ignore RULE, RULE -- reason
//
// It stands at the end of that line, or alone on the line before it.
type ignore struct {
	span   text.Span
	line   int // zero-based: the one it speaks of
	rules  []string
	reason string
	used   map[string]bool
}

var ignoreComment = pattern.Of(`^rubric:\s*ignore\b\s*(.*?)\s*(?:--\s*(.*))?$`)

func readIgnores(src *text.Source, comments []yaml.Comment) (all []*ignore) {
	from, next := 0, 0 // a comment alone on one of the lines between applies to the line next
	for _, c := range comments {
		m := ignoreComment().FindStringSubmatch(strings.TrimSpace(c.Text))
		if m == nil {
			continue
		}
		i := &ignore{span: c.Span, reason: strings.TrimSpace(m[2]), used: map[string]bool{}}
		i.rules = strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
		i.line = src.OffsetLine(c.Span.Start)
		if alone(src, c.Span) {
			if i.line < from || i.line >= next {
				next = nextLine(src, i.line)
			}
			from, i.line = i.line, next
		}
		all = append(all, i)
	}
	return all
}

// alone reports whether nothing stands before a comment on its line.
func alone(src *text.Source, comment text.Span) bool {
	line := src.LineSpan(src.OffsetLine(comment.Start))
	return strings.TrimSpace(src.Body[line.Start:comment.Start]) == ""
}

// nextLine is the next line that holds more than a comment.
func nextLine(src *text.Source, line int) int {
	for line++; line < src.Lines(); line++ {
		words := strings.TrimSpace(src.Slice(src.LineSpan(line)))
		if words != "" && !strings.HasPrefix(words, "#") && !strings.HasPrefix(words, "//") {
			break
		}
	}
	return line
}

// ignored reports whether a comment asks not to be told of d, and remembers
// that it was of use.
func (p *Pass) ignored(d diag.Diagnostic) bool {
	for _, i := range p.ignoresOf(d) {
		i.used[d.Code] = true
		return true
	}
	return false
}

// ignoresOf returns the comments that silence d, in order.
func (p *Pass) ignoresOf(d diag.Diagnostic) (silencing []*ignore) {
	if len(p.ignores) == 0 {
		return nil
	}
	if p.silenced == nil {
		p.silenced = map[lineRule][]*ignore{}
		for _, i := range p.ignores {
			for n, rule := range i.rules {
				if !slices.Contains(i.rules[:n], rule) {
					at := lineRule{i.line, rule}
					p.silenced[at] = append(p.silenced[at], i)
				}
			}
		}
	}
	return p.silenced[lineRule{p.Source.OffsetLine(d.Span.Start), d.Code}]
}

// lineRule is a rule at a zero-based line.
type lineRule struct {
	line int
	rule string
}
