package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/judge"
)

// Moderation looks for harm in a text: OpenAI's endpoint, and those of the servers
// that imitate it. A question's User is the text. The answer is a verdict on each
// of the endpoint's own categories, in the form of a judge's reply: {"checks":
// [{"id", "satisfied", "reasoning"}]}, satisfied if the text is free of it.
//
// It is not one of [Providers]: it answers no question but this.
var Moderation = Provider{
	Name: "openai", Base: openAI, BaseVars: openAIBase, KeyVars: openAIKey,
	place: func(m Model) (string, map[string]string) { return "moderations", bearer(m.Key) },
	encode: func(m Model, q judge.Question) any {
		return map[string]string{"model": m.Name, "input": q.User}
	},
	decode: decodeModeration,
}

type moderated struct {
	Model   string `json:"model"`
	Results []struct {
		Categories map[string]*bool   `json:"categories"`
		Scores     map[string]float64 `json:"category_scores"`
	} `json:"results"`
	Error json.RawMessage `json:"error"`
}

type check struct {
	ID        string `json:"id"`
	Satisfied bool   `json:"satisfied"`
	Reasoning string `json:"reasoning"`
}

// decodeModeration reads the verdicts. A category of null was not looked for.
func decodeModeration(r Reply) (judge.Answer, error) {
	reply, err := decodeJSON[moderated](r)
	a := judge.Answer{Model: reply.Model}
	switch {
	case err != nil:
		return a, err
	case len(reply.Results) == 0:
		return a, passedOn(r, reply.Error, "it has no `results`")
	}
	checks := []check{}
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
		checks = append(checks, check{id, !*flagged, reason})
	}
	if len(checks) == 0 {
		return a, &Fault{Kind: Broken, Message: "it has no `categories`"}
	}
	text, err := json.Marshal(map[string]any{"checks": checks})
	a.Text = string(text)
	return a, err
}
