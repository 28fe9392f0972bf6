package wire

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// Anthropic is Anthropic's messages API. It has no seed, requires a token limit and supports no
// bounds in a schema.
var Anthropic = Provider{
	Name: "anthropic", BaseURL: "https://api.anthropic.com",
	BaseVars: []string{"ANTHROPIC_BASE_URL"}, KeyVars: []string{"ANTHROPIC_API_KEY"},
	Endpoint: func(m Model) (string, map[string]string) {
		return "v1/messages", map[string]string{"x-api-key": m.Key, "anthropic-version": "2023-06-01"}
	},
	encode: func(m Model, q judge.Question) any {
		body := anthropicBody{
			Model: m.Name, MaxTokens: cmp.Or(m.MaxTokens, anthropicMaxTokens), System: m.system(q),
			Messages: []chatMessage{{"user", q.User}}, Temperature: m.temperature(),
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
	decode: decodeAnthropic,
}

// anthropicMaxTokens is a token limit that all models support.
const anthropicMaxTokens = 4096

type anthropicBody struct {
	Model       string             `json:"model"`
	MaxTokens   int                `json:"max_tokens"`
	System      string             `json:"system,omitempty"`
	Messages    []chatMessage      `json:"messages"`
	Output      *anthropicOutput   `json:"output_config,omitempty"`
	Temperature *float64           `json:"temperature,omitempty"`
	Thinking    *anthropicThinking `json:"thinking,omitempty"`
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

type anthropicReply struct {
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

func decodeAnthropic(r Reply) (judge.Answer, error) {
	reply, err := decodeJSON[anthropicReply](r)
	if err != nil {
		return judge.Answer{}, err
	}
	used := reply.Usage
	a := judge.Answer{Model: reply.Model, Usage: judge.Usage{Input: used.Input + used.Created + used.Cached, Output: used.Output}}
	var text strings.Builder
	for _, part := range reply.Content {
		if part.Type == "text" { // not thinking
			text.WriteString(part.Text)
		}
	}
	a.Text = text.String()
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
