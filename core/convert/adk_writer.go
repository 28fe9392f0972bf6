package convert

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// ErrNoCases is returned when the input has no cases to convert.
var ErrNoCases = errors.New("there are no cases to convert")

// adkWriter converts AgentV cases to an ADK evalset.
type adkWriter struct {
	lossList
	hasRubrics bool       // some case has rubrics
	threshold  *float64   // threshold of the first case with rubrics
	callRules  []callRule // how each case compares tool calls
}

// callRule says how a case compares its tool calls.
type callRule struct {
	match     metric.Match
	namesOnly bool // arguments are not compared
}

// ToADK converts AgentV cases to an evalset and, if any metric applies, a metrics configuration.
// name is the base name of the evalset file, without extension.
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
		w.addLoss("", "no configuration is written: only ADK's default metrics apply")
	}
	out.Losses = w.losses()
	return out, nil
}

// evalsetID replaces the characters that ADK does not allow in an evalset id by underscores. ADK
// allows letters, digits and underscores.
func evalsetID(name string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
}

func (w *adkWriter) convertCase(c *rubric.Case) adk.Case {
	w.noteTrials(c)
	turns := w.convertTurns(c)
	out := adk.Case{ID: c.ID, Conversation: turns}
	last := &turns[len(turns)-1]
	for _, g := range grade.GradersOf(c) {
		w.addGrader(c, g, &out, last)
	}
	if len(out.Rubrics) > 0 {
		w.noteThreshold(c)
	} else if c.ExpectedOutcome != "" {
		w.addLoss(c.ID, "the expected outcome has no counterpart")
	}
	return out
}

// addGrader adds the rubrics and expected calls of g to out, and notes what ADK cannot express.
func (w *adkWriter) addGrader(c *rubric.Case, g *rubric.Grader, out *adk.Case, last *metric.Invocation) {
	switch {
	case isNegated(g):
		w.addLoss(c.ID, "graders cannot be negated: `%s` is left out", g.Name)
	case len(g.Criteria) > 0:
		w.noteGoal(c)
		for _, criterion := range g.Criteria {
			w.addCriterion(c, g, criterion, out)
		}
	case g.Kind == rubric.LLMJudge:
		if g.Prompt != nil {
			w.addLoss(c.ID, "judges have no custom prompt: `%s` judges by the expected outcome", g.Name)
		}
		w.addRubric(out, metric.Rubric{ID: "expected_outcome", Text: "The response does this: " + c.ExpectedOutcome, Type: metric.FinalResponseQuality})
	case g.Kind == rubric.ToolTrajectory && g.Steps != nil:
		w.addTrajectory(c, g.Steps, last)
	case len(g.Members) > 0:
		w.addLoss(c.ID, "graders cannot be combined: the members of `%s` count separately", g.Name)
		for _, m := range g.Members {
			w.addGrader(c, m, out, last)
		}
	default:
		w.addLoss(c.ID, "there is no metric like `%s`: the grader `%s` is left out", g.Kind, g.Name)
	}
	if g.Weight != 1 && len(c.Graders) > 1 {
		w.addLoss(c.ID, "graders have no weights: each metric has its own threshold")
	}
	if g.Required || g.MinScore != nil {
		w.addLoss(c.ID, "graders cannot be gates")
	}
	if g.Samples > 0 {
		w.addLoss(c.ID, "graders do not set the number of samples")
	}
}

