// Package effective describes line by line how an eval file will be graded: with defaults
// filled in, and with a mark on lines that the runner ignores. It reads only the files
// that the analysis input provides, and judges nothing.
package effective

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// An Effect describes what a line of the source means.
type Effect struct {
	Line    int // from 0
	Text    string
	Ignored bool // the runner ignores the line
}

// Describe returns the effects and problems of a file of any dialect, in the order of the
// text. ADK files follow the rules of profile.
func Describe(a *analysis.Analysis, in analysis.Input, profile metric.Profile) (effects []Effect) {
	if a.ADK() == adk.None {
		effects = suiteEffects(a)
	} else {
		effects = evalsetEffects(a, in, profile)
	}
	for _, d := range a.Diagnostics() {
		if d.Severity <= diag.Warning {
			effects = append(effects, Effect{a.Source().OffsetLine(d.Span.Start), d.Message, true})
		}
	}
	generic.SortStable(effects, func(a, b Effect) int { return a.Line - b.Line })
	return effects
}

// sourceWidth is the number of source columns shown.
const sourceWidth = 52

// Render prints effects next to their source lines.
func Render(source *text.Source, effects []Effect) string {
	var out strings.Builder
	last := -1
	for _, e := range effects {
		number, line := "", ""
		if e.Line != last {
			whole := strings.ReplaceAll(source.Slice(source.LineSpan(e.Line)), "\t", " ")
			number, line = strconv.Itoa(e.Line+1), runewidth.Truncate(whole, sourceWidth, "…")
		}
		last = e.Line
		bar := "│"
		if e.Ignored {
			bar = "✗"
		}
		fmt.Fprintf(&out, "%5s  %s %s %s\n", number, runewidth.FillRight(line, sourceWidth), bar, e.Text)
	}
	return out.String()
}

// suiteEffects describes the cases of an AgentV file.
func suiteEffects(a *analysis.Analysis) (effects []Effect) {
	add := func(span text.Span, format string, args ...any) {
		effects = append(effects, Effect{Line: a.Source().OffsetLine(span.Start), Text: fmt.Sprintf(format, args...)})
	}
	shared := map[*rubric.Grader]bool{} // graders of the suite, which its cases share
	for _, c := range a.Suite().Cases {
		add(c.SelectionSpan, "case %s, graded by %s", c.ID, joined(grade.GradersOf(c), func(g *rubric.Grader) string { return g.Name }))
		for _, g := range c.Graders {
			if !shared[g] {
				shared[g] = true
				addGrader(g, g.Weight, add)
			}
		}
	}
	for _, c := range a.Suite().Skipped {
		effects = append(effects, Effect{a.Source().OffsetLine(c.SelectionSpan.Start), "case " + cmp.Or(c.ID, "without an id") + " is skipped", true})
	}
	return effects
}

func joined[T any](all []T, name func(T) string) string {
	return strings.Join(generic.Map(all, name), ", ")
}

func addGrader(g *rubric.Grader, weight float64, add func(text.Span, string, ...any)) {
	if len(g.Criteria) > 0 {
		add(g.SelectionSpan, "rubric %s, weight %v", g.Name, weight)
	} else {
		add(g.SelectionSpan, "%s %s, weight %v", g.Kind, g.Name, weight)
	}
	for _, c := range g.Criteria {
		scale := "yes or no"
		if c.HasBands() {
			scale = "0 to 10"
		}
		add(c.Span, "  %s: %s, weight %v, %s", c.ID, scale, c.Weight, gateText(c))
		for _, b := range c.Bands {
			add(b.Span, "    %s", b)
		}
	}
	for _, m := range g.Members {
		addGrader(m, g.MemberWeight(m), add)
	}
}

func gateText(c *rubric.Criterion) string {
	switch {
	case c.HasBands() && c.MinScore != nil:
		return fmt.Sprintf("at least %v", *c.MinScore)
	case c.HasBands() && c.IsRequired():
		return "required: 10"
	case !c.HasBands() && c.IsRequired():
		return "required"
	}
	return "optional"
}

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
	m.criteria = append(m.criteria, generic.Map(adk.DefaultCriteria(), func(c metric.Criterion) adk.Criterion { return adk.Criterion{Criterion: c} })...)
	return m
}

// evalsetEffects describes an ADK file: a configuration's metrics with defaults filled
// in, or an evalset's cases and turns with their metrics.
func evalsetEffects(a *analysis.Analysis, in analysis.Input, profile metric.Profile) (effects []Effect) {
	add := func(p *analysis.Chunk, span text.Span, lost bool, format string, args ...any) {
		effects = append(effects, Effect{a.Source().OffsetLine(p.ToFile(span).Start), fmt.Sprintf(format, args...), lost})
	}
	measurement := measurement{}
	if a.ADK().HasCases() {
		measurement = findMeasurement(in, profile)
		effects = append(effects, Effect{0, "measured by " + measurement.source + ": " + measurement.summary(), false})
	}
	a.Chunks(func(p *analysis.Chunk) bool {
		switch p.ADK.Role {
		case adk.Config:
			for _, c := range adk.LowerConfig(profile, *p.ADK).Criteria {
				add(p, c.Key.Span, c.Skipped, "%s", describeCriterion(c))
				for _, r := range c.LocatedRubrics() {
					add(p, r.Node.Span, c.Skipped, "  rubric %s: %s", r.ID, strings.Join(strings.Fields(r.Text), " "))
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
	line := fmt.Sprintf("%s passes from %v", c.Metric, c.Threshold)
	switch {
	case c.Metric == metric.ToolTrajectory && c.IgnoreArgs:
		line += "; calls match as " + c.Match.String() + ", by names only"
	case c.Metric == metric.ToolTrajectory:
		line += "; calls match as " + c.Match.String() + ", by names and arguments"
	case c.JudgeCalls() != "":
		line += "; asks a judge " + c.JudgeCalls()
	}
	if c.WithIntermediate {
		line += "; including intermediate answers"
	}
	return line
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
	add(head, false, "case %s, %s", c.ID, diag.CountNoun(len(c.Conversation), "turn"))
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
			add(c.Turns[i].Span, false, "  turn %d, %s by %s", i+1, k.Metric, joined(rubrics, func(r metric.Rubric) string { return r.ID }))
		}
	}
}
