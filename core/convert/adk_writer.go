package convert

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// ErrNoCases says that there is nothing to convert.
var ErrNoCases = errors.New("there are no cases to convert")

// adkWriter is a conversion of AgentV's cases under way.
type adkWriter struct {
	lossList
	hasRubrics bool       // some case has rubrics
	threshold  *float64   // of the first case with rubrics
	callRules  []callRule // how tool calls are compared, case by case
}

// callRule is how a case compares its tool calls.
type callRule struct {
	match     metric.Match
	namesOnly bool // by name only
}

// ToADK writes AgentV's cases as an evalset and a configuration. Name is what the
// files are called, without an ending.
func ToADK(suite *rubric.Suite, name string) (Conversion, error) {
	if len(suite.Cases) == 0 {
		return Conversion{}, ErrNoCases
	}
	w := &adkWriter{}
	set := adk.Set{ID: evalsetID(name), Name: suite.Name, Description: suite.Description}
	for _, c := range suite.Cases {
		set.Cases = append(set.Cases, w.convertCase(c))
	}
	cases, err := set.EncodeJSON()
	if err != nil {
		return Conversion{}, fmt.Errorf("write the evalset: %w", err)
	}
	out := Conversion{Files: []File{{name + ".evalset.json", string(cases)}}}
	if criteria := w.metricCriteria(len(suite.Cases)); len(criteria) > 0 {
		config, err := adk.EncodeConfig(criteria)
		if err != nil {
			return Conversion{}, fmt.Errorf("write the configuration: %w", err)
		}
		out.Files = append(out.Files, File{"test_config.json", string(config)})
	} else {
		w.addLoss("", "nothing is left to measure by but what ADK measures without a configuration")
	}
	out.Losses = w.losses()
	return out, nil
}

// evalsetID is a name as ADK takes it for an evalset that it makes: letters, digits and
// underscores.
func evalsetID(name string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
}

func (w *adkWriter) convertCase(c *rubric.Case) adk.Case {
	turns := w.convertTurns(c)
	out := adk.Case{ID: c.ID, Conversation: turns}
	last := &turns[len(turns)-1]
	graders := c.Graders
	if len(graders) == 0 {
		graders = []*rubric.Grader{{Name: string(c.Fallback), Kind: c.Fallback}}
	}
	for _, g := range graders {
		w.addGrader(c, g, &out, last)
	}
	if len(out.Rubrics) > 0 {
		w.noteThreshold(c)
	} else if c.ExpectedOutcome != "" {
		w.addLoss(c.ID, "the expected outcome has no place of its own")
	}
	return out
}

// addGrader writes what a grader asks for into its case, as far as ADK has words.
func (w *adkWriter) addGrader(c *rubric.Case, g *rubric.Grader, out *adk.Case, last *metric.Invocation) {
	switch {
	case g.Negate:
		w.addLoss(c.ID, "nothing can be negated: the grader `%s` is left out", g.Name)
	case len(g.Criteria) > 0:
		for _, criterion := range g.Criteria {
			w.addCriterion(c, g, criterion, out)
		}
	case g.Kind == rubric.LLMJudge:
		if g.Prompt != nil {
			w.addLoss(c.ID, "a judge has no prompt of one's own: `%s` judges by the expected outcome", g.Name)
		}
		w.addRubric(out, metric.Rubric{ID: "expected_outcome", Text: "The response does this: " + c.ExpectedOutcome, Type: metric.FinalResponseQuality})
	case g.Kind == rubric.ToolTrajectory && g.Steps != nil:
		w.addTrajectory(c, g.Steps, last)
	case len(g.Members) > 0:
		w.addLoss(c.ID, "graders are not combined: the members of `%s` count by themselves", g.Name)
		for _, m := range g.Members {
			w.addGrader(c, m, out, last)
		}
	default:
		w.addLoss(c.ID, "there is no metric like `%s`: the grader `%s` is left out", g.Kind, g.Name)
	}
	if g.Weight != 1 && len(c.Graders) > 1 {
		w.addLoss(c.ID, "graders have no weights: each metric has a threshold of its own")
	}
	if g.Required || g.MinScore != nil {
		w.addLoss(c.ID, "a grader is no gate of its own")
	}
	if g.Samples > 0 {
		w.addLoss(c.ID, "a grader does not say how often its judge is asked")
	}
}

