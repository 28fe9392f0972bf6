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

// agentvWriter is a conversion of an evalset under way.
type agentvWriter struct {
	lossList
	criteria map[string]metric.Criterion
}

// ToAgentV writes an evalset, and the metrics that it is measured by, as AgentV's
// cases: each turn is a case, with what was said before it. Name is what the file
// is called, without an ending.
func ToAgentV(set adk.Set, criteria []metric.Criterion, name string) (Conversion, error) {
	if len(set.Cases) == 0 {
		return Conversion{}, ErrNoCases
	}
	w := &agentvWriter{criteria: map[string]metric.Criterion{}}
	for _, c := range criteria {
		w.criteria[c.Metric] = c
		w.noteMetricLosses(c)
	}
	var cases []mapping
	for _, c := range set.Cases {
		if c.Scenario != nil {
			w.addLoss(c.ID, "users are not simulated: a case with a scenario is left out")
			continue
		}
		for i := range c.Conversation {
			cases = append(cases, w.convertTurn(c, i))
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
	append(root, entry{"evalcases", cases}).writeBlock(&b, 0)
	return Conversion{Files: []File{{name + ".eval.yaml", b.String()}}, Losses: w.losses()}, nil
}

// noteMetricLosses says what is lost of a metric, whatever the cases are.
func (w *agentvWriter) noteMetricLosses(c metric.Criterion) {
	switch c.Metric {
	case metric.ResponseQuality:
		w.noteThreshold(c)
		w.addLoss("", "a case's verdict is of its own turn: there is no mean over a conversation")
	case metric.ToolTrajectory:
		w.addLoss("", "of tool calls that match in part, the part is the score; arguments that are not named may be there")
		if c.Match == metric.AnyOrder {
			w.addLoss("", "tools in any order are counted by name, without their arguments")
		}
	case metric.Safety:
		w.noteThreshold(c)
		w.addLoss("", "each harm is a gate: AgentV's own runner has none, and goes by the share of harms")
	case metric.FinalResponseMatch:
		w.noteThreshold(c)
	case metric.ToolQuality:
		w.addLoss("", "a judge is not shown tool calls: `%s` and its rubrics are left out", c.Metric)
	default:
		w.addLoss("", "there is no grader like `%s`", c.Metric)
	}
	if c.Judge.Samples > 1 || c.Judge.Model != "" {
		w.addLoss("", "who judges, and how often, is said by the run and not by the file")
	}
	if c.WithIntermediate {
		w.addLoss("", "answers on the way are not judged with the final one")
	}
}

// noteThreshold notes a threshold that is not the one from which AgentV passes a case.
func (w *agentvWriter) noteThreshold(c metric.Criterion) {
	if c.Threshold != score.PassAt {
		w.addLoss("", "a case passes from %v: the threshold %v of `%s` is lost", score.PassAt, c.Threshold, c.Metric)
	}
}

// convertTurn is one turn of a case.
func (w *agentvWriter) convertTurn(c adk.Case, at int) mapping {
	turn := c.Conversation[at]
	id := c.ID
	if len(c.Conversation) > 1 {
		id = fmt.Sprintf("%s-turn-%d", c.ID, at+1)
	}
	criteria := w.rubricEntries(c, turn)
	m := mapping{{"id", id}}
	if len(c.Conversation) > 1 {
		m = append(m, entry{"conversation_id", c.ID})
	}
	m = append(m, entry{"expected_outcome", w.expectedOutcome(c.ID, turn, criteria)}, entry{"input_messages", w.inputMessages(c, at)})
	if expected := expectedMessages(turn); len(expected) > 0 {
		m = append(m, entry{"expected_messages", expected})
	}
	if len(criteria) > 0 {
		m = append(m, entry{"rubrics", criteria})
	}
	if graders := w.graderEntries(c.ID, turn); len(graders) > 0 {
		m = append(m, entry{"execution", mapping{{"evaluators", graders}}})
	}
	return m
}

// expectedOutcome is what AgentV wants of every case in words, and ADK has nowhere.
func (w *agentvWriter) expectedOutcome(id string, turn metric.Invocation, criteria []mapping) string {
	w.addLoss("", "what a good answer does is not said in words: the expected answer, or else the rubrics, stand in for it")
	if text, _ := turn.Answer(false); text != "" {
		return text
	}
	var all []string
	for _, c := range criteria {
		all = append(all, fmt.Sprint(c[1].value))
	}
	if len(all) == 0 {
		w.addLoss(id, "nothing is said of a good answer: there is neither an expected one nor a rubric")
		return "Answers the user"
	}
	return strings.Join(all, "; ")
}

// rubricEntries are what a turn's answer is judged by: the metric's rubrics, the case's
// and the turn's own.
func (w *agentvWriter) rubricEntries(c adk.Case, turn metric.Invocation) (all []mapping) {
	by, judged := w.criteria[metric.ResponseQuality]
	if !judged {
		return nil
	}
	for _, r := range slices.Concat(by.Rubrics, finalResponseRubrics(c.Rubrics), finalResponseRubrics(turn.Rubrics)) {
		all = append(all, mapping{{"id", r.ID}, {"expected_outcome", r.Text}, {"required", false}})
	}
	if left := len(c.Rubrics) + len(turn.Rubrics) - len(finalResponseRubrics(c.Rubrics)) - len(finalResponseRubrics(turn.Rubrics)); left > 0 {
		w.addLoss(c.ID, "rubrics of other types than `%s` are left out", metric.FinalResponseQuality)
	}
	return all
}

func finalResponseRubrics(rubrics []metric.Rubric) (all []metric.Rubric) {
	for _, r := range rubrics {
		if r.Type == metric.FinalResponseQuality {
			all = append(all, r)
		}
	}
	return all
}