// addCriterion adds a criterion as an ADK rubric: a yes/no question without a weight.
func (w *adkWriter) addCriterion(c *rubric.Case, g *rubric.Grader, from *rubric.Criterion, out *adk.Case) {
	text := from.Text
	if from.HasBands() {
		text = topBandText(from)
		w.addLoss(c.ID, "nothing is graded 0 to 10: score ranges become a yes/no question for the highest one")
	}
	if from.Weight != 1 {
		w.addLoss(c.ID, "rubrics have no weights: all count the same")
	}
	if from.IsRequired() || from.MinScore != nil {
		w.addLoss(c.ID, "rubrics are not gates: a required one that fails only lowers the mean")
	}
	if from.Operator == "Contradiction" {
		w.addLoss(c.ID, "there is no contradiction operator: it is expressed in words")
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

// topBandText returns the criterion's text with the meaning of its highest band.
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

// addRubric appends r under an id that is unique in out.
func (w *adkWriter) addRubric(out *adk.Case, r metric.Rubric) {
	for n := 2; slices.ContainsFunc(out.Rubrics, func(other metric.Rubric) bool { return other.ID == r.ID }); n++ {
		r.ID = fmt.Sprintf("%s_%d", r.ID, n)
	}
	w.hasRubrics = true
	out.Rubrics = append(out.Rubrics, r)
}

// noteThreshold notes the score from which c passes. ADK has a single threshold for all cases.
func (w *adkWriter) noteThreshold(c *rubric.Case) {
	threshold := *cmp.Or(c.PassAt(false), new(score.PassAt))
	w.threshold = cmp.Or(w.threshold, &threshold)
	if *w.threshold != threshold {
		w.addLoss(c.ID, "all cases share one threshold, %v: %v is lost", *w.threshold, threshold)
	}
}

// metricCriteria returns the metrics for the configuration of an evalset with that many cases.
func (w *adkWriter) metricCriteria(cases int) []metric.Criterion {
	var all []metric.Criterion
	if w.hasRubrics {
		all = append(all, metric.Criterion{Metric: metric.ResponseQuality, Threshold: *w.threshold})
		w.addLoss("", "there is no borderline: a score between 0.6 and the threshold fails")
	}
	if rules := w.callRules; len(rules) > 0 {
		c := metric.Criterion{Metric: metric.ToolTrajectory, Threshold: 1, Match: rules[0].match}
		for _, r := range rules {
			c.IgnoreArgs = c.IgnoreArgs || r.namesOnly
			if r.match != c.Match {
				c.Match = max(c.Match, r.match)
				w.addLoss("", "all cases compare tool calls in the same way: the least strict one is used")
			}
		}
		if len(rules) < cases {
			w.addLoss("", "tool calls are compared in every case, even if none are expected")
		}
		w.addLoss("", "a turn's tool calls match or do not: there is no partial score")
		all = append(all, c)
	}
	return all
}

// maxCallsPerTool bounds the list that a minimum count in a file expands to.
const maxCallsPerTool = 100

// convertTurns returns the messages of c as turns. The last turn is the one to be answered. The
// result is never empty.
func (w *adkWriter) convertTurns(c *rubric.Case) []metric.Invocation {
	var turns []metric.Invocation
	var instructions []string
	for _, m := range c.Input {
		text := w.messageText(c, m)
		switch m.Role {
		case "system":
			instructions = append(instructions, text)
		case "assistant":
			if len(turns) == 0 {
				turns = append(turns, metric.Invocation{User: newContent("user", "")})
			}
			last := &turns[len(turns)-1]
			last.ToolUses = append(last.ToolUses, toolCalls(m)...)
			if text != "" {
				last.Final = newContent("model", text)
			}
		case "tool":
			w.addLoss(c.ID, "expected conversations do not contain tool results")
		default:
			if n := len(turns); n > 0 && turns[n-1].Final == nil {
				turns[n-1].User.Parts = append(turns[n-1].User.Parts, metric.Part{Text: text})
				continue
			}
			turns = append(turns, metric.Invocation{User: newContent("user", text)})
		}
	}
	if len(turns) == 0 {
		turns = []metric.Invocation{{User: newContent("user", c.Question)}}
	}
	if len(turns) > 1 {
		w.addLoss(c.ID, "earlier turns are measured too")
	}
	last := &turns[len(turns)-1]
	if c.ReferenceAnswer != "" {
		last.Final = newContent("model", c.ReferenceAnswer)
	}
	for _, m := range c.Expected {
		last.ToolUses = append(last.ToolUses, toolCalls(m)...)
	}
	if len(instructions) > 0 {
		for i := range turns {
			turns[i].Agents = []metric.Agent{{Name: "agent", Instructions: strings.Join(instructions, "\n\n")}}
		}
	}
	if len(c.Input) == 0 {
		w.addLoss(c.ID, "the case has no readable input")
	}
	return turns
}

// messageText returns the text parts of m and notes the other parts as lost.
func (w *adkWriter) messageText(c *rubric.Case, m rubric.Message) string {
	parts, _ := m.Content.([]any)
	for _, part := range parts {
		if p, ok := part.(map[string]any); ok && p["type"] != "text" {
			w.addLoss(c.ID, "messages have no parts of the type `%v`", p["type"])
		}
	}
	return rubric.PlainText([]rubric.Message{m})
}

func newContent(role, text string) *metric.Content {
	return &metric.Content{Role: role, Parts: []metric.Part{{Text: text}}}
}

func toolCalls(m rubric.Message) (all []metric.ToolCall) {
	list, _ := m.ToolCalls.([]any)
	for _, item := range list {
		if c, ok := item.(map[string]any); ok {
			name, _ := c["tool"].(string)
			args, _ := c["input"].(map[string]any)
			all = append(all, metric.ToolCall{Name: name, Args: args})
		}
	}
	return all
}

// addTrajectory writes the expected calls to the last turn, replacing those from the expected
// messages.
func (w *adkWriter) addTrajectory(c *rubric.Case, from *rubric.Trajectory, last *metric.Invocation) {
	rule := callRule{match: map[string]metric.Match{
		"exact": metric.Exact, "in_order": metric.InOrder, "any_order": metric.AnyOrder, "superset": metric.AnyOrder,
	}[from.Mode]}
	if from.Mode == "subset" {
		w.addLoss(c.ID, "additional tool calls cannot be forbidden")
		return
	}
	last.ToolUses = nil
	for _, m := range from.Minimums {
		rule.namesOnly = true
		if m.Count > maxCallsPerTool {
			w.addLoss(c.ID, "a tool is expected at most %d times", maxCallsPerTool)
		}
		for range int(math.Ceil(min(m.Count, maxCallsPerTool))) {
			last.ToolUses = append(last.ToolUses, metric.ToolCall{Name: m.Tool})
		}
	}
	for _, s := range from.Expected {
		last.ToolUses = append(last.ToolUses, metric.ToolCall{Name: s.Tool, Args: s.Args})
		switch {
		case s.Args == nil, s.ArgsMatch == rubric.ArgsIgnore:
			rule.namesOnly = true
		case s.ArgsMatch != rubric.ArgsExact:
			w.addLoss(c.ID, "a call compares all arguments or none: arguments that are not listed are not allowed")
		}
		if s.MaxDurationMS != nil {
			w.addLoss(c.ID, "tool calls have no time limits")
		}
	}
	if rule.namesOnly {
		w.addLoss("", "if one case names tools without arguments, no case's arguments are compared")
	}
	w.callRules = append(w.callRules, rule)
}
