package provider

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// Anthropic is Anthropic's messages API. It has no seed, requires a token limit and supports no
// bounds in a schema.
var Anthropic = register(7, Provider{
	Name: "anthropic", BaseURL: "https://api.anthropic.com",
	BaseVars: []string{"ANTHROPIC_BASE_URL"}, KeyVars: []string{"ANTHROPIC_API_KEY"},
	Endpoint: func(m Model) (string, map[string]string) {
		return "v1/messages", map[string]string{"x-api-key": m.Key, "anthropic-version": "2023-06-01"}
	},
	encode: func(m Model, q judge.Question) any {
		system, sides := turns(m, q)
		body := anthropicBody{
			Model: m.Name, MaxTokens: cmp.Or(m.MaxTokens, anthropicMaxTokens), System: system,
			Messages: anthropicMessages(sides), Temperature: m.temperature(),
		}
		for _, tool := range calledTools(q.Messages) { // required if the conversation has calls
			body.Tools = append(body.Tools, anthropicTool{tool, json.RawMessage(`{"type":"object"}`)})
			body.ToolChoice = &anthropicBlock{Type: "none"}
		}
		if m.Thinking > 0 { // thinking counts as output and requires the default temperature
			body.Thinking = &anthropicThinking{"enabled", m.Thinking}
			body.MaxTokens += m.Thinking
			body.Temperature = nil
		}
		if schema := m.schema(q); schema != nil {
			body.Output = &anthropicOutput{anthropicFormat{"json_schema", withoutKeywords(schema, "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems")}}
		}
		return body
	},
	decode: decodeJSON(decodeAnthropic),
})

// anthropicMaxTokens is a token limit that all models support.
const anthropicMaxTokens = 4096

type anthropicBody struct {
	Model       string             `json:"model"`
	MaxTokens   int                `json:"max_tokens"`
	System      string             `json:"system,omitempty"`
	Messages    []anthropicMessage `json:"messages"`
	Tools       []anthropicTool    `json:"tools,omitempty"`
	ToolChoice  *anthropicBlock    `json:"tool_choice,omitempty"`
	Output      *anthropicOutput   `json:"output_config,omitempty"`
	Temperature *float64           `json:"temperature,omitempty"`
	Thinking    *anthropicThinking `json:"thinking,omitempty"`
}

type anthropicMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a string, or blocks
}

type anthropicBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	CallID  string          `json:"tool_use_id,omitempty"`
	Content string          `json:"content,omitempty"`
}

type anthropicTool struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"input_schema"`
}

func anthropicMessages(sides []turn) (messages []anthropicMessage) {
	for _, side := range sides {
		var blocks []anthropicBlock
		for _, m := range side.messages {
			switch {
			case m.Role == "tool":
				blocks = append(blocks, anthropicBlock{Type: "tool_result", CallID: m.Call.ID, Content: m.Text})
			case strings.TrimSpace(m.Text) != "": // blank blocks are refused
				blocks = append(blocks, anthropicBlock{Type: "text", Text: m.Text})
			}
			for _, c := range m.Calls {
				blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Tool, Input: c.Input})
			}
		}
		message := anthropicMessage{side.role, blocks}
		if len(blocks) == 1 && blocks[0].Type == "text" {
			message.Content = blocks[0].Text
		}
		messages = append(messages, message)
	}
	return messages
}

type anthropicOutput struct {
	Format anthropicFormat `json:"format"`
}

type anthropicFormat struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

type anthropicThinking struct {
	Type   string `json:"type"`
	Budget int    `json:"budget_tokens"`
}

type anthropicResponse struct {
	Model   string `json:"model"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Reason string `json:"stop_reason"`
	Usage  struct {
		Input   int `json:"input_tokens"`
		Created int `json:"cache_creation_input_tokens"`
		Cached  int `json:"cache_read_input_tokens"`
		Output  int `json:"output_tokens"`
	} `json:"usage"`
}

func decodeAnthropic(reply anthropicResponse, _ Response) (judge.Answer, error) {
	used := reply.Usage
	a := judge.Answer{Model: reply.Model, Usage: judge.Usage{Input: used.Input + used.Created + used.Cached, Output: used.Output}}
	for _, part := range reply.Content {
		if part.Type == "text" { // not thinking
			a.Text += part.Text
		}
	}
	switch reply.Reason {
	case "refusal":
		return a, &Fault{Kind: Refused, Message: shorten(a.Text)}
	case "max_tokens", "model_context_window_exceeded":
		return a, &Fault{Kind: Truncated}
	case "":
		return a, &Fault{Kind: Malformed, Message: "it has no `stop_reason`"}
	}
	return a, nil
}
