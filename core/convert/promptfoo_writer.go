package convert

import (
	"cmp"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func init() { Writers["promptfoo"] = ToPromptfoo }

// promptfooWriter converts cases to a configuration of promptfoo.
type promptfooWriter struct {
	lossList
	inSet bool // the assertions are members of a set, which cannot hold another
}

// ToPromptfoo converts a suite to a configuration of promptfoo: each case becomes a test with its
// question as the variable of the only prompt.
func ToPromptfoo(suite *rubric.Suite, name string) (Conversion, error) {
	if len(suite.Cases) == 0 {
		return Conversion{}, ErrNoCases
	}
	w := &promptfooWriter{}
	root := mapping{}
	root.addIf(suite.Description != "", "description", suite.Description)
	targets := suite.Targets
	if len(targets) == 0 {
		targets = []string{"openai:gpt-4.1-mini"}
		w.addLoss("", "`providers` is required and the file names none: it is filled with `%s`", targets[0])
	}
	root = append(root, entry{"prompts", []string{"{{ question }}"}}, entry{"providers", targets})
	tests := generic.Map(suite.Cases, w.test)
	var b strings.Builder
	append(root, entry{"tests", tests}).writeBlock(&b, 0)
	return Conversion{Files: []File{{name + ".promptfoo.yaml", b.String()}}, Losses: w.losses()}, nil
}

func (w *promptfooWriter) test(c *rubric.Case) mapping {
	m := mapping{{"description", c.ID}, {"vars", mapping{{"question", c.Question}}}}
	w.noteTrials(c)
	if rubric.HasRoles(c.Input) {
		w.addLoss(c.ID, "a prompt is one text: the messages become one, with their roles in words")
	}
	if c.Conversation != nil {
		w.addLoss(c.ID, "only the first question of a conversation is asked")
	}
	if c.ReferenceAnswer != "" {
		w.addLoss(c.ID, "judges see no reference answer: it is left out")
	}
	var all []mapping
	gated := true
	for _, g := range grade.GradersOf(c) {
		assertions, gates := w.assertions(c, g)
		all, gated = append(all, assertions...), gated && gates
	}
	m.addIf(!gated && len(all) > 0, "threshold", *cmp.Or(c.Threshold, new(score.PassAt)))
	if len(all) == 0 {
		w.addLoss(c.ID, "no grader has a counterpart: the test would pass whatever the answer is")
		return m
	}
	return append(m, entry{"assert", all})
}

// assertions returns the assertions of a grader, and whether each of them must pass: a threshold of the
// test would let one fail.
func (w *promptfooWriter) assertions(c *rubric.Case, g *rubric.Grader) (all []mapping, gates bool) {
	not := ""
	if isNegated(g) {
		not = "not-"
	}
	add := func(typ string, settings ...entry) {
		m := append(mapping{{"type", not + typ}}, settings...)
		m.addIf(g.Weight != 1, "weight", g.Weight)
		all = append(all, m)
	}
	if g.Judge != "" {
		w.addLoss(c.ID, "the judge `%s` of a grader is left out", g.Judge)
	}
	isSet := g.Kind == rubric.AssertSet || g.Kind == rubric.Composite
	if g.MinScore != nil && !isSet {
		w.addLoss(c.ID, "an assertion has no `min_score`: that of `%s` is left out", g.Name)
	}
	switch value := literal(generic.OrZero(g.Assert).Value); {
	case not != "" && (isSet || len(g.Criteria) > 1 || len(g.Criteria) == 1 && g.Criteria[0].HasBands() || g.Limits != nil):
		w.addLoss(c.ID, "sets, ranges and limits cannot be negated: the grader `%s` is left out", g.Name)
	case len(g.Criteria) > 0:
		w.noteGoal(c)
		return w.criteria(c, g, not)
	case g.Kind == rubric.LLMJudge && g.Prompt != nil:
		add("llm-rubric", entry{"value", literal(c.ExpectedOutcome)}, entry{"rubricPrompt", g.Prompt.Text})
		w.addLoss(c.ID, "a judge's prompt has other variables: those of `%s` are not translated", g.Name)
	case g.Kind == rubric.LLMJudge && value != nil:
		add("llm-rubric", entry{"value", value})
	case g.Kind == rubric.LLMJudge:
		add("llm-rubric", entry{"value", literal("The answer does this: " + c.ExpectedOutcome)})
	case isSet:
		return w.set(c, g), g.Required
	case g.Kind == rubric.Latency && g.Limits != nil && g.Limits.DurationMS != nil:
		add("latency", entry{"threshold", *g.Limits.DurationMS})
	case g.Kind == rubric.Cost && g.Limits != nil && g.Limits.CostUSD != nil:
		add("cost", entry{"threshold", *g.Limits.CostUSD})
	case g.Kind == rubric.Deterministic && g.Assert != nil && g.Assert.Type == rubric.EndsWith:
		text, _ := g.Assert.Value.(string)
		add("regex", entry{"value", literal(pattern.Quote(text) + "$")})
	case g.Kind == rubric.Deterministic && g.Assert != nil, g.Kind == rubric.External && value != nil:
		if g.Assert.Flags != "" {
			w.addLoss(c.ID, "a pattern has no flags: `%s` is left out", g.Assert.Flags)
		}
		var settings mapping
		settings.addIf(value != nil, "value", value)
		add(g.Assert.Type, settings...)
	default:
		w.addLoss(c.ID, "there is no assertion like `%s`: the grader `%s` is left out", g.Kind, g.Name)
	}
	return all, g.Required
}

// literal returns a value whose texts promptfoo does not take for templates. A variable that is unknown is empty there.
func literal(value any) any {
	switch v := value.(type) {
	case string:
		if strings.Contains(v, "{{") || strings.Contains(v, "{%") || strings.Contains(v, "{#") {
			return "{% raw %}" + v + "{% endraw %}"
		}
	case []any:
		return generic.Map(v, literal)
	}
	return value
}

// set returns the assertion of a composite, or its members if it is in a set itself.
func (w *promptfooWriter) set(c *rubric.Case, g *rubric.Grader) []mapping {
	before := w.inSet
	w.inSet = true
	var members []mapping
	for _, m := range g.Members {
		weighted := *m
		weighted.Weight = g.MemberWeight(m)
		inner, _ := w.assertions(c, &weighted)
		members = append(members, inner...)
	}
	threshold := g.Threshold
	if g.Combine != nil {
		if threshold = cmp.Or(g.MinScore, new(score.PassAt)); g.Combine.Type != "weighted_average" {
			w.addLoss(c.ID, "a set has the weighted mean of its members: the aggregator `%s` is left out", g.Combine.Type)
		}
	}
	w.inSet = before
	return w.asSet(c, g, members, threshold)
}

// asSet returns assertions as one with the grader's weight.
func (w *promptfooWriter) asSet(c *rubric.Case, g *rubric.Grader, members []mapping, threshold *float64) []mapping {
	if len(members) == 0 {
		return nil
	}
	if w.inSet {
		w.addLoss(c.ID, "a set holds no other: the assertions of `%s` count one by one", g.Name)
		return members
	}
	set := mapping{{"type", "assert-set"}, {"assert", members}}
	set.addNumber("threshold", threshold)
	set.addIf(g.Weight != 1, "weight", g.Weight)
	return []mapping{set}
}

// criteria returns an assertion for each criterion. If other graders count too, a set has their weights and
// that of the grader.
func (w *promptfooWriter) criteria(c *rubric.Case, g *rubric.Grader, not string) (all []mapping, gates bool) {
	gates = not == "" || g.Required
	for _, criterion := range g.Criteria {
		text := criterion.Text
		if criterion.HasBands() {
			text = topBandText(criterion)
			w.addLoss(c.ID, "nothing is graded 0 to 10: score ranges become a question for the highest one")
		}
		m := mapping{{"type", not + "llm-rubric"}, {"value", literal(text)}, {"metric", criterion.ID}, {"threshold", 0.5}}
		m.addIf(criterion.Weight != 1, "weight", criterion.Weight)
		all = append(all, m)
		gates = gates && (criterion.IsRequired() || criterion.MinScore != nil)
		if !gates && not == "" && criterion.IsRequired() {
			w.addLoss(c.ID, "a threshold replaces all gates: a required criterion that fails only lowers the mean")
		}
	}
	w.addLoss("", "each criterion is a question of its own: the judge sees one at a time")
	several := len(c.Graders) > 1 || w.inSet
	if g.Weight != 1 || several && (len(all) > 1 || g.Criteria[0].Weight != 1) {
		all = w.asSet(c, g, all, nil)
	}
	return all, gates
}
