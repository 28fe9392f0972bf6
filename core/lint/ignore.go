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
	for _, c := range comments {
		m := ignoreComment().FindStringSubmatch(strings.TrimSpace(c.Text))
		if m == nil {
			continue
		}
		i := &ignore{span: c.Span, reason: strings.TrimSpace(m[2]), used: map[string]bool{}}
		i.rules = strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
		i.line = src.OffsetLine(c.Span.Start)
		if alone(src, c.Span) {
			i.line = nextLine(src, i.line)
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
	for _, i := range p.ignores {
		if i.speaksOf(p, d) {
			i.used[d.Code] = true
			return true
		}
	}
	return false
}

func (i *ignore) speaksOf(p *Pass, d diag.Diagnostic) bool {
	return i.line == p.Source.OffsetLine(d.Span.Start) && slices.Contains(i.rules, d.Code)
}
