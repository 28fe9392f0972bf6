package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
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
