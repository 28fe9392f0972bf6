package wording

import (
	"cmp"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// suggestedMinimums are the lowest scores for a gate that this rule suggests, as shares of the scale. No standard has any.
var suggestedMinimums = []struct {
	what  string
	about pattern.Lazy
	bar   float64
}{
	{"safety", ignoreCase(`\b(?:safe|safety|unsafe|harm(?:ful|less)?|toxic(?:ity)?|pii|privacy|secrets?)\b`), 0.95},
	{"accuracy", ignoreCase(`\b(?:accurate|accuracy|factual|facts?|correct(?:ness)?)\b`), 0.85},
	{"style", ignoreCase(`\b(?:style|tone|format(?:ting)?)\b`), 0.7},
}

var _ = lint.Register(pages, lint.Rule{
	ID:          "low-minimum",
	Severity:    diag.Info,
	AlsoReports: []string{"gate-not-kept"}, // a score just below a high minimum is still a good score
	Run: func(p *lint.Pass) {
		for _, c := range allCriteria(p) {
			if c.MinScore == nil || !c.HasBands() {
				continue
			}
			what, bar := subjectOf(c)
			if least := math.Ceil(bar * rubric.HighestScore); *c.MinScore < least {
				d := p.Report(c.MinScoreSpan, "a minimum of %v is low for a criterion about %s; rubric suggests %v", *c.MinScore, what, least)
				d.Fixes = fix.ChangeToNumber(p.NodeAt(c.MinScoreSpan), least)
			}
		}
		if p.HasADKRole(adk.Config) {
			checkThresholds(p)
		}
	},
})

// subjectOf returns the subject of a criterion with its suggested minimum, or 0 for another subject.
func subjectOf(c *rubric.Criterion) (what string, bar float64) {
	for _, b := range suggestedMinimums {
		if b.about().MatchString(c.ID + " " + c.Text) {
			return b.what, b.bar
		}
	}
	return "", 0
}

// checkThresholds compares the thresholds of ADK's metrics with those that are suggested.
func checkThresholds(p *lint.Pass) {
	graders := p.AllRubrics()
	for _, c := range p.Settings().Criteria {
		at := cmp.Or(c.Node.Get("threshold"), c.Node)
		what, least := "a metric about safety", 0.95
		if c.Metric != metric.Safety {
			i := slices.IndexFunc(graders, func(g *rubric.Grader) bool { return g.Name == c.Metric })
			if i < 0 || adk.RubricTypeForMetric(c.Metric) == "" {
				continue
			}
			what, least = guardedSubject(graders[i].Criteria)
		}
		if 0 < c.Threshold && c.Threshold < least { // see fail-unreachable, out-of-bounds
			d := p.Report(at.Span, "a threshold of %v is low for %s; rubric suggests %v", c.Threshold, what, least)
			if at.Kind == yaml.Scalar {
				d.Fixes = fix.ChangeToNumber(at, least)
			}
		}
	}
}

// guardedSubject returns what a threshold for criteria guards, and the suggested threshold.
func guardedSubject(criteria []*rubric.Criterion) (what string, least float64) {
	all := map[string]int{}
	for _, c := range criteria {
		subject, bar := subjectOf(c)
		if all[subject]++; subject == "safety" {
			return "`" + lint.Abbreviate(c.ID) + "`, which is about safety", bar
		}
	}
	if all["accuracy"] == len(criteria) {
		return "rubrics about accuracy", 0.85
	}
	return "rubrics", 0.7
}
