// Package effective says, line by line, what of an eval file will be graded and by
// what: defaults filled in, and what is dropped marked. It reads no file but those
// that an analysis has been given, and judges nothing.
package effective

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
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
	slices.SortStableFunc(effects, func(a, b Effect) int { return a.Line - b.Line })
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
			number, line = strconv.Itoa(e.Line+1), sourceLine(source, e.Line)
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

func sourceLine(src *text.Source, line int) string {
	text := strings.ReplaceAll(src.Slice(src.LineSpan(line)), "\t", " ")
	return runewidth.Truncate(text, sourceWidth, "…")
}

// suiteEffects describes the cases of an AgentV file.
func suiteEffects(a *analysis.Analysis) (effects []Effect) {
	add := func(span text.Span, format string, args ...any) {
		effects = append(effects, Effect{Line: a.Source().OffsetLine(span.Start), Text: fmt.Sprintf(format, args...)})
	}
	shared := map[*rubric.Grader]bool{} // graders of the suite, which its cases share
	for _, c := range a.Suite().Cases {
		add(c.SelectionSpan, "case %s, graded by %s", c.ID, graderNames(grade.GradersOf(c)))
		for _, g := range c.Graders {
			if !shared[g] {
				shared[g] = true
				addGrader(g, add)
			}
		}
	}
	for _, c := range a.Suite().Skipped {
		effects = append(effects, Effect{a.Source().OffsetLine(c.SelectionSpan.Start), "case " + cmp.Or(c.ID, "without an id") + " is skipped", true})
	}
	return effects
}

func graderNames(graders []*rubric.Grader) string {
	var all []string
	for _, g := range graders {
		all = append(all, g.Name)
	}
	return strings.Join(all, ", ")
}

func addGrader(g *rubric.Grader, add func(text.Span, string, ...any)) {
	if len(g.Criteria) > 0 {
		add(g.SelectionSpan, "rubric %s, weight %v", g.Name, g.Weight)
	} else {
		add(g.SelectionSpan, "%s %s, weight %v", g.Kind, g.Name, g.Weight)
	}
	for _, c := range g.Criteria {
		add(c.Span, "  %s: %s, weight %v, %s", c.ID, scaleText(c), c.Weight, gateText(c))
		for _, b := range c.Bands {
			add(b.Span, "    %s", b)
		}
	}
	for _, m := range g.Members {
		addGrader(m, add)
	}
}

func scaleText(c *rubric.Criterion) string {
	if c.HasBands() {
		return "0 to 10"
	}
	return "yes or no"
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
