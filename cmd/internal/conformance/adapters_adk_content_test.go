package conformance

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/metric/rouge"
)

// adkPart is a part as the cases write it.
type adkPart struct {
	Text     string
	Call     *metric.ToolCall     `json:"function_call"`
	Response *metric.ToolResponse `json:"function_response"`
}

func adkContent(parts []adkPart) *metric.Content {
	c := &metric.Content{}
	for _, p := range parts {
		c.Parts = append(c.Parts, metric.Part(p))
	}
	return c
}

// adkEvent is an event with its parts in it or in a content.
type adkEvent struct {
	Author  string
	Parts   []adkPart
	Content *struct{ Parts []adkPart }
}

func (e adkEvent) event() metric.Event {
	if e.Content != nil {
		e.Parts = e.Content.Parts
	}
	return metric.Event{Author: e.Author, Content: adkContent(e.Parts)}
}

// adkIntermediate is what happened between a question and its answer.
type adkIntermediate struct {
	Events        []adkEvent `json:"invocation_events"`
	ToolUses      []metric.ToolCall
	ToolResponses []metric.ToolResponse
	Responses     [][2]json.RawMessage `json:"intermediate_responses"`
}

func (b *adkIntermediate) invocation(t *testing.T) metric.Invocation {
	var i metric.Invocation
	if b == nil {
		return i
	}
	i.ToolUses, i.ToolResponses = b.ToolUses, b.ToolResponses
	for _, e := range b.Events {
		i.Events = append(i.Events, e.event())
	}
	for _, pair := range b.Responses {
		i.IntermediateResponses = append(i.IntermediateResponses, metric.Event{Author: decode[string](t, pair[0]), Content: adkContent(decode[[]adkPart](t, pair[1]))})
	}
	return i
}

func adkContentText(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Content *struct{ Parts []adkPart }
	}](t, raw)
	if in.Content == nil {
		return nil
	}
	if text, ok := adkContent(in.Content.Parts).Text(); ok {
		return text
	}
	return nil
}

func adkAnswer(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Events    []adkEvent
		Responses [][2]json.RawMessage `json:"intermediate_responses"`
		Final     *string              `json:"final_response"`
		Whole     bool                 `json:"include_intermediate_responses_in_final"`
	}](t, raw)
	i := (&adkIntermediate{Events: in.Events, Responses: in.Responses}).invocation(t)
	if in.Final != nil {
		i.Final = adkTextContent(*in.Final)
	}
	if text, ok := i.Answer(in.Whole); ok {
		return text
	}
	return nil
}

func adkToolSteps(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Data *struct {
			Events        []adkEvent            `json:"invocation_events"`
			ToolUses      []metric.ToolCall     `json:"tool_uses"`
			ToolResponses []metric.ToolResponse `json:"tool_responses"`
		} `json:"intermediate_data"`
	}](t, raw)
	var i metric.Invocation
	if in.Data != nil {
		i = (&adkIntermediate{Events: in.Data.Events, ToolUses: in.Data.ToolUses, ToolResponses: in.Data.ToolResponses}).invocation(t)
	}
	text := i.ToolSteps()
	if strings.HasPrefix(text, "{") {
		return json.RawMessage(text)
	}
	return text
}

func adkStepTexts(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Events []adkEvent
		Final  *string `json:"final_response"`
		Each   bool    `json:"evaluate_intermediate_nl_responses"`
	}](t, raw)
	i := (&adkIntermediate{Events: in.Events}).invocation(t)
	if in.Final != nil {
		i.Final = adkTextContent(*in.Final)
	}
	c := metric.Criterion{Metric: metric.Hallucinations, EachIntermediate: in.Each}
	r := metric.Evaluate(t.Context(), metric.Ports{Profile: p, Judge: &scripted{replies: []string{"<sentence>A.</sentence>"}}}, c, metric.Conversation{Actual: []metric.Invocation{i}})
	steps := []any{}
	for _, s := range r.Invocations[0].Steps {
		steps = append(steps, object{"nl_response": s.Text, "context_event_count": s.Events})
	}
	return object{"steps": steps}
}

