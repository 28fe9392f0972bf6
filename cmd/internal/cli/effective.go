package cli

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

// sourceWidth is how many columns of the source are shown.
const sourceWidth = 52

// effect is what a line of the source comes to.
type effect struct {
	line int
	says string
	lost bool
}

// reportEffective draws what will be graded beside the source: defaults filled
// in, and what is dropped marked.
func (s *session) reportEffective(results []checked) error {
	var out strings.Builder
	for i, r := range results {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintln(&out, r.path)
		last := -1
		for _, e := range r.effects {
			number, source := "", ""
			if e.line != last {
				number, source = strconv.Itoa(e.line+1), shown(r.source, e.line)
			}
			last = e.line
			bar := "│"
			if e.lost {
				bar = "✗"
			}
			fmt.Fprintf(&out, "%5s  %s %s %s\n", number, runewidth.FillRight(source, sourceWidth), bar, e.says)
		}
	}
	_, err := s.stdout.Write([]byte(out.String()))
	return err
}

func shown(src *text.Source, line int) string {
	words := strings.ReplaceAll(src.Slice(src.LineSpan(line)), "\t", " ")
	return runewidth.Truncate(words, sourceWidth, "…")
}

// effects are what a file of any dialect comes to.
func (o *checkOptions) effects(a *analysis.Analysis, in analysis.Input) ([]effect, error) {
	if a.ADK() == adk.None {
		return suiteEffects(a), nil
	}
	profile, err := o.settings.ADK(in.Path)
	return setEffects(a, in, cmp.Or(profile, metric.Latest)), err
}

// suiteEffects are in the order of the text; what is said of one line stays together.
func suiteEffects(a *analysis.Analysis) (all []effect) {
	add := func(span text.Span, format string, args ...any) {
		all = append(all, effect{line: a.Source().OffsetLine(span.Start), says: fmt.Sprintf(format, args...)})
	}
	shared := map[*rubric.Grader]bool{} // the suite's, which all cases have
	for _, c := range a.Suite().Cases {
		add(c.Head, "case %s, graded by %s", c.ID, names(grade.Graders(c)))
		for _, g := range c.Graders {
			if !shared[g] {
				shared[g] = true
				graderEffects(g, add)
			}
		}
	}
	for _, c := range a.Suite().Skipped {
		all = append(all, effect{a.Source().OffsetLine(c.Head.Start), "case " + cmp.Or(c.ID, "without an id") + " is skipped", true})
	}
	for _, d := range a.Diagnostics() {
		if d.Severity <= diag.Warning {
			all = append(all, effect{a.Source().OffsetLine(d.Span.Start), d.Message, true})
		}
	}
	slices.SortStableFunc(all, func(a, b effect) int { return a.line - b.line })
	return all
}

func names(graders []*rubric.Grader) string {
	var all []string
	for _, g := range graders {
		all = append(all, g.Name)
	}
	return strings.Join(all, ", ")
}

func graderEffects(g *rubric.Grader, add func(text.Span, string, ...any)) {
	if len(g.Criteria) > 0 {
		add(g.Head, "rubric %s, weight %v", g.Name, g.Weight)
	} else {
		add(g.Head, "%s %s, weight %v", g.Kind, g.Name, g.Weight)
	}
	for _, c := range g.Criteria {
		add(c.Span, "  %s: %s, weight %v, %s", c.ID, scale(c), c.Weight, gateWords(c))
		for _, b := range c.Bands {
			add(b.Span, "    %s", b)
		}
	}
	for _, m := range g.Members {
		graderEffects(m, add)
	}
}

func scale(c *rubric.Criterion) string {
	if c.Ranged() {
		return "0 to 10"
	}
	return "yes or no"
}

func gateWords(c *rubric.Criterion) string {
	switch {
	case c.Ranged() && c.MinScore != nil:
		return fmt.Sprintf("at least %v", *c.MinScore)
	case c.Ranged() && c.Must():
		return "required: 10"
	case !c.Ranged() && c.Must():
		return "required"
	}
	return "optional"
}
