package provider

import (
	"cmp"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/judge"
)

// openAIBaseURL and the variables below are shared by OpenAI's APIs.
const openAIBaseURL = "https://api.openai.com/v1"

var openAIBaseVars, openAIKeyVars = []string{"OPENAI_BASE_URL"}, []string{"OPENAI_API_KEY"}

const completionsPath = "chat/completions"

// OpenAI is the chat completions API of OpenAI, and of every server that imitates it.
var OpenAI = register(1, Provider{
	Name: "openai", BaseURL: openAIBaseURL,
	BaseVars: openAIBaseVars, KeyVars: openAIKeyVars,
	Endpoint: chatEndpoint, encode: encodeChat, decode: decodeJSON(decodeChat),
})

type chatMessage struct {
	Role     string     `json:"role"`
	Content  string     `json:"content"`
	Calls    []chatCall `json:"tool_calls,omitempty"`
	CallID   string     `json:"tool_call_id,omitempty"`
	ToolName string     `json:"tool_name,omitempty"` // Ollama's, in place of the id
}

type chatCall struct {
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"` // JSON in a string; for Ollama an object
}

type chatBody struct {
	Model       string        `json:"model"`
	Messages    []chatMessage `json:"messages"`
	Format      *chatFormat   `json:"response_format,omitempty"`
	Temperature *float64      `json:"temperature,omitempty"`
	Seed        *int64        `json:"seed,omitempty"`
	MaxTokens   int           `json:"max_tokens,omitempty"`
	MaxComplete int           `json:"max_completion_tokens,omitempty"`
}

type chatFormat struct {
	Type   string      `json:"type"`
	Schema namedSchema `json:"json_schema"`
}

type namedSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

func chatEndpoint(m Model) (string, map[string]string) { return completionsPath, bearerHeader(m.Key) }

func encodeChat(m Model, q judge.Question) any {
	body := newChatBody(m, q)
	body.MaxComplete = m.MaxTokens
	return body
}

// encodeLegacyChat encodes a chat completion for servers that use the older name of the token
// limit.
func encodeLegacyChat(m Model, q judge.Question) any {
	body := newChatBody(m, q)
	body.MaxTokens = m.MaxTokens
	return body
}

func newChatBody(m Model, q judge.Question) chatBody {
	body := chatBody{Model: m.Name, Messages: chatMessages(m, q), Temperature: m.temperature(), Seed: m.seed(q)}
	if schema := m.schema(q); schema != nil {
		body.Format = &chatFormat{"json_schema", namedSchema{"judgement", true, schema}}
	}
	return body
}

// chatMessages returns the question as messages, for APIs with a system role.
func chatMessages(m Model, q judge.Question) (messages []chatMessage) {
	for _, message := range conversation(m, q) {
		out := chatMessage{Role: message.Role, Content: message.Text, CallID: message.Call.ID}
		for _, c := range message.Calls {
			out.Calls = append(out.Calls, chatCall{ID: c.ID, Type: "function", Function: chatFunction{c.Tool, string(c.Input)}})
		}
		messages = append(messages, out)
	}
	return messages
}

type chatResponse struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
		Reason string          `json:"finish_reason"`
		Error  json.RawMessage `json:"error"`
	} `json:"choices"`
	Usage struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// decodeChat decodes a completion. Routers report errors under a status of success.
func decodeChat(reply chatResponse, r Response) (judge.Answer, error) {
	a := judge.Answer{Model: reply.Model, Usage: judge.Usage{Input: reply.Usage.Input, Output: reply.Usage.Output}}
	if len(reply.Choices) == 0 {
		return a, embeddedFault(r, reply.Error, "it has no `choices`")
	}
	choice := reply.Choices[0]
	a.Text = choice.Message.Content
	switch {
	case len(choice.Error) > 0 && string(choice.Error) != "null":
		return a, embeddedFault(r, choice.Error, "")
	case choice.Message.Refusal != "":
		return a, &Fault{Kind: Refused, Message: shorten(choice.Message.Refusal)}
	case choice.Reason == "content_filter":
		return a, &Fault{Kind: Filtered}
	case choice.Reason == "length":
		return a, &Fault{Kind: Truncated}
	}
	return a, nil
}

// embeddedFault returns the fault of an error inside a reply whose status is one of success.
// otherwise is the message if inner is empty.
func embeddedFault(r Response, inner json.RawMessage, otherwise string) *Fault {
	if len(inner) == 0 || string(inner) == "null" {
		return &Fault{Kind: Malformed, Message: otherwise}
	}
	var coded struct {
		Code json.Number `json:"code"`
	}
	status := 500
	if json.Unmarshal(inner, &coded) == nil {
		if n, err := coded.Code.Int64(); err == nil {
			status = int(n)
		}
	}
	body, _ := json.Marshal(map[string]json.RawMessage{"error": inner})
	return StatusFault(Response{Status: cmp.Or(status, 500), Header: r.Header, Body: string(body)})
}
