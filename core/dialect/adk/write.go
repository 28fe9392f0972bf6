package adk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
)

// Run holds the measurements of an evalset. CreatedAt is in seconds since 1970.
type Run struct {
	ID, SetID string
	CreatedAt float64
	Criteria  []metric.Criterion // what was measured
	Cases     iter.Seq[MeasuredCase]
}

// MeasuredCase is one case of a run: its conversation and its measurements.
type MeasuredCase struct {
	ID string
	metric.Conversation
	Result metric.CaseResult // Recorded has the actual turns if an agent held the conversation during the run
}

// statusNumbers are ADK's numbers for statuses.
var statusNumbers = map[metric.Status]int{metric.Passed: 1, metric.Failed: 2, metric.NotEvaluated: 3}

type setResultJSON struct {
	ID    string   `json:"eval_set_result_id"`
	Name  string   `json:"eval_set_result_name"`
	SetID string   `json:"eval_set_id"`
	Cases struct{} `json:"eval_case_results"` // a placeholder for the cases
	At    float64  `json:"creation_timestamp"`
}

type caseResultJSON struct {
	SetID   string             `json:"eval_set_id"`
	ID      string             `json:"eval_id"`
	Status  int                `json:"final_eval_status"`
	Overall []metricResultJSON `json:"overall_eval_metric_results"`
	PerTurn []turnResultJSON   `json:"eval_metric_result_per_invocation"`
	Session string             `json:"session_id"`
	Details json.RawMessage    `json:"session_details,omitempty"`
	User    string             `json:"user_id,omitempty"`
}

type turnResultJSON struct {
	Actual   any                `json:"actual_invocation"`
	Expected *turnJSON          `json:"expected_invocation,omitempty"`
	Metrics  []metricResultJSON `json:"eval_metric_results"`
}

type metricResultJSON struct {
	Metric    string         `json:"metric_name"`
	Threshold *float64       `json:"threshold,omitempty"`
	Criterion *criterionJSON `json:"criterion,omitempty"`
	Score     *float64       `json:"score,omitempty"`
	Status    int            `json:"eval_status"`
	Details   detailsJSON    `json:"details"`
}

type detailsJSON struct {
	Rubrics []metric.RubricScore `json:"rubric_scores,omitempty"`
}

// Write writes the run in ADK's format of .evalset_result.json, one case at a time. The format has
// no place for the reason why a metric was not evaluated.
func (r Run) Write(w io.Writer) error {
	around, err := encodeIndented("", setResultJSON{ID: r.ID, Name: r.ID, SetID: r.SetID, At: r.CreatedAt})
	if err != nil {
		return err
	}
	const place = `"eval_case_results": `
	head, tail, _ := strings.Cut(string(around), place+"{}")
	out := bufio.NewWriter(w) // Flush returns the first error
	out.WriteString(head + place)
	before, after := "[", "[]"
	for c := range r.Cases {
		text, err := encodeIndented("    ", r.encodeCase(c))
		if err != nil {
			return err
		}
		out.WriteString(before + "\n    ")
		out.Write(bytes.TrimSuffix(text, []byte("\n")))
		before, after = ",", "\n  ]"
	}
	out.WriteString(after + tail)
	return out.Flush()
}

func (r Run) encodeCase(m MeasuredCase) caseResultJSON {
	c := caseResultJSON{SetID: r.SetID, ID: m.ID, Status: statusNumbers[m.Result.Status], Overall: []metricResultJSON{}, PerTurn: []turnResultJSON{}}
	for _, result := range m.Result.Metrics {
		overall := encodeMetric(result, result.Score, result.Status, result.Rubrics)
		for _, criterion := range r.Criteria {
			if criterion.Metric == result.Metric && overall.Threshold != nil {
				overall.Criterion = new(encodeCriterion(criterion))
			}
		}
		c.Overall = append(c.Overall, overall)
	}
	var turns []any
	for _, actual := range m.Actual {
		turns = append(turns, encodeInvocation(actual))
	}
	if held := m.Result.Recorded; held != nil {
		c.Session, c.User, c.Details = held.SessionID, held.UserID, held.Details
		for _, actual := range held.Invocations {
			turns = append(turns, actual)
		}
	}
	for i, actual := range turns {
		t := turnResultJSON{Actual: actual, Metrics: []metricResultJSON{}}
		if i < len(m.Expected) {
			t.Expected = new(encodeInvocation(m.Expected[i]))
		}
		for _, r := range m.Result.Metrics {
			turn := metric.InvocationResult{Status: metric.NotEvaluated}
			if i < len(r.Invocations) {
				turn = r.Invocations[i]
			}
			t.Metrics = append(t.Metrics, encodeMetric(r, turn.Score, turn.Status, turn.Rubrics))
		}
		c.PerTurn = append(c.PerTurn, t)
	}
	return c
}

