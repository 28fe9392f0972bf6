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

// measuring is what cases of ADK are measured by.
type measuring struct {
	profile  metric.Profile
	criteria []adk.Criterion
	from     string // which file says so
}

// measuringBeside is the configuration beside an evalset, or what ADK measures without
// one.
func measuringBeside(in analysis.Input, profile metric.Profile) measuring {
	m := measuring{profile: profile, from: "no " + adk.ConfigName + ", so by default"}
	var beside []string // nil where nobody can tell, as of standard input
	if in.Folder != nil && in.Files != nil {
		beside = in.Folder()
	}
	for _, name := range beside {
		if body, found := in.Files(name); found && strings.EqualFold(name, adk.ConfigName) {
			m.from, m.criteria = name, adk.LowerConfig(profile, adk.Open(name, body)).Criteria
			return m
		}
	}
	for _, c := range adk.Defaults() {
		m.criteria = append(m.criteria, adk.Criterion{Criterion: c})
	}
	return m
}

// setEffects are what a file of ADK comes to: a configuration's metrics with their
// defaults filled in, or an evalset's cases and turns with what they are judged by.
func setEffects(a *analysis.Analysis, in analysis.Input, profile metric.Profile) (all []Effect) {
	add := func(p *analysis.Part, span text.Span, lost bool, format string, args ...any) {
		all = append(all, Effect{a.Source().OffsetLine(p.Place(span).Start), fmt.Sprintf(format, args...), lost})
	}
	by := measuring{}
	if role := a.ADK(); role == adk.EvalSet || role == adk.Older || role == adk.Turns {
		by = measuringBeside(in, profile)
		all = append(all, Effect{0, "measured by " + by.from + ": " + by.words(), false})
	}
	a.Parts(func(p *analysis.Part) bool {
		switch p.ADK.Role {
		case adk.Config:
			for _, c := range adk.LowerConfig(profile, *p.ADK).Criteria {
				add(p, c.Key.Span, c.Skipped, "%s", criterionWords(c))
				for _, r := range c.Placed() {
					add(p, r.Node.Span, c.Skipped, "  rubric %s: %s", r.ID, oneLine(r.Text))
				}
			}
		case adk.EvalSet, adk.Older, adk.Turns:
			for _, c := range adk.LowerSet(profile, *p.ADK).Cases {
				by.effectsOf(c, func(span text.Span, lost bool, format string, args ...any) { add(p, span, lost, format, args...) })
			}
		}
		return true
	})
	return all
}

// words are the metrics with their thresholds.
func (m measuring) words() string {
	var all []string
	for _, c := range m.criteria {
		said := fmt.Sprintf("%s from %v", c.Metric, c.Threshold)
		if c.Skipped {
			said = c.Metric + ", which is not evaluated"
		}
		all = append(all, said)
	}
	return cmp.Or(strings.Join(all, "; "), "nothing")
}

// criterionWords is a criterion with its defaults filled in.
func criterionWords(c adk.Criterion) string {
	if c.Skipped {
		return c.Metric + " is not evaluated"
	}
	said := []string{fmt.Sprintf("%s passes from %v", c.Metric, c.Threshold)}
	switch {
	case c.Metric == metric.ToolTrajectory && c.IgnoreArgs:
		said = append(said, "calls match as "+c.Match.String()+", by names only")
	case c.Metric == metric.ToolTrajectory:
		said = append(said, "calls match as "+c.Match.String()+", by names and arguments")
	case c.Asks() != "":
		said = append(said, "asks a judge "+c.Asks())
	}
	if c.WithIntermediate {
		said = append(said, "with the answers on the way")
	}
	return strings.Join(said, "; ")
}

// effectsOf are what a case and its turns are judged by.
func (m measuring) effectsOf(c adk.Case, add func(span text.Span, lost bool, format string, args ...any)) {
	head := c.IDSpan
	if head.Empty() {
		head = c.Span
	}
	if c.Conversation == nil {
		add(head, false, "case %s, a simulated user's", c.ID)
		return
	}
	add(head, false, "case %s, %s", c.ID, turns(len(c.Conversation)))
	merged, err := metric.WithRubrics(c.Rubrics, metric.Conversation{Actual: make([]metric.Invocation, len(c.Conversation)), Expected: c.Conversation})
	if err != nil {
		add(head, true, "the evaluation breaks off here: %s", err)
		return
	}
	for i, turn := range merged.Actual {
		for _, k := range m.criteria {
			kind := adk.TypeFor(k.Metric)
			if kind == "" || k.Skipped {
				continue
			}
			rubrics, err := metric.Effective(m.profile, kind, k.Rubrics, turn.Rubrics)
			if err != nil {
				add(c.Turns[i].Span, true, "  turn %d, %s is not evaluated: %s", i+1, k.Metric, err)
				continue
			}
			add(c.Turns[i].Span, false, "  turn %d, %s by %s", i+1, k.Metric, rubricNames(rubrics))
		}
	}
}

func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}

func rubricNames(rubrics []metric.Rubric) string {
	var all []string
	for _, r := range rubrics {
		all = append(all, r.ID)
	}
	return strings.Join(all, ", ")
}

func oneLine(words string) string { return strings.Join(strings.Fields(words), " ") }
