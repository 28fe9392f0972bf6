package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// reader is the state of reading one file.
type reader struct {
	lossList
	profile metric.Profile
}

// newReader notes what keeps ADK from reading a JSON file at all.
func newReader(p metric.Profile, f File) *reader {
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

// stringOf is a text; "" for what is none.
func stringOf(n *yaml.Node) string {
	s, _ := n.Str()
	return s
}

func readContent(n *yaml.Node) *metric.Content {
	if !n.IsMap() {
		return nil
	}
	return &metric.Content{Role: stringOf(lookup(n, "role")), Parts: readParts(lookup(n, "parts"))}
}

func readParts(n *yaml.Node) []metric.Part {
	var parts []metric.Part
	for _, item := range n.List() {
		p := metric.Part{Text: stringOf(item.Get("text"))}
		if c := lookup(item, "function_call"); c.IsMap() {
			call := readCall(c)
			p.Call = &call
		}
		if c := lookup(item, "function_response"); c.IsMap() {
			response := readResponse(c)
			p.Response = &response
		}
		parts = append(parts, p)
	}
	return parts
}

func readCall(n *yaml.Node) metric.ToolCall {
	return metric.ToolCall{ID: stringOf(n.Get("id")), Name: stringOf(n.Get("name")), Args: readObject(n.Get("args"))}
}

func readResponse(n *yaml.Node) metric.ToolResponse {
	return metric.ToolResponse{ID: stringOf(n.Get("id")), Name: stringOf(n.Get("name")), Response: readObject(n.Get("response"))}
}

// readObject is a mapping as JSON has it, its numbers to the last digit; nil for what
// is none.
func readObject(n *yaml.Node) map[string]any {
	m, _ := n.Exact().(map[string]any)
	return m
}

func readInvocation(n *yaml.Node) metric.Invocation {
	i := metric.Invocation{
		ID: stringOf(lookup(n, "invocation_id")), User: readContent(lookup(n, "user_content")), Final: readContent(lookup(n, "final_response")),
		Rubrics: readRubrics(lookup(n, "rubrics")),
	}
	between := lookup(n, "intermediate_data")
	for _, e := range lookup(between, "invocation_events").List() {
		i.Events = append(i.Events, metric.Event{Author: stringOf(e.Get("author")), Content: readContent(e.Get("content"))})
	}
	for _, c := range lookup(between, "tool_uses").List() {
		i.ToolUses = append(i.ToolUses, readCall(c))
	}
	for _, c := range lookup(between, "tool_responses").List() {
		i.ToolResponses = append(i.ToolResponses, readResponse(c))
	}
	for _, pair := range lookup(between, "intermediate_responses").List() {
		if p := pair.List(); len(p) == 2 {
			i.IntermediateResponses = append(i.IntermediateResponses, metric.Event{Author: stringOf(p[0]), Content: &metric.Content{Parts: readParts(p[1])}})
		}
	}
	for _, p := range lookup(lookup(n, "app_details"), "agent_details").Entries() {
		a := metric.Agent{Name: stringOf(p.Key), Instructions: stringOf(lookup(p.Value, "instructions"))}
		a.Tools, _ = lookup(p.Value, "tool_declarations").Exact().([]any)
		i.Agents = append(i.Agents, a)
	}
	return i
}

func readScenario(n *yaml.Node) *metric.Scenario {
	return &metric.Scenario{StartingPrompt: stringOf(lookup(n, "starting_prompt")), Plan: stringOf(lookup(n, "conversation_plan"))}
}

func readRubrics(n *yaml.Node) []metric.Rubric {
	var all []metric.Rubric
	for _, item := range n.List() {
		all = append(all, metric.Rubric{
			ID: stringOf(lookup(item, "rubric_id")), Text: stringOf(lookup(lookup(item, "rubric_content"), "text_property")),
			Description: stringOf(item.Get("description")), Type: stringOf(item.Get("type")),
		})
	}
	return all
}

// addDuplicateRubrics notes the ids of rubrics in a list that came before, in it or in the
// list that ADK puts it together with.
func (r *reader) addDuplicateRubrics(with, list *yaml.Node) {
	seen := map[string]*yaml.Node{}
	for _, item := range with.List() {
		if id := lookup(item, "rubric_id"); id != nil {
			seen[stringOf(id)] = id
		}
	}
	for _, item := range list.List() {
		id := lookup(item, "rubric_id")
		if id == nil {
			continue
		}
		if before := seen[stringOf(id)]; before != nil {
			r.addLoss(DuplicateID, Skips, id, stringOf(id)).Related = before.Span
			continue
		}
		seen[stringOf(id)] = id
	}
}

// addUntypedRubrics notes rubrics of a case or turn that no metric takes.
func (r *reader) addUntypedRubrics(list *yaml.Node) {
	for _, item := range list.List() {
		if item.IsMap() && MetricForRubricType(stringOf(item.Get("type"))) == "" {
			r.addLoss(UntypedRubric, Silent, item, stringOf(lookup(item, "rubric_id")))
		}
	}
}
