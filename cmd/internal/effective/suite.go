package effective

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// suiteEffects are what the cases of AgentV come to.
func suiteEffects(a *analysis.Analysis) (effects []Effect) {
	add := func(span text.Span, format string, args ...any) {
		effects = append(effects, Effect{Line: a.Source().OffsetLine(span.Start), Text: fmt.Sprintf(format, args...)})
	}
	shared := map[*rubric.Grader]bool{} // the suite's, which all cases have
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
