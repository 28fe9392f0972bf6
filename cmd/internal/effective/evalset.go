package effective

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// A measurement holds the metrics of ADK cases.
type measurement struct {
	profile  metric.Profile
	criteria []adk.Criterion
	source   string // the file with the metrics
}

// findMeasurement returns the configuration next to an evalset, or ADK's defaults.
func findMeasurement(in analysis.Input, profile metric.Profile) measurement {
	m := measurement{profile: profile, source: "no " + adk.ConfigName + ", so ADK's defaults"}
	var names []string // nil if unknown, as for standard input
	if in.FolderNames != nil && in.ReadFile != nil {
		names = in.FolderNames()
	}
	for _, name := range names {
		if body, found := in.ReadFile(name); found && strings.EqualFold(name, adk.ConfigName) {
			m.source, m.criteria = name, adk.LowerConfig(profile, adk.Open(name, body)).Criteria
			return m
		}
	}
	for _, c := range adk.DefaultCriteria() {
		m.criteria = append(m.criteria, adk.Criterion{Criterion: c})
	}
	return m
}

// evalsetEffects describes an ADK file: a configuration's metrics with defaults filled
// in, or an evalset's cases and turns with their metrics.
func evalsetEffects(a *analysis.Analysis, in analysis.Input, profile metric.Profile) (effects []Effect) {
	add := func(p *analysis.Chunk, span text.Span, lost bool, format string, args ...any) {
		effects = append(effects, Effect{a.Source().OffsetLine(p.ToFile(span).Start), fmt.Sprintf(format, args...), lost})
	}
	measurement := measurement{}
	if role := a.ADK(); role == adk.EvalSet || role == adk.Older || role == adk.Turns {
		measurement = findMeasurement(in, profile)
		effects = append(effects, Effect{0, "measured by " + measurement.source + ": " + measurement.summary(), false})
	}
	a.Chunks(func(p *analysis.Chunk) bool {
		switch p.ADK.Role {
		case adk.Config:
			for _, c := range adk.LowerConfig(profile, *p.ADK).Criteria {
				add(p, c.Key.Span, c.Skipped, "%s", describeCriterion(c))
				for _, r := range c.LocatedRubrics() {
					add(p, r.Node.Span, c.Skipped, "  rubric %s: %s", r.ID, oneLine(r.Text))
				}
			}
		case adk.EvalSet, adk.Older, adk.Turns:
			for _, c := range adk.LowerSet(profile, *p.ADK).Cases {
				measurement.addCase(c, func(span text.Span, lost bool, format string, args ...any) { add(p, span, lost, format, args...) })
			}
		}
		return true
	})
	return effects
}

// summary lists the metrics with their thresholds.
func (m measurement) summary() string {
	var all []string
	for _, c := range m.criteria {
		text := fmt.Sprintf("%s from %v", c.Metric, c.Threshold)
		if c.Skipped {
			text = c.Metric + ", which is not evaluated"
		}
		all = append(all, text)
	}
	return cmp.Or(strings.Join(all, "; "), "nothing")
}

// describeCriterion describes a criterion with its defaults filled in.
func describeCriterion(c adk.Criterion) string {
	if c.Skipped {
		return c.Metric + " is not evaluated"
	}
	parts := []string{fmt.Sprintf("%s passes from %v", c.Metric, c.Threshold)}
	switch {
	case c.Metric == metric.ToolTrajectory && c.IgnoreArgs:
		parts = append(parts, "calls match as "+c.Match.String()+", by names only")
	case c.Metric == metric.ToolTrajectory:
		parts = append(parts, "calls match as "+c.Match.String()+", by names and arguments")
	case c.JudgeCalls() != "":
		parts = append(parts, "asks a judge "+c.JudgeCalls())
	}
	if c.WithIntermediate {
		parts = append(parts, "including intermediate answers")
	}
	return strings.Join(parts, "; ")
}

// addCase describes how a case and its turns are judged.
func (m measurement) addCase(c adk.Case, add func(span text.Span, lost bool, format string, args ...any)) {
	head := c.IDSpan
	if head.Empty() {
		head = c.Span
	}
	if c.Conversation == nil {
		add(head, false, "case %s, a simulated user's", c.ID)
		return
	}
	add(head, false, "case %s, %s", c.ID, countTurns(len(c.Conversation)))
	merged, err := metric.WithRubrics(c.Rubrics, metric.Conversation{Actual: make([]metric.Invocation, len(c.Conversation)), Expected: c.Conversation})
	if err != nil {
		add(head, true, "the evaluation stops here: %s", err)
		return
	}
	for i, turn := range merged.Actual {
		for _, k := range m.criteria {
			kind := adk.RubricTypeForMetric(k.Metric)
			if kind == "" || k.Skipped {
				continue
			}
			rubrics, err := metric.EffectiveRubrics(m.profile, kind, k.Rubrics, turn.Rubrics)
			if err != nil {
				add(c.Turns[i].Span, true, "  turn %d, %s is not evaluated: %s", i+1, k.Metric, err)
				continue
			}
			add(c.Turns[i].Span, false, "  turn %d, %s by %s", i+1, k.Metric, rubricIDs(rubrics))
		}
	}
}

func countTurns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}

func rubricIDs(rubrics []metric.Rubric) string {
	var all []string
	for _, r := range rubrics {
		all = append(all, r.ID)
	}
	return strings.Join(all, ", ")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
