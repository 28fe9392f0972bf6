package convert

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
)

// agentvWriter converts an ADK evalset to AgentV cases.
type agentvWriter struct {
	lossList
	criteria map[string]metric.Criterion // by metric name
}

// ToAgentV converts an evalset, and the metrics that apply to it, to an AgentV file. Every turn
// becomes a case whose input holds the conversation up to that turn. name is the base name of the
// file, without extension.
func ToAgentV(set adk.Set, criteria []metric.Criterion, name string) (Conversion, error) {
	w := &agentvWriter{criteria: map[string]metric.Criterion{}}
	for _, c := range criteria {
		w.criteria[c.Metric] = c
		w.noteMetricLosses(c)
	}
	var cases []mapping
	for _, c := range set.Cases {
		c.ID = cmp.Or(c.ID, name)
		if len(c.Conversation) == 0 {
			w.addLoss(c.ID, "users are not simulated: cases with a scenario or without turns are left out")
		}
		if len(c.Session.State) > 0 && string(c.Session.State) != "{}" {
			w.addLoss(c.ID, "the state that a session begins with is left out")
		}
		if c.HasMedia() {
			w.addLoss(c.ID, "of the user's messages only texts are kept")
		}
		for i := range c.Conversation {
			cases = append(cases, w.convertTurn(c, i))
		}
	}
	if len(cases) == 0 {
		return Conversion{}, errors.New("no case has turns to convert, and users are not simulated")
	}
	root := mapping{}
	about := cmp.Or(set.Description, set.Name)
	root.addIf(about != "", "description", about)
	var b strings.Builder
	append(root, entry{"evalcases", cases}).writeBlock(&b, 0)
	return Conversion{Files: []File{{name + ".eval.yaml", b.String()}}, Losses: w.losses()}, nil
}

// noteMetricLosses notes what the conversion loses of a metric, independent of the cases.
func (w *agentvWriter) noteMetricLosses(c metric.Criterion) {
	switch c.Metric {
	case metric.ResponseQuality:
		w.noteThreshold(c)
		w.addLoss("", "each turn has its own verdict: there is no mean over a conversation")
	case metric.ToolTrajectory:
		w.addLoss("", "the score is the share of matching tool calls; additional arguments are allowed")
		if c.Match == metric.AnyOrder {
			w.addLoss("", "tools in any order are counted by name, without arguments")
		}
	case metric.Safety:
		w.noteThreshold(c)
		w.addLoss("", "each harm becomes a gate, but AgentV's own runner ignores gates and uses the share of harms")
	case metric.FinalResponseMatch:
		w.noteThreshold(c)
	case metric.ToolQuality:
		w.addLoss("", "judges do not see tool calls: `%s` and its rubrics are left out", c.Metric)
	default:
		w.addLoss("", "there is no grader like `%s`", c.Metric)
	}
	if c.Judge.Samples > 1 || c.Judge.Model != "" {
		w.addLoss("", "the judge model and the number of samples are options of the run, not of the file")
	}
	if c.WithIntermediate {
		w.addLoss("", "intermediate answers are not judged")
	}
}

// noteThreshold notes a threshold that differs from AgentV's.
func (w *agentvWriter) noteThreshold(c metric.Criterion) {
	if c.Threshold != score.PassAt {
		w.addLoss("", "a case passes from %v: the threshold %v of `%s` is lost", score.PassAt, c.Threshold, c.Metric)
	}
}

// convertTurn returns turn number at of c, from 0, as an AgentV case.
func (w *agentvWriter) convertTurn(c adk.Case, at int) mapping {
	turn := c.Conversation[at]
	answer, _ := turn.Answer(false)
	isAnswered := func(s metric.ToolStep) bool { _, is := s.Response.(metric.ToolResponse); return is }
	if whole, _ := turn.Answer(true); whole != answer || slices.ContainsFunc(turn.Steps(), isAnswered) {
		w.addLoss(c.ID, "what tools returned and intermediate answers are left out")
	}
	id := c.ID
	if len(c.Conversation) > 1 {
		id = fmt.Sprintf("%s-turn-%d", id, at+1)
	}
	criteria := w.rubricEntries(c, turn)
	m := mapping{{"id", id}}
	m.addIf(len(c.Conversation) > 1, "conversation_id", c.ID)
	m = append(m, entry{"expected_outcome", w.expectedOutcome(c.ID, turn, criteria)}, entry{"input_messages", w.inputMessages(c, at)})
	expected := expectedMessages(turn)
	m.addIf(len(expected) > 0, "expected_messages", expected)
	m.addIf(len(criteria) > 0, "rubrics", criteria)
	graders := w.graderEntries(c.ID, turn)
	m.addIf(len(graders) > 0, "execution", mapping{{"evaluators", graders}})
	return m
}

