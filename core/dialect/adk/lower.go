package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// reader is the state of reading one file.
type reader struct {
	losses
	profile metric.Profile
}

// begin notes what keeps ADK from reading a JSON file at all.
func begin(p metric.Profile, f File) *reader {
	r := &reader{profile: p}
	if !f.JSON {
		return r
	}
	for _, e := range f.Excess {
		r.list = append(r.list, Loss{Kind: NotJSON, Level: Refuses, Span: e.Span, Key: string(e.Kind)})
	}
	if f.Fault != nil {
		r.list = append(r.list, Loss{Kind: NotJSON, Level: Refuses, Span: *f.Fault})
	}
	return r
}

// str is a text; "" for what is none.
func str(n *yaml.Node) string {
	s, _ := n.Str()
	return s
}

func content(n *yaml.Node) *metric.Content {
	if !n.IsMap() {
		return nil
	}
	return &metric.Content{Role: str(get(n, "role")), Parts: parts(get(n, "parts"))}
}

func parts(n *yaml.Node) []metric.Part {
	var parts []metric.Part
	for _, item := range n.List() {
		p := metric.Part{Text: str(item.Get("text"))}
		if c := get(item, "function_call"); c.IsMap() {
			call := call(c)
			p.Call = &call
		}
		if c := get(item, "function_response"); c.IsMap() {
			response := response(c)
			p.Response = &response
		}
		parts = append(parts, p)
	}
	return parts
}

func call(n *yaml.Node) metric.ToolCall {
	return metric.ToolCall{ID: str(n.Get("id")), Name: str(n.Get("name")), Args: object(n.Get("args"))}
}

func response(n *yaml.Node) metric.ToolResponse {
	return metric.ToolResponse{ID: str(n.Get("id")), Name: str(n.Get("name")), Response: object(n.Get("response"))}
}

// object is a mapping as JSON has it, its numbers to the last digit; nil for what
// is none.
func object(n *yaml.Node) map[string]any {
	m, _ := n.Exact().(map[string]any)
	return m
}

func invocation(n *yaml.Node) metric.Invocation {
	i := metric.Invocation{
		ID: str(get(n, "invocation_id")), User: content(get(n, "user_content")), Final: content(get(n, "final_response")),
		Rubrics: rubrics(get(n, "rubrics")),
	}
	between := get(n, "intermediate_data")
	for _, e := range get(between, "invocation_events").List() {
		i.Events = append(i.Events, metric.Event{Author: str(e.Get("author")), Content: content(e.Get("content"))})
	}
	for _, c := range get(between, "tool_uses").List() {
		i.ToolUses = append(i.ToolUses, call(c))
	}
	for _, c := range get(between, "tool_responses").List() {
		i.ToolResponses = append(i.ToolResponses, response(c))
	}
	for _, pair := range get(between, "intermediate_responses").List() {
		if p := pair.List(); len(p) == 2 {
			i.Said = append(i.Said, metric.Event{Author: str(p[0]), Content: &metric.Content{Parts: parts(p[1])}})
		}
	}
	for _, p := range get(get(n, "app_details"), "agent_details").Entries() {
		a := metric.Agent{Name: str(p.Key), Instructions: str(get(p.Value, "instructions"))}
		a.Tools, _ = get(p.Value, "tool_declarations").Exact().([]any)
		i.Agents = append(i.Agents, a)
	}
	return i
}

func scenarioOf(n *yaml.Node) *metric.Scenario {
	return &metric.Scenario{StartingPrompt: str(get(n, "starting_prompt")), Plan: str(get(n, "conversation_plan"))}
}

func rubrics(n *yaml.Node) []metric.Rubric {
	var all []metric.Rubric
	for _, item := range n.List() {
		all = append(all, metric.Rubric{
			ID: str(get(item, "rubric_id")), Text: str(get(get(item, "rubric_content"), "text_property")),
			Description: str(item.Get("description")), Type: str(item.Get("type")),
		})
	}
	return all
}

// repeated notes the ids of rubrics in a list that came before, in it or in the
// list that ADK puts it together with.
func (r *reader) repeated(with, list *yaml.Node) {
	seen := map[string]*yaml.Node{}
	for _, item := range with.List() {
		if id := get(item, "rubric_id"); id != nil {
			seen[str(id)] = id
		}
	}
	for _, item := range list.List() {
		id := get(item, "rubric_id")
		if id == nil {
			continue
		}
		if before := seen[str(id)]; before != nil {
			r.add(DuplicateID, Skips, id, str(id)).Other = before.Span
			continue
		}
		seen[str(id)] = id
	}
}

// untyped notes rubrics of a case or turn that no metric takes.
func (r *reader) untyped(list *yaml.Node) {
	for _, item := range list.List() {
		if item.IsMap() && MetricOf(str(item.Get("type"))) == "" {
			r.add(Untyped, Silent, item, str(get(item, "rubric_id")))
		}
	}
}
