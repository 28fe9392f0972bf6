package scoring

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "ranges-gap",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		eachRangedCriterion(p, func(c *rubric.Criterion) {
			if missing := rubric.UncoveredScores(c.Bands); len(missing) > 0 {
				d := p.Report(c.BandsSpan, "no range contains %s", formatScores(missing))
				d.Fixes = closeGaps(p, c.Bands, missing)
			}
		})
	},
})

// closeGaps is the fix that extends ranges until they contain the missing scores, which are sorted.
func closeGaps(p *lint.Pass, bands []rubric.Band, missing []int) []diag.Fix {
	all := diag.Fix{Title: "extend the ranges"}
	for i := 0; i < len(missing); i++ {
		first := missing[i]
		for i+1 < len(missing) && missing[i+1] == missing[i]+1 {
			i++
		}
		below := slices.IndexFunc(bands, func(b rubric.Band) bool { return b.Hi == float64(first-1) })
		above := slices.IndexFunc(bands, func(b rubric.Band) bool { return b.Lo == float64(missing[i]+1) })
		var extended []diag.Fix
		switch {
		case below >= 0:
			extended = changeBound(p, bands[below], 1, float64(missing[i]))
		case above >= 0:
			extended = changeBound(p, bands[above], 0, float64(first))
		}
		if extended == nil {
			return nil
		}
		all.Edits = append(all.Edits, extended[0].Edits...)
	}
	return []diag.Fix{all}
}
