package provider

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/judge"
)

// Ollama runs models on this machine, or at OLLAMA_HOST.
var Ollama = register(9, Provider{
	Name: "ollama", BaseURL: "http://localhost:11434", Keyless: true,
	BaseVars: []string{"OLLAMA_HOST"}, KeyVars: []string{"OLLAMA_API_KEY"},
	Endpoint: func(m Model) (string, map[string]string) { return "api/chat", bearerHeader(m.Key) },
	encode: func(m Model, q judge.Question) any {
		return ollamaBody{
			Model: m.Name, Messages: ollamaMessages(m, q), Format: m.schema(q),
			Options: ollamaOptions{m.temperature(), m.seed(q), m.MaxTokens},
		}
	},
	decode: decodeJSON(decodeOllama),
})

// ollamaMessages returns the question as messages. Ollama knows calls by their tool, not by an id.
func ollamaMessages(m Model, q judge.Question) []chatMessage {
	messages := chatMessages(m, q)
	for i, message := range conversation(m, q) {
		messages[i].CallID, messages[i].ToolName = "", message.Call.Tool
		for j, c := range message.Calls {
			messages[i].Calls[j] = chatCall{Function: chatFunction{c.Tool, c.Input}}
		}
	}
	return messages
}

type ollamaBody struct {
	Model    string          `json:"model"`
	Messages []chatMessage   `json:"messages"`
	Stream   bool            `json:"stream"` // always false; the default is true
	Format   json.RawMessage `json:"format,omitempty"`
	Options  ollamaOptions   `json:"options"`
}

type ollamaOptions struct {
	Temperature *float64 `json:"temperature,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	MaxTokens   int      `json:"num_predict,omitempty"`
}

type ollamaResponse struct {
	Model   string      `json:"model"`
	Message chatMessage `json:"message"`
	Done    bool        `json:"done"`
	Reason  string      `json:"done_reason"`
	Input   int         `json:"prompt_eval_count"`
	Output  int         `json:"eval_count"`
}

func decodeOllama(reply ollamaResponse, _ Response) (judge.Answer, error) {
	a := judge.Answer{Text: reply.Message.Content, Model: reply.Model, Usage: judge.Usage{Input: reply.Input, Output: reply.Output}}
	switch {
	case reply.Reason == "length":
		return a, &Fault{Kind: Truncated}
	case !reply.Done:
		return a, &Fault{Kind: Malformed, Message: "it is not `done`"}
	}
	return a, nil
}