func encodeMetric(r metric.Result, score *float64, status metric.Status, rubrics []metric.RubricScore) metricResultJSON {
	w := metricResultJSON{Metric: r.Metric, Score: score, Status: statusNumbers[status]}
	for _, s := range rubrics {
		s.Text = "" // a key that ADK refuses
		w.Details.Rubrics = append(w.Details.Rubrics, s)
	}
	if !math.IsNaN(r.Threshold) && !math.IsInf(r.Threshold, 0) {
		w.Threshold = &r.Threshold
	}
	return w
}

type setJSON struct {
	ID          string     `json:"eval_set_id"`
	Name        string     `json:"name,omitempty"`
	Description string     `json:"description,omitempty"`
	Cases       []caseJSON `json:"eval_cases"`
}

type caseJSON struct {
	ID           string       `json:"eval_id"`
	Conversation []turnJSON   `json:"conversation"`
	Rubrics      []rubricJSON `json:"rubrics,omitempty"`
}

// EncodeJSON returns the set as an .evalset.json, without scenarios and sessions.
func (s Set) EncodeJSON() ([]byte, error) {
	out := setJSON{ID: s.ID, Name: s.Name, Description: s.Description, Cases: []caseJSON{}}
	for _, c := range s.Cases {
		w := caseJSON{ID: c.ID, Conversation: []turnJSON{}, Rubrics: encodeRubrics(c.Rubrics)}
		for _, t := range c.Conversation {
			w.Conversation = append(w.Conversation, encodeInvocation(t))
		}
		out.Cases = append(out.Cases, w)
	}
	return encodeIndented("", out)
}

// EncodeConfig returns a configuration as a test_config.json.
func EncodeConfig(criteria []metric.Criterion) ([]byte, error) {
	all := map[string]any{}
	for _, c := range criteria {
		all[c.Metric] = encodeCriterion(c)
	}
	return encodeIndented("", map[string]any{"criteria": all})
}

// criterionJSON has the options of a metric that are read.
type criterionJSON struct {
	Threshold        float64             `json:"threshold"`
	Match            string              `json:"match_type,omitempty"`
	IgnoreArgs       bool                `json:"ignore_args,omitempty"`
	Tolerance        metric.Tolerance    `json:"x_rubric,omitzero"`
	WithIntermediate bool                `json:"include_intermediate_responses_in_final,omitempty"`
	EachIntermediate bool                `json:"evaluate_intermediate_nl_responses,omitempty"`
	StopSignal       string              `json:"stop_signal,omitempty"`
	Judge            metric.JudgeOptions `json:"judge_model_options,omitzero"`
	Rubrics          []rubricJSON        `json:"rubrics,omitempty"`
}

func encodeCriterion(c metric.Criterion) criterionJSON {
	w := criterionJSON{
		Threshold: c.Threshold, IgnoreArgs: c.IgnoreArgs, Tolerance: c.Tolerance, WithIntermediate: c.WithIntermediate,
		EachIntermediate: c.EachIntermediate, StopSignal: c.StopSignal, Judge: c.Judge, Rubrics: encodeRubrics(c.Rubrics),
	}
	if c.Metric == metric.ToolTrajectory {
		w.Match = c.Match.String()
	}
	return w
}