// adkTurns are turns that only call tools; none for no list of them.
func adkTurns(lists [][]metric.ToolCall) []metric.Invocation {
	if lists == nil {
		return nil
	}
	turns := make([]metric.Invocation, len(lists))
	for i, calls := range lists {
		turns[i].ToolUses = calls
	}
	return turns
}

// adkResult is a metric's result in the words of the cases.
func adkResult(r metric.Result) any {
	if len(r.Invocations) == 0 && r.Reason != "" && r.Reason != "the conversation has no turns" {
		return object{"error": r.Reason, "score": nil, "status": r.Status}
	}
	turns := []any{}
	for _, i := range r.Invocations {
		turns = append(turns, i.Score)
	}
	return object{"per_invocation": turns, "score": r.Score, "status": r.Status}
}

func adkTrajectory(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Match      any  `json:"match_type"`
		IgnoreArgs bool `json:"ignore_args"`
		Threshold  float64
	}](t, raw)
	actual, expected := adkCalls(t, raw)
	match, err := metric.ParseMatch(in.Match)
	if err != nil {
		t.Fatal(err)
	}
	c := metric.Criterion{Metric: metric.ToolTrajectory, Threshold: in.Threshold, Match: match, IgnoreArgs: in.IgnoreArgs}
	return adkResult(metric.Evaluate(t.Context(), metric.Ports{Profile: p}, c, metric.Conversation{Actual: actual, Expected: expected}))
}

// adkCalls reads the tool calls of turns, with exact numbers as they are read from files.
func adkCalls(t *testing.T, raw json.RawMessage) (actual, expected []metric.Invocation) {
	var in struct{ Actual, Expected [][]metric.ToolCall }
	exact := json.NewDecoder(bytes.NewReader(raw))
	exact.UseNumber()
	if err := exact.Decode(&in); err != nil {
		t.Fatal(err)
	}
	return adkTurns(in.Actual), adkTurns(in.Expected)
}

func adkToolParameters(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	actual, expected := adkCalls(t, raw)
	c := metric.Criterion{Metric: metric.ToolParameters, Threshold: decode[struct{ Threshold float64 }](t, raw).Threshold}
	return adkResult(metric.Evaluate(t.Context(), metric.Ports{Profile: p}, c, metric.Conversation{Actual: actual, Expected: expected}))
}

func adkMatchType(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	m, err := metric.ParseMatch(decode[struct{ Value any }](t, raw).Value)
	if err != nil {
		return object{"error": true}
	}
	return m.String()
}

func adkWords(p metric.Profile) func(string) []string {
	if p == metric.V2 {
		return rouge.ASCIIWords
	}
	return rouge.UnicodeWords
}

func adkRouge(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct{ Candidate, Reference string }](t, raw)
	s := rouge.Rouge1(adkWords(p), in.Candidate, in.Reference)
	return object{"precision": s.Precision, "recall": s.Recall, "fmeasure": s.F}
}

func adkRougeEval(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Candidates, References []*string
		Threshold              float64
	}](t, raw)
	conversation := metric.Conversation{Actual: adkAnswers(in.Candidates), Expected: adkAnswers(in.References)}
	return adkResult(metric.Evaluate(t.Context(), metric.Ports{Profile: p}, metric.Criterion{Metric: metric.ResponseMatch, Threshold: in.Threshold}, conversation))
}

// adkAnswers are turns with an answer each, or none.
func adkAnswers(texts []*string) []metric.Invocation {
	turns := make([]metric.Invocation, len(texts))
	for i, text := range texts {
		if text != nil {
			turns[i].Final = adkTextContent(*text)
		}
	}
	return turns
}

func adkTextContent(texts ...string) *metric.Content {
	c := &metric.Content{}
	for _, text := range texts {
		c.Parts = append(c.Parts, metric.Part{Text: text})
	}
	return c
}

func adkStem(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return rouge.Stem(decode[struct{ Word string }](t, raw).Word)
}
