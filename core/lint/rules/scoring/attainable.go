// Package scoring has the rules about weights, gates and score ranges, and the verdicts that they
// allow. The file attainable.go finds the scores that a rubric can attain.
package scoring

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// attainable holds the results that a rubric can attain, and grades for which the profiles
// differ.
type attainable struct {
	score.Attainable
	grader    *rubric.Grader
	differing []score.Grade // nil unless profilesDiffer is on
}

// eachAttainable visits every rubric with the results that it can attain. Rubrics that
// differ only in their texts share one search. It leaves out a rubric with a fault such as a misspelt
// key: what it can attain may follow from the fault.
func eachAttainable(p *lint.Pass, visit func(*rubric.Grader, *attainable)) {
	for _, a := range allAttainable(p) {
		if a.Known && !slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool { return !m.IsHarmless() && a.grader.Span.Contains(m.Span) }) {
			visit(a.grader, a)
		}
	}
}

var allAttainable = lint.PerPass(func(p *lint.Pass) (all []*attainable) {
	compare := p.Severities[profilesDiffer] != 0
	p.EachRubric(func(g *rubric.Grader) {
		a := searches(p).find(g.Criteria, compare)
		a.grader = g
		all = append(all, &a)
	})
	return all
})

// maxSearches is the number of results that a cache holds.
const maxSearches = 1000

// searchCache holds results by the parts of criteria that decide them. It is emptied when it is full.
type searchCache struct {
	mu    sync.Mutex
	found map[string]attainable
}

var searches = lint.PerCache(func(*lint.Pass) *searchCache { return &searchCache{found: map[string]attainable{}} })

// find searches for the results that criteria can attain and, with compare, for differing grades,
// once for equal ones: a search can take long, and the rubrics of a header are those of every case.
func (sc *searchCache) find(criteria []*rubric.Criterion, compare bool) attainable {
	var parts strings.Builder // that scoring uses, and the ids
	fmt.Fprintf(&parts, "%v\n", compare)
	for _, c := range criteria {
		fmt.Fprintf(&parts, "%s %v %v", c.ID, c.IsRequired(), c.Weight)
		if c.MinScore != nil {
			fmt.Fprintf(&parts, " >%v", *c.MinScore)
		}
		for _, band := range c.Bands {
			fmt.Fprintf(&parts, " %v-%v", band.Lo, band.Hi)
		}
		parts.WriteByte('\n')
	}
	key := parts.String()
	sc.mu.Lock()
	found, known := sc.found[key]
	sc.mu.Unlock()
	if known {
		return found
	}
	if found.Attainable = score.FindAttainable(criteria); compare {
		found.differing = score.FindDifferingGrades(criteria)
	}
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if len(sc.found) >= maxSearches {
		clear(sc.found)
	}
	sc.found[key] = found
	return found
}

// witnessNote is a note with grades and the result of a rubric for them.
func witnessNote(g *rubric.Grader, lead string, grades []score.Grade) diag.Note {
	r := score.Rubric(score.Spec, g.Criteria, grades)
	return resultNote(g, lead, grades, formatNumber(*r.Score), r.Verdict)
}

func resultNote(g *rubric.Grader, lead string, grades []score.Grade, value string, verdict score.Verdict) diag.Note {
	return diag.Note{Span: g.SelectionSpan, Message: fmt.Sprintf("%s: %s: score %s, %s", lead, describeGrades(grades), value, verdict)}
}

// describeGrades lists grades: "`a` yes, `b` no, `c` 7 of 10". It names at most seven and
// counts the others.
func describeGrades(grades []score.Grade) string {
	const named = 6
	var parts []string
	for i, g := range grades {
		if i == named && len(grades) > named+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(grades)-named))
			break
		}
		outcome := "no"
		switch {
		case g.Score != nil:
			outcome = formatNumber(*g.Score) + " of 10"
		case *g.Satisfied:
			outcome = "yes"
		}
		parts = append(parts, "`"+lint.Abbreviate(g.ID)+"` "+outcome)
	}
	return strings.Join(parts, ", ")
}

func formatNumber(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

var _ = lint.Register(pages, lint.Rule{
	ID:          "pass-unreachable",
	Severity:    diag.Error,
	AlsoReports: []string{"ranges-gap"},
	Run: func(p *lint.Pass) {
		for _, a := range allAttainable(p) {
			g := a.grader
			if !a.NeverPasses || allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }) {
				continue // asserts-nothing reports rubrics without weights
			}
			d := p.Report(g.SelectionSpan, "no grades make this rubric pass")
			d.Notes = []diag.Note{witnessNote(g, "the best it can be given", score.BestGrades(g.Criteria))}
			for i, best := range score.BestGrades(g.Criteria) {
				if c := g.Criteria[i]; c.MinScore != nil && best.Score != nil && *best.Score < *c.MinScore {
					d.Notes = append(d.Notes, diag.Note{Span: c.MinScoreSpan, Message: "this minimum is above every range"})
				}
			}
		}
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "borderline-unreachable",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			optional := 0
			for _, c := range g.Criteria {
				if !c.IsRequired() && c.MinScore == nil {
					optional++
				}
			}
			if optional == 0 || len(g.Criteria) < 2 || r.Witnesses[score.Borderline] != nil || r.Witnesses[score.Pass] == nil || r.Witnesses[score.Fail] == nil {
				return
			}
			d := p.Report(g.SelectionSpan, "this rubric passes or fails; no grades make it borderline")
			d.Notes = []diag.Note{witnessNote(g, "a pass", r.Witnesses[score.Pass]), witnessNote(g, "a fail", r.Witnesses[score.Fail])}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:          "fail-unreachable",
	Severity:    diag.Warning,
	AlsoReports: []string{"ranges-gap"},
	Run: func(p *lint.Pass) {
		if p.HasADKRole(adk.Config) {
			for _, c := range p.Settings().Criteria {
				if c.Threshold == 0 {
					p.Report(cmp.Or(c.Node.Get("threshold"), c.Node).Span, "every score passes `%s`: its threshold is 0", c.Metric)
				}
			}
		}
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			if r.Witnesses[score.Fail] != nil {
				return
			}
			d := p.Report(g.SelectionSpan, "no grades make this rubric fail")
			for _, verdict := range []score.Verdict{score.Borderline, score.Pass} {
				if grades := r.Witnesses[verdict]; grades != nil {
					d.Notes = []diag.Note{witnessNote(g, "even so", grades)}
					return
				}
			}
		})
	},
})

//go:embed *.md
var pages embed.FS
