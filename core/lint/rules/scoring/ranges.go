package scoring

import (
	"slices"
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// eachRangedCriterion visits every criterion with bands, if each band by itself is valid.
func eachRangedCriterion(p *lint.Pass, visit func(*rubric.Criterion)) {
	p.EachRubric(func(g *rubric.Grader) {
		for _, c := range g.Criteria {
			if c.HasBands() && !slices.ContainsFunc(c.Bands, func(b rubric.Band) bool { return b.Fault() != "" }) {
				visit(c)
			}
		}
	})
}

// changeBound is the fix that changes one end of a band. There is none if the band is not written as a
// list of two scores.
func changeBound(p *lint.Pass, b rubric.Band, end int, score float64) []diag.Fix {
	bounds := p.NodeAt(b.Span).Get("score_range").List()
	if len(bounds) != 2 {
		return nil
	}
	words := "start the range at "
	if end == 1 {
		words = "end the range at "
	}
	written := strconv.FormatFloat(score, 'f', -1, 64)
	return []diag.Fix{{Title: words + written, Edits: []text.Edit{{Span: bounds[end].Span, New: written}}}}
}

// boundsSpan returns the span of a band's bounds: the value of score_range, or the key of the short form.
func boundsSpan(p *lint.Pass, b rubric.Band) text.Span {
	if bounds := p.NodeAt(b.Span).Get("score_range"); bounds != nil {
		return bounds.Span
	}
	return p.TreeFor(b.Span.Start).NodeAt(b.Span.Start).Span
}

// formatScores returns a sorted list of scores in words: "5", "3 to 5", "0, 4 and 8 to 10".
func formatScores(scores []int) string {
	var parts []string
	for i := 0; i < len(scores); {
		j := i
		for j+1 < len(scores) && scores[j+1] == scores[j]+1 {
			j++
		}
		first, last := strconv.Itoa(scores[i]), strconv.Itoa(scores[j])
		switch j - i {
		case 0:
			parts = append(parts, first)
		case 1:
			parts = append(parts, first, last)
		default:
			parts = append(parts, first+" to "+last)
		}
		i = j + 1
	}
	return diag.JoinList(parts, "and")
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "range-reversed",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			for _, c := range g.Criteria {
				for _, b := range c.Bands {
					if b.Fault() == rubric.ReversedBounds {
						d := p.Report(boundsSpan(p, b), "this range is from %v to %v; write the lower score first", b.Lo, b.Hi)
						if lower, higher := changeBound(p, b, 0, b.Hi), changeBound(p, b, 1, b.Lo); lower != nil {
							d.Fixes = []diag.Fix{{Title: "swap the scores", Edits: append(lower[0].Edits, higher[0].Edits...)}}
						}
					}
				}
			}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "ranges-gap",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		eachRangedCriterion(p, func(c *rubric.Criterion) {
			if missing := rubric.UncoveredScores(c.Bands); len(missing) > 0 {
				d := p.Report(boundsSpan(p, bandBefore(c.Bands, missing[0])), "no range contains %s", formatScores(missing))
				d.Fixes = closeGaps(p, c.Bands, missing)
			}
		})
	},
})

// bandBefore returns the band that ends closest before a score, or the first band if none does.
func bandBefore(bands []rubric.Band, missing int) rubric.Band {
	before := bands[0]
	for _, b := range bands {
		if b.Hi < float64(missing) && (before.Hi > float64(missing) || b.Hi > before.Hi) {
			before = b
		}
	}
	return before
}

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

var _ = lint.Register(pages, lint.Rule{
	ID:       "ranges-overlap",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		eachRangedCriterion(p, func(c *rubric.Criterion) {
			for _, pair := range rubric.OverlappingBands(c.Bands) {
				a, b := c.Bands[pair[0]], c.Bands[pair[1]]
				d := p.Report(boundsSpan(p, b), "this range, %v to %v, overlaps the range %v to %v", b.Lo, b.Hi, a.Lo, a.Hi)
				d.Notes = []diag.Note{{Span: boundsSpan(p, a), Message: "the other range"}}
				switch {
				case a.Lo < b.Lo && a.Hi < b.Hi:
					d.Fixes = changeBound(p, b, 0, a.Hi+1)
				case b.Lo < a.Lo && b.Hi < a.Hi:
					d.Fixes = changeBound(p, b, 1, a.Lo-1)
				}
			}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "min-score-unused",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			for _, c := range g.Criteria {
				if c.MinScore == nil || c.HasBands() || !c.BandsSpan.Empty() {
					continue
				}
				if score.HasRanged(g.Criteria) {
					p.Report(c.MinScoreSpan, "`%s` has no `score_ranges`; AgentV grades it 0 to 10 all the same, but the specification ignores this minimum", lint.Abbreviate(c.ID))
					continue
				}
				d := p.Report(c.MinScoreSpan, "this minimum has no effect: `%s` has no `score_ranges`", lint.Abbreviate(c.ID))
				d.Tags = []diag.Tag{diag.Unnecessary}
				d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(c.MinScoreSpan), "remove the minimum")
			}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "mixed-rubric",
	Severity: diag.Info, AboutProfile: true,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			if !score.HasRanged(g.Criteria) {
				return
			}
			for _, c := range g.Criteria {
				if !c.HasBands() && c.BandsSpan.Empty() && c.IsRequired() {
					p.Report(c.DisplaySpan(), "in AgentV `%s` is graded 0 to 10 and needs 10, because another criterion has ranges", lint.Abbreviate(c.ID))
				}
			}
		})
	},
})
