package scoring

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

const profilesDiffer = "profiles-differ"

var _ = lint.Register(pages, lint.Rule{
	ID:       profilesDiffer,
	Severity: diag.Info, AboutProfile: true,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			if r.differing == nil {
				return
			}
			d := p.Report(g.SelectionSpan, "exactly at a threshold, the floating-point sum of AgentV gives another verdict")
			other := score.Rubric(score.AgentV, g.Criteria, r.differing)
			exact := strconv.FormatFloat(*other.Score, 'g', -1, 64) // the profiles may differ in the last bit only
			d.Notes = []diag.Note{witnessNote(g, "by the specification", r.differing), resultNote(g, "by AgentV", r.differing, exact, other.Verdict)}
			d.Fixes = useWholeWeights(g.Criteria)
		})
	},
})

// useWholeWeights is the fix that multiplies all weights by a power of ten, so that they are whole
// numbers. There is none if they are, or if a weight is not written.
func useWholeWeights(criteria []*rubric.Criterion) []diag.Fix {
	decimals, spans := 0, []text.Span{}
	for _, c := range criteria {
		_, fraction, _ := strings.Cut(strconv.FormatFloat(c.Weight, 'f', -1, 64), ".")
		decimals, spans = max(decimals, len(fraction)), append(spans, c.WeightSpan)
	}
	if decimals == 0 {
		return nil
	}
	factor := math.Pow10(decimals)
	return fix.ChangeNumbers("write the weights as whole numbers", spans, func(i int) float64 { return math.Round(criteria[i].Weight * factor) })
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "gate-not-kept",
	Severity: diag.Info, AboutProfile: true,
	Run: func(p *lint.Pass) {
		if p.Role == "eval-v4" {
			return // later versions have other gates
		}
		for _, c := range p.Suite.Cases {
			reportEscapedGate(p, c)
		}
	},
})

// reportEscapedGate reports a case that can fail by the specification but not in AgentV.
func reportEscapedGate(p *lint.Pass, c *rubric.Case) {
	for _, g := range c.Graders {
		i, grades := cheapestFailure(g.Criteria)
		if i < 0 {
			continue
		}
		spec, agentv := caseOutcome(score.Spec, c, g, grades), caseOutcome(score.AgentV, c, g, grades)
		if spec.Score == nil || spec.Verdict == agentv.Verdict {
			continue
		}
		failed := g.Criteria[i]
		d := p.Report(c.SelectionSpan, "if only `%s` fails, this case fails by the specification, but AgentV's verdict is `%s`: it looks at the score alone", lint.Abbreviate(failed.ID), agentv.Verdict)
		d.Notes = []diag.Note{{Span: failed.DisplaySpan(), Message: fmt.Sprintf("%s: score %s", describeGrades(grades), formatNumber(*spec.Score))}}
		return
	}
}

// cheapestFailure returns the gated criterion whose failure costs the least score, and
// the best grades with which it fails. The index is -1 if no criterion has a gate.
func cheapestFailure(criteria []*rubric.Criterion) (at int, grades []score.Grade) {
	at = -1
	least, value := 0.0, 0.0
	for i, c := range criteria {
		lost, highest := c.Weight, 0.0
		switch minimum := score.Minimum(c); {
		case c.HasBands() && minimum != nil:
			for _, level := range score.Levels(c) {
				if level < *minimum {
					highest = level
				}
			}
			lost = c.Weight * (rubric.HighestScore - highest) / rubric.HighestScore
		case c.HasBands() || !c.IsRequired():
			continue
		}
		if at < 0 || lost < least {
			at, least, value = i, lost, highest
		}
	}
	if at < 0 {
		return at, nil
	}
	grades = withExtremeGrade(criteria, score.BestGrades(criteria), at, false)
	if grades[at].Score != nil {
		grades[at].Score = &value
	}
	return at, grades
}

// caseOutcome scores a case in which one rubric has grades and the other graders pass.
func caseOutcome(profile score.Profile, c *rubric.Case, graded *rubric.Grader, grades []score.Grade) score.CaseResult {
	return score.Case(profile, nil, score.OthersPass(c, graded, score.Rubric(profile, graded.Criteria, grades)))
}
