package wording

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

var (
	validIDPattern = pattern.New(`^[\p{Ll}\p{Lo}\p{N}]+(?:[-_./:]+[\p{Ll}\p{Lo}\p{N}]+)*$`)
	caseBoundary   = pattern.New(`([\p{Ll}\p{N}])(\p{Lu})`)
	separators     = pattern.New(`[^\p{L}\p{N}]+`)
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "id-style",
	Severity: diag.Hint,
	Run: func(p *lint.Pass) {
		for _, c := range p.SortedCases() {
			checkIDStyle(p, c.ID, c.IDSpan)
		}
		for _, c := range allCriteria(p) {
			if !c.AutoID {
				checkIDStyle(p, c.ID, c.IDSpan)
			}
		}
	},
})

func checkIDStyle(p *lint.Pass, id string, at text.Span) {
	if strings.TrimSpace(id) == "" || validIDPattern().MatchString(id) { // empty-value reports a blank id
		return
	}
	styled := toStyle(id, p.ADK != nil)
	d := p.Report(at, "the id `%s` is neither kebab-case nor snake_case", lint.Abbreviate(id))
	n := p.TreeFor(at.Start).NodeAt(at.Start)
	if n != nil && n.Span == at && validIDPattern().MatchString(styled) {
		d.Fixes = fix.ChangeTo(n, styled)
	}
}

// toStyle converts an id to kebab-case, or to snake_case, which ADK's files use.
func toStyle(id string, snake bool) string {
	mark := "-"
	if snake {
		mark = "_"
	}
	id = caseBoundary().ReplaceAllString(id, "$1 $2")
	return strings.Trim(strings.ToLower(separators().ReplaceAllString(id, mark)), mark)
}
