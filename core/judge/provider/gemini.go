package provider

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// Gemini is Google's generative language API, with API keys.
var Gemini = register(8, Provider{
	Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com",
	BaseVars: []string{"GOOGLE_GEMINI_BASE_URL"}, KeyVars: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"},
	Endpoint: func(m Model) (string, map[string]string) {
		name := strings.TrimPrefix(m.Name, "models/")
		return "v1beta/models/" + percentEncode(name) + ":generateContent", map[string]string{"x-goog-api-key": m.Key}
	},
	encode: func(m Model, q judge.Question) any {
		system, sides := turns(m, q)
		body := geminiBody{
			Contents: geminiContents(sides),
			Config:   geminiConfig{Temperature: m.temperature(), Seed: m.seed(q), MaxTokens: m.MaxTokens},
		}
		if system != "" {
			body.System = &geminiContent{Parts: []geminiPart{{Text: system}}}
		}
		if schema := m.schema(q); schema != nil {
			body.Config.Type, body.Config.Schema = "application/json", schema
		}
		if m.Thinking != 0 {
			body.Config.Thinking = &geminiThinking{max(0, m.Thinking)}
		}
		return body
	},
	decode: decodeJSON(decodeGemini),
})

type geminiBody struct {
	System   *geminiContent  `json:"systemInstruction,omitempty"`
	Contents []geminiContent `json:"contents"`
	Config   geminiConfig    `json:"generationConfig"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text    string        `json:"text,omitempty"`
	Thought bool          `json:"thought,omitempty"`
	Call    *geminiCall   `json:"functionCall,omitempty"`
	Result  *geminiResult `json:"functionResponse,omitempty"`
}

type geminiCall struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type geminiResult struct {
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

func geminiContents(sides []turn) (contents []geminiContent) {
	for _, side := range sides {
		content := geminiContent{Role: "user"}
		if side.role == "assistant" {
			content.Role = "model"
		}
		for _, m := range side.messages {
			switch {
			case m.Role == "tool":
				content.Parts = append(content.Parts, geminiPart{Result: &geminiResult{m.Call.Tool, map[string]string{"result": m.Text}}})
			case m.Text != "":
				content.Parts = append(content.Parts, geminiPart{Text: m.Text})
			}
			for _, c := range m.Calls {
				content.Parts = append(content.Parts, geminiPart{Call: &geminiCall{c.Tool, c.Input}})
			}
		}
		contents = append(contents, content)
	}
	return contents
}

type geminiConfig struct {
	Temperature *float64        `json:"temperature,omitempty"`
	Seed        *int64          `json:"seed,omitempty"`
	MaxTokens   int             `json:"maxOutputTokens,omitempty"`
	Type        string          `json:"responseMimeType,omitempty"`
	Schema      json.RawMessage `json:"responseJsonSchema,omitempty"`
	Thinking    *geminiThinking `json:"thinkingConfig,omitempty"`
}

type geminiThinking struct {
	Budget int `json:"thinkingBudget"`
}

type geminiResponse struct {
	Candidates []struct {
		Content geminiContent `json:"content"`
		Reason  string        `json:"finishReason"`
		Message string        `json:"finishMessage"`
	} `json:"candidates"`
	Feedback struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage struct {
		Prompt   int `json:"promptTokenCount"`
		Replied  int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
	Model string `json:"modelVersion"`
}

// filterReasons are the finish reasons that mean that a filter withheld the reply.
var filterReasons = []string{"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY"}

func decodeGemini(reply geminiResponse, _ Response) (judge.Answer, error) {
	used := reply.Usage
	a := judge.Answer{Model: reply.Model, Usage: judge.Usage{Input: used.Prompt, Output: used.Replied + used.Thoughts}}
	switch {
	case reply.Feedback.Blocked != "":
		return a, &Fault{Kind: Filtered, Message: shorten(reply.Feedback.Blocked)}
	case len(reply.Candidates) == 0:
		return a, &Fault{Kind: Malformed, Message: "it has no `candidates`"}
	}
	first := reply.Candidates[0]
	for _, part := range first.Content.Parts {
		if !part.Thought {
			a.Text += part.Text
		}
	}
	switch {
	case first.Reason == "MAX_TOKENS":
		return a, &Fault{Kind: Truncated}
	case slices.Contains(filterReasons, first.Reason):
		return a, &Fault{Kind: Filtered, Message: shorten(cmp.Or(first.Message, first.Reason))}
	case first.Reason != "STOP":
		return a, &Fault{Kind: Malformed, Message: describeValue("finishReason", first.Reason)}
	}
	return a, nil
}
