package provider

import (
	"github.com/rubric-ls/rubric/core/judge"
)

// Responses is OpenAI's newer API, with the same address and key. It has no seed.
var Responses = register(2, Provider{
	Name: "openai-responses", BaseURL: openAIBaseURL, BaseVars: openAIBaseVars, KeyVars: openAIKeyVars,
	Endpoint: func(m Model) (string, map[string]string) { return "responses", bearerHeader(m.Key) },
	encode: func(m Model, q judge.Question) any {
		body := responsesBody{
			Model: m.Name, Temperature: m.temperature(), MaxTokens: m.MaxTokens,
		}
		if body.Instructions, body.Input = m.system(q), q.User; len(q.Messages) > 0 {
			body.Instructions, body.Input = "", responsesItems(q.Messages)
		}
		if schema := m.schema(q); schema != nil {
			body.Text = &responsesText{responsesFormat{"json_schema", namedSchema{"judgement", true, schema}}}
		}
		return body
	},
	decode: decodeJSON(decodeResponses),
})

type responsesBody struct {
	Model        string         `json:"model"`
	Instructions string         `json:"instructions,omitempty"`
	Input        any            `json:"input"` // a string, or items
	Text         *responsesText `json:"text,omitempty"`
	Temperature  *float64       `json:"temperature,omitempty"`
	MaxTokens    int            `json:"max_output_tokens,omitempty"`
	Store        bool           `json:"store"` // always false: judgements must not be stored elsewhere
}

// responsesItem is a message, a call of a tool or its result.
type responsesItem struct {
	Type      string  `json:"type,omitempty"` // "" for a message
	Role      string  `json:"role,omitempty"`
	Content   string  `json:"content,omitempty"`
	CallID    string  `json:"call_id,omitempty"`
	Name      string  `json:"name,omitempty"`
	Arguments string  `json:"arguments,omitempty"`
	Output    *string `json:"output,omitempty"`
}

func responsesItems(messages []judge.Message) (items []responsesItem) {
	for _, m := range messages {
		if m.Role == "tool" {
			items = append(items, responsesItem{Type: "function_call_output", CallID: m.Call.ID, Output: &m.Text})
			continue
		}
		if m.Text != "" {
			items = append(items, responsesItem{Role: m.Role, Content: m.Text})
		}
		for _, c := range m.Calls {
			items = append(items, responsesItem{Type: "function_call", CallID: c.ID, Name: c.Tool, Arguments: string(c.Input)})
		}
	}
	return items
}

type responsesText struct {
	Format responsesFormat `json:"format"`
}

type responsesFormat struct {
	Type string `json:"type"`
	namedSchema
}

type responsesResponse struct {
	Model      string `json:"model"`
	Status     string `json:"status"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Error *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Output []struct {
		Content []struct {
			Type    string `json:"type"`
			Text    string `json:"text"`
			Refusal string `json:"refusal"`
		} `json:"content"`
	} `json:"output"`
	Usage struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

func decodeResponses(reply responsesResponse, _ Response) (judge.Answer, error) {
	a := judge.Answer{Model: reply.Model, Usage: judge.Usage{Input: reply.Usage.Input, Output: reply.Usage.Output}}
	text := ""
	for _, item := range reply.Output {
		for _, part := range item.Content {
			switch part.Type {
			case "output_text":
				text += part.Text
			case "refusal":
				return a, &Fault{Kind: Refused, Message: shorten(part.Refusal)}
			}
		}
	}
	a.Text = text
	switch {
	case reply.Error != nil:
		status := 500
		if reply.Error.Code == "rate_limit_exceeded" {
			status = 429
		}
		return a, &Fault{Kind: faultKind(status, errorBody{Code: reply.Error.Code}), Message: shorten(reply.Error.Message)}
	case reply.Incomplete.Reason == "content_filter":
		return a, &Fault{Kind: Filtered}
	case reply.Incomplete.Reason == "max_output_tokens":
		return a, &Fault{Kind: Truncated}
	case reply.Status != "completed":
		return a, &Fault{Kind: Malformed, Message: describeValue("status", reply.Status)}
	}
	return a, nil
}