// addCriterion is a rubric: a yes or no that weighs as much as any other.
func (w *adkWriter) addCriterion(c *rubric.Case, g *rubric.Grader, from *rubric.Criterion, out *adk.Case) {
	text := from.Text
	if from.HasBands() {
		text = topBandText(from)
		w.addLoss(c.ID, "nothing is graded 0 to 10: of score ranges the highest is asked for, as a yes or no")
	}
	if from.Weight != 1 {
		w.addLoss(c.ID, "rubrics have no weights: each counts as much as any other")
	}
	if from.IsRequired() || from.MinScore != nil {
		w.addLoss(c.ID, "rubrics are no gates: a required one that fails only lowers the mean")
	}
	if from.Operator == "Contradiction" {
		w.addLoss(c.ID, "nothing is asked for the contrary: a contradiction is written out")
		text = "The response does not contradict this: " + text
	}
	id := from.ID
	for _, r := range out.Rubrics {
		if r.ID == id {
			id = g.Name + "_" + id
		}
	}
	w.addRubric(out, metric.Rubric{ID: id, Text: text, Type: metric.FinalResponseQuality})
}

// topBandText is what the highest score of a criterion asks for.
func topBandText(c *rubric.Criterion) string {
	best := rubric.Band{Hi: -1}
	for _, b := range c.Bands {
		if b.Hi > best.Hi {
			best = b
		}
	}
	if c.Text == "" || best.Text == "" {
		return cmp.Or(c.Text, best.Text)
	}
	return c.Text + ": " + best.Text
}

// addRubric adds a rubric unless its id is taken.
func (w *adkWriter) addRubric(out *adk.Case, r metric.Rubric) {
	for n := 2; ; n++ {
		taken := false
		for _, other := range out.Rubrics {
			taken = taken || other.ID == r.ID
		}
		if !taken {
			break
		}
		r.ID = fmt.Sprintf("%s_%d", r.ID, n)
	}
	w.hasRubrics = true
	out.Rubrics = append(out.Rubrics, r)
}

// noteThreshold notes from which score a case passes: ADK has one for all cases.
func (w *adkWriter) noteThreshold(c *rubric.Case) {
	bar := score.PassAt
	if c.Threshold != nil {
		bar = *c.Threshold
	}
	if w.threshold == nil {
		w.threshold = &bar
	}
	if *w.threshold != bar {
		w.addLoss(c.ID, "all cases have one threshold, %v: %v is lost", *w.threshold, bar)
	}
}

// metricCriteria are the metrics that so many cases need.
func (w *adkWriter) metricCriteria(cases int) []metric.Criterion {
	var all []metric.Criterion
	if w.hasRubrics {
		all = append(all, metric.Criterion{Metric: metric.ResponseQuality, Threshold: *w.threshold})
		w.addLoss("", "AgentV calls a score from 0.6 on borderline: here it fails")
	}
	if rules := w.callRules; len(rules) > 0 {
		c := metric.Criterion{Metric: metric.ToolTrajectory, Threshold: 1, Match: rules[0].match}
		for _, r := range rules {
			c.IgnoreArgs = c.IgnoreArgs || r.namesOnly
			if r.match != c.Match {
				c.Match = max(c.Match, r.match)
				w.addLoss("", "all cases compare tool calls in one way: the least strict of theirs")
			}
		}
		if len(rules) < cases {
			w.addLoss("", "tool calls are compared in every case, even where none are expected")
		}
		w.addLoss("", "a turn's tool calls match or do not: there is no score for some of them")
		all = append(all, c)
	}
	return all
}
