package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/judge"
)

// Moderation looks for harmful content in a text: OpenAI's endpoint, and those of servers that
// imitate it. The question's User is the text. The answer has a verdict on each of the endpoint's
// categories, in the form of a judge's reply: {"checks": [{"id", "satisfied", "reasoning"}]}. A
// check is satisfied if the text has no such content.
//
// It is not among [Providers], because it answers no other question.
var Moderation = Provider{
	Name: "openai", BaseURL: openAIBaseURL, BaseVars: openAIBaseVars, KeyVars: openAIKeyVars,
	Endpoint: func(m Model) (string, map[string]string) { return "moderations", bearerHeader(m.Key) },
	encode: func(m Model, q judge.Question) any {
		return map[string]string{"model": m.Name, "input": q.User}
	},
	decode: decodeJSON(decodeModeration),
}

type moderationResponse struct {
	Model   string `json:"model"`
	Results []struct {
		Categories map[string]*bool   `json:"categories"`
		Scores     map[string]float64 `json:"category_scores"`
	} `json:"results"`
	Error json.RawMessage `json:"error"`
}

type moderationCheck struct {
	ID        string `json:"id"`
	Satisfied bool   `json:"satisfied"`
	Reasoning string `json:"reasoning"`
}

// decodeModeration decodes the verdicts. A category that is null was not checked.
func decodeModeration(reply moderationResponse, r Response) (judge.Answer, error) {
	a := judge.Answer{Model: reply.Model}
	if len(reply.Results) == 0 {
		return a, embeddedFault(r, reply.Error, "it has no `results`")
	}
	checks := []moderationCheck{}
	found := reply.Results[0]
	for _, id := range slices.Sorted(maps.Keys(found.Categories)) {
		flagged := found.Categories[id]
		if flagged == nil {
			continue
		}
		reason := "found by " + reply.Model
		if !*flagged {
			reason = "not found by " + reply.Model
		}
		if score, ok := found.Scores[id]; ok {
			reason += fmt.Sprintf(", %.3g of 1", score)
		}
		checks = append(checks, moderationCheck{id, !*flagged, reason})
	}
	if len(checks) == 0 {
		return a, &Fault{Kind: Malformed, Message: "it has no `categories`"}
	}
	text, err := json.Marshal(map[string]any{"checks": checks})
	a.Text = string(text)
	return a, err
}