func encodeRubrics(rubrics []metric.Rubric) (all []rubricJSON) {
	for _, r := range rubrics {
		all = append(all, rubricJSON{r.ID, map[string]string{"text_property": r.Text}, r.Description, r.Type})
	}
	return all
}

// encodeIndented returns indented JSON with a final line break. All lines but the first begin with
// prefix.
func encodeIndented(prefix string, value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	err := enc.Encode(value)
	return b.Bytes(), err
}

type turnJSON struct {
	ID           string       `json:"invocation_id,omitempty"`
	User         *contentJSON `json:"user_content"`
	Final        *contentJSON `json:"final_response,omitempty"`
	Intermediate any          `json:"intermediate_data,omitempty"`
	Rubrics      []rubricJSON `json:"rubrics,omitempty"`
	Details      any          `json:"app_details,omitempty"`
	Duration     *float64     `json:"duration,omitempty"`
}

type contentJSON struct {
	Parts []partJSON `json:"parts,omitempty"`
	Role  string     `json:"role,omitempty"`
}

type partJSON struct {
	Text     string               `json:"text,omitempty"`
	Call     *metric.ToolCall     `json:"function_call,omitempty"`
	Response *metric.ToolResponse `json:"function_response,omitempty"`
}

type eventJSON struct {
	Author  string          `json:"author"`
	Content *contentJSON    `json:"content,omitempty"`
	Usage   json.RawMessage `json:"usage_metadata,omitempty"`
	Model   string          `json:"model_version,omitempty"`
}

type listsJSON struct {
	Uses         []metric.ToolCall     `json:"tool_uses,omitempty"`
	Responses    []metric.ToolResponse `json:"tool_responses,omitempty"`
	Intermediate [][2]any              `json:"intermediate_responses,omitempty"`
}

type rubricJSON struct {
	ID          string            `json:"rubric_id"`
	Content     map[string]string `json:"rubric_content"`
	Description string            `json:"description,omitempty"`
	Type        string            `json:"type,omitempty"`
}

type agentJSON struct {
	Name         string `json:"name"`
	Instructions string `json:"instructions,omitempty"`
	Tools        []any  `json:"tool_declarations,omitempty"`
}

// encodeInvocation converts a turn to the format of evalsets and result files.
func encodeInvocation(i metric.Invocation) turnJSON {
	t := turnJSON{ID: i.ID, User: encodeContent(i.User), Final: encodeContent(i.Final), Intermediate: encodeIntermediate(i), Duration: i.Duration}
	if t.User == nil {
		t.User = &contentJSON{} // required in a turn
	}
	t.Rubrics = encodeRubrics(i.Rubrics)
	if len(i.Agents) > 0 {
		agents := map[string]agentJSON{}
		for _, a := range i.Agents {
			agents[a.Name] = agentJSON(a)
		}
		t.Details = map[string]any{"agent_details": agents}
	}
	return t
}

// encodeIntermediate returns nil for a turn in which nothing happened.
func encodeIntermediate(i metric.Invocation) any {
	if len(i.Events) > 0 {
		events := []eventJSON{}
		for _, e := range i.Events {
			event := eventJSON{Author: e.Author, Content: encodeContent(e.Content)}
			if e.Model != nil {
				event.Usage, event.Model = e.Model.Usage, e.Model.Version
			}
			events = append(events, event)
		}
		return map[string]any{"invocation_events": events}
	}
	lists := listsJSON{Uses: i.ToolUses, Responses: i.ToolResponses}
	for _, e := range i.IntermediateResponses {
		parts := []partJSON{}
		if c := encodeContent(e.Content); c != nil {
			parts = append(parts, c.Parts...)
		}
		lists.Intermediate = append(lists.Intermediate, [2]any{e.Author, parts})
	}
	if len(lists.Uses)+len(lists.Responses)+len(lists.Intermediate) == 0 {
		return nil
	}
	return lists
}

func encodeContent(c *metric.Content) *contentJSON {
	if c == nil {
		return nil
	}
	w := &contentJSON{Role: c.Role}
	for _, p := range c.Parts {
		w.Parts = append(w.Parts, partJSON(p))
	}
	return w
}
