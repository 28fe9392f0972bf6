package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
)

// toAgentV is a conversion of an evalset under way.
type toAgentV struct {
	ledger
	by map[string]metric.Criterion
}

// ToAgentV writes an evalset, and the metrics that it is measured by, as AgentV's
// cases: each turn is a case, with what was said before it. Name is what the file
// is called, without an ending.
func ToAgentV(set adk.Set, criteria []metric.Criterion, name string) (Conversion, error) {
	if len(set.Cases) == 0 {
		return Conversion{}, ErrNoCases
	}
	w := &toAgentV{by: map[string]metric.Criterion{}}
	for _, c := range criteria {
		w.by[c.Metric] = c
		w.metric(c)
	}
	var cases []mapping
	for _, c := range set.Cases {
		if c.Scenario != nil {
			w.lose(c.ID, "users are not simulated: a case with a scenario is left out")
			continue
		}
		for i := range c.Conversation {
			cases = append(cases, w.evalCase(c, i))
		}
	}
	if len(cases) == 0 {
		return Conversion{}, ErrNoCases
	}
	root := mapping{}
	if about := cmp.Or(set.Description, set.Name); about != "" {
		root = append(root, entry{"description", about})
	}
	var b strings.Builder
	append(root, entry{"evalcases", cases}).layout(&b, 0)
	return Conversion{Files: []File{{name + ".eval.yaml", b.String()}}, Losses: w.losses()}, nil
}

// metric says what is lost of a metric, whatever the cases are.
func (w *toAgentV) metric(c metric.Criterion) {
	switch c.Metric {
	case metric.ResponseQuality:
		w.bar(c)
		w.lose("", "a case's verdict is of its own turn: there is no mean over a conversation")
	case metric.ToolTrajectory:
		w.lose("", "of tool calls that match in part, the part is the score; arguments that are not named may be there")
		if c.Match == metric.AnyOrder {
			w.lose("", "tools in any order are counted by name, without their arguments")
		}
	case metric.Safety:
		w.bar(c)
		w.lose("", "each harm is a gate: AgentV's own runner has none, and goes by the share of harms")
	case metric.FinalResponseMatch:
		w.bar(c)
	case metric.ToolQuality:
		w.lose("", "a judge is not shown tool calls: `%s` and its rubrics are left out", c.Metric)
	default:
		w.lose("", "there is no grader like `%s`", c.Metric)
	}
	if c.Judge.Samples > 1 || c.Judge.Model != "" {
		w.lose("", "who judges, and how often, is said by the run and not by the file")
	}
	if c.WithIntermediate {
		w.lose("", "answers on the way are not judged with the final one")
	}
}

// bar notes a threshold that is not the one from which AgentV passes a case.
func (w *toAgentV) bar(c metric.Criterion) {
	if c.Threshold != score.PassAt {
		w.lose("", "a case passes from %v: the threshold %v of `%s` is lost", score.PassAt, c.Threshold, c.Metric)
	}
}

// evalCase is one turn of a case.
func (w *toAgentV) evalCase(c adk.Case, at int) mapping {
	turn := c.Conversation[at]
	id := c.ID
	if len(c.Conversation) > 1 {
		id = fmt.Sprintf("%s-turn-%d", c.ID, at+1)
	}
	criteria := w.rubrics(c, turn)
	m := mapping{{"id", id}}
	if len(c.Conversation) > 1 {
		m = append(m, entry{"conversation_id", c.ID})
	}
	m = append(m, entry{"expected_outcome", w.outcome(c.ID, turn, criteria)}, entry{"input_messages", w.input(c, at)})
	if expected := answer(turn); len(expected) > 0 {
		m = append(m, entry{"expected_messages", expected})
	}
	if len(criteria) > 0 {
		m = append(m, entry{"rubrics", criteria})
	}
	if graders := w.graders(c.ID, turn); len(graders) > 0 {
		m = append(m, entry{"execution", mapping{{"evaluators", graders}}})
	}
	return m
}

// outcome is what AgentV wants of every case in words, and ADK has nowhere.
func (w *toAgentV) outcome(id string, turn metric.Invocation, criteria []mapping) string {
	w.lose("", "what a good answer does is not said in words: the expected answer, or else the rubrics, stand in for it")
	if said, _ := turn.Answer(false); said != "" {
		return said
	}
	var all []string
	for _, c := range criteria {
		all = append(all, fmt.Sprint(c[1].value))
	}
	if len(all) == 0 {
		w.lose(id, "nothing is said of a good answer: there is neither an expected one nor a rubric")
		return "Answers the user"
	}
	return strings.Join(all, "; ")
}

// rubrics are what a turn's answer is judged by: the metric's rubrics, the case's
// and the turn's own.
func (w *toAgentV) rubrics(c adk.Case, turn metric.Invocation) (all []mapping) {
	by, judged := w.by[metric.ResponseQuality]
	if !judged {
		return nil
	}
	for _, r := range slices.Concat(by.Rubrics, ofType(c.Rubrics), ofType(turn.Rubrics)) {
		all = append(all, mapping{{"id", r.ID}, {"expected_outcome", r.Text}, {"required", false}})
	}
	if left := len(c.Rubrics) + len(turn.Rubrics) - len(ofType(c.Rubrics)) - len(ofType(turn.Rubrics)); left > 0 {
		w.lose(c.ID, "rubrics of other types than `%s` are left out", metric.FinalResponseQuality)
	}
	return all
}

func ofType(rubrics []metric.Rubric) (all []metric.Rubric) {
	for _, r := range rubrics {
		if r.Type == metric.FinalResponseQuality {
			all = append(all, r)
		}
	}
	return all
}