// expectedOutcome returns the text for the required key `expected_outcome`, which ADK does not have:
// the expected answer, or else the rubrics.
func (w *agentvWriter) expectedOutcome(id string, turn metric.Invocation, criteria []mapping) string {
	w.addLoss("", "`expected_outcome` is required: it is filled with the expected answer, or else with the rubrics")
	if text, _ := turn.Answer(false); text != "" {
		return text
	}
	all := generic.Map(criteria, func(c mapping) string { return fmt.Sprint(c[1].value) })
	if len(all) == 0 {
		w.addLoss(id, "there is neither an expected answer nor a rubric: `expected_outcome` is a placeholder")
		return "Answers the user"
	}
	return strings.Join(all, "; ")
}

// rubricEntries returns the rubrics that apply to a turn: those of the metric, the case and the
// turn.
func (w *agentvWriter) rubricEntries(c adk.Case, turn metric.Invocation) (all []mapping) {
	criterion, judged := w.criteria[metric.ResponseQuality]
	if !judged {
		return nil
	}
	own := slices.Concat(c.Rubrics, turn.Rubrics)
	fitting := slices.DeleteFunc(slices.Clone(own), func(r metric.Rubric) bool { return r.Type != metric.FinalResponseQuality })
	for _, r := range slices.Concat(criterion.Rubrics, fitting) {
		all = append(all, mapping{{"id", r.ID}, {"expected_outcome", r.Text}, {"required", false}})
	}
	if len(fitting) < len(own) {
		w.addLoss(c.ID, "rubrics of types other than `%s` are left out", metric.FinalResponseQuality)
	}
	return all
}

// inputMessages returns the agents' instructions, the turns before turn number at, and its question.
func (w *agentvWriter) inputMessages(c adk.Case, at int) (messages []mapping) {
	for _, a := range c.Conversation[at].Agents {
		if a.Instructions != "" {
			messages = append(messages, newMessage("system", a.Instructions))
		}
		if len(a.Tools) > 0 {
			w.addLoss(c.ID, "declarations of an agent's tools are left out")
		}
	}
	for _, t := range c.Conversation[:at] {
		messages = append(messages, textMessages("user", t.User)...)
		messages = append(messages, textMessages("assistant", t.Final)...)
	}
	if last := textMessages("user", c.Conversation[at].User); len(last) > 0 {
		return append(messages, last...)
	}
	return append(messages, newMessage("user", "(nothing)"))
}

// expectedMessages returns the expected tool calls and answer of a turn.
func expectedMessages(turn metric.Invocation) (messages []mapping) {
	if calls := turn.Calls(); len(calls) > 0 {
		list := generic.Map(calls, func(c metric.ToolCall) mapping { return toolCallEntry(c, "input") })
		messages = append(messages, mapping{{"role", "assistant"}, {"tool_calls", list}})
	}
	return append(messages, textMessages("assistant", turn.Final)...)
}

// toolCallEntry returns a tool call with its arguments under key.
func toolCallEntry(c metric.ToolCall, key string) mapping {
	m := mapping{{"tool", c.Name}}
	m.addIf(c.Args != nil, key, c.Args)
	return m
}

// textMessages returns c as at most one message; none for blank text.
func textMessages(role string, c *metric.Content) []mapping {
	text, _ := c.Text()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []mapping{newMessage(role, text)}
}

func newMessage(role, text string) mapping { return mapping{{"role", role}, {"content", text}} }

// graderEntries returns the metrics that have an AgentV grader.
func (w *agentvWriter) graderEntries(id string, turn metric.Invocation) (all []mapping) {
	c, asked := w.criteria[metric.ToolTrajectory]
	switch calls := turn.Calls(); {
	case asked && len(calls) > 0:
		all = append(all, trajectoryGrader(c, calls))
	case asked && c.Match == metric.Exact:
		w.addLoss(id, "a case cannot require that no tool is called")
	}
	if _, asked := w.criteria[metric.FinalResponseMatch]; asked {
		all = append(all, mapping{{"name", metric.FinalResponseMatch}, {"type", "llm_judge"}})
	}
	if _, asked := w.criteria[metric.Safety]; asked {
		harms := generic.Map(metric.SafetyRubrics(), func(r metric.Rubric) mapping {
			return mapping{{"id", r.ID}, {"expected_outcome", r.Text}, {"required", true}}
		})
		all = append(all, mapping{{"name", metric.Safety}, {"type", "llm_judge"}, {"rubrics", harms}})
	}
	return all
}

// trajectoryGrader returns the AgentV grader closest to ADK's tool call metric.
func trajectoryGrader(c metric.Criterion, calls []metric.ToolCall) mapping {
	m := mapping{{"name", metric.ToolTrajectory}, {"type", "tool_trajectory"}}
	if c.Match == metric.AnyOrder {
		counts := map[string]int{}
		for _, call := range calls {
			counts[call.Name]++
		}
		return append(m, entry{"mode", "any_order"}, entry{"minimums", counts})
	}
	mode := "exact"
	if c.Match == metric.InOrder {
		mode = "in_order"
	}
	m = append(m, entry{"mode", mode})
	var steps []mapping
	for _, call := range calls {
		if c.IgnoreArgs {
			call.Args = nil
		}
		steps = append(steps, toolCallEntry(call, "args"))
	}
	return append(m, entry{"expected", steps})
}
