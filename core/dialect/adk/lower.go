package adk

import (
	"math"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// isUnreadable reports whether ADK cannot read a JSON file at all.
func (f File) isUnreadable() bool {
	return f.JSON && (len(f.Excess) > 0 || f.wraps || f.Fault != nil)
}

func readContent(n *yaml.Node) *metric.Content {
	if !n.IsMap() {
		return nil
	}
	return &metric.Content{Role: lookup(n, "role").Text(), Parts: readParts(lookup(n, "parts"))}
}

func readParts(n *yaml.Node) []metric.Part {
	var parts []metric.Part
	for _, item := range n.List() {
		p := metric.Part{Text: item.Get("text").Text()}
		if c := lookup(item, "function_call"); c.IsMap() {
			p.Call = new(readCall(c))
		}
		if c := lookup(item, "function_response"); c.IsMap() {
			p.Response = new(readResponse(c))
		}
		parts = append(parts, p)
	}
	return parts
}

func readCall(n *yaml.Node) metric.ToolCall {
	return metric.ToolCall{ID: n.Get("id").Text(), Name: n.Get("name").Text(), Args: readObject(n.Get("args"))}
}

func readResponse(n *yaml.Node) metric.ToolResponse {
	return metric.ToolResponse{ID: n.Get("id").Text(), Name: n.Get("name").Text(), Response: readObject(n.Get("response"))}
}

// readObject returns a mapping as JSON with exact numbers, or nil for any other value.
func readObject(n *yaml.Node) map[string]any {
	m, _ := n.Exact().(map[string]any)
	return m
}

func readInvocation(n *yaml.Node) metric.Invocation {
	i := metric.Invocation{
		ID: lookup(n, "invocation_id").Text(), User: readContent(lookup(n, "user_content")), Final: readContent(lookup(n, "final_response")),
		Rubrics: readRubrics(lookup(n, "rubrics")),
	}
	between := lookup(n, "intermediate_data")
	events := lookup(between, "invocation_events")
	i.HasEvents = events.IsSeq()
	for _, e := range events.List() {
		i.Events = append(i.Events, metric.Event{Author: e.Get("author").Text(), Content: readContent(e.Get("content")), Model: readModelCall(e)})
	}
	i.Duration = readCountOf(n, "duration")
	for _, c := range lookup(between, "tool_uses").List() {
		i.ToolUses = append(i.ToolUses, readCall(c))
	}
	for _, c := range lookup(between, "tool_responses").List() {
		i.ToolResponses = append(i.ToolResponses, readResponse(c))
	}
	for _, pair := range lookup(between, "intermediate_responses").List() {
		if p := pair.List(); len(p) == 2 {
			i.IntermediateResponses = append(i.IntermediateResponses, metric.Event{Author: p[0].Text(), Content: &metric.Content{Parts: readParts(p[1])}})
		}
	}
	for _, p := range lookup(lookup(n, "app_details"), "agent_details").Entries() {
		a := metric.Agent{Name: p.Key.Text(), Instructions: lookup(p.Value, "instructions").Text()}
		a.Tools, _ = lookup(p.Value, "tool_declarations").Exact().([]any)
		i.Agents = append(i.Agents, a)
	}
	return i
}

// readModelCall returns the model's call that an event records, or nil.
func readModelCall(event *yaml.Node) *metric.ModelCall {
	usage, version := lookup(event, "usage_metadata"), lookup(event, "model_version")
	if usage.IsNull() && version.IsNull() {
		return nil
	}
	return &metric.ModelCall{Version: version.Text(), Usage: encodeNode(usage), Tokens: metric.TokenUsage{
		Prompt: readCountOf(usage, "prompt_token_count"), Cached: readCountOf(usage, "cached_content_token_count"), ToolUse: readCountOf(usage, "tool_use_prompt_token_count"),
		Candidates: readCountOf(usage, "candidates_token_count"), Reasoning: readCountOf(usage, "thoughts_token_count"),
	}}
}

// readCountOf returns the number under a key, or nil.
func readCountOf(n *yaml.Node, key string) *float64 {
	if v, ok := readNumber(lookup(n, key)); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return &v
	}
	return nil
}

func readRubrics(n *yaml.Node) (all []metric.Rubric) {
	for _, item := range n.List() {
		all = append(all, metric.Rubric{
			ID: lookup(item, "rubric_id").Text(), Text: lookup(lookup(item, "rubric_content"), "text_property").Text(),
			Description: item.Get("description").Text(), Type: item.Get("type").Text(),
		})
	}
	return all
}

// hasDuplicateRubrics reports whether two rubrics of a list have one id.
func hasDuplicateRubrics(list *yaml.Node) bool {
	seen := map[string]bool{}
	for _, item := range list.List() {
		if id := lookup(item, "rubric_id"); id != nil {
			if seen[id.Text()] {
				return true
			}
			seen[id.Text()] = true
		}
	}
	return false
}
