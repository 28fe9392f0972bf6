package metric_test

import (
	"math"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

// TestRubricExample is the sources': of three rubrics two are met, which is 0.67
// and fails 0.8.
func TestRubricExample(t *testing.T) {
	c := metric.Criterion{Metric: metric.ResponseQuality, Threshold: 0.8, Rubrics: []metric.Rubric{
		{ID: "concise", Text: "Response is concise"}, {ID: "complete", Text: "Response includes all info"}, {ID: "tone", Text: "Response uses professional tone"},
	}}
	judge := says(block("concise", "Response is concise", "yes") + block("complete", "Response includes all info", "yes") + block("tone", "Response uses professional tone", "no"))
	r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge}, c, one(turn("What do I owe?", "$5")))
	if r.Score == nil || math.Abs(*r.Score-2./3) > 1e-9 || r.Status != metric.Failed || len(judge.asked) != metric.DefaultSamples {
		t.Errorf("%s %s after %d questions", show(r.Score), r.Status, len(judge.asked))
	}
}

// TestLaptopExample is the sources': an answer whose two claims the tool's output
// supports, and one with a wrong price and an invented service.
func TestLaptopExample(t *testing.T) {
	laptop := metric.Invocation{
		User: text("Tell me about the Laptop X"),
		Events: []metric.Event{
			{Author: "shop", Content: &metric.Content{Parts: []metric.Part{{Call: &metric.ToolCall{ID: "1", Name: "get_product", Args: map[string]any{"name": "Laptop X"}}}}}},
			{Author: "shop", Content: &metric.Content{Parts: []metric.Part{{Response: &metric.ToolResponse{ID: "1", Name: "get_product",
				Response: map[string]any{"product": "Laptop X", "price": 999, "stock": 5}}}}}},
		},
	}
	for _, c := range []struct {
		name, answer, sentences, claims string
		score                           float64
		status                          metric.Status
	}{
		{"supported", "The Laptop X costs $999 and we have 5 in stock.",
			"<sentence>The Laptop X costs $999</sentence> <sentence>and we have 5 in stock.</sentence>",
			claim("The Laptop X costs $999", "SUPPORTED", `"price": 999`, "null") + claim("and we have 5 in stock.", "SUPPORTED", `"stock": 5`, "null"), 1, metric.Passed},
		{"hallucinated", "The Laptop X costs $899 and includes free shipping.",
			"<sentence>The Laptop X costs $899</sentence><sentence>and includes free shipping.</sentence>",
			claim("The Laptop X costs $899", "CONTRADICTORY", "null", `"price": 999`) + claim("and includes free shipping.", "UNSUPPORTED", "null", "null"), 0, metric.Failed},
	} {
		laptop.Final = text(c.answer)
		judge := says(c.sentences, c.claims)
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge}, metric.Criterion{Metric: metric.Hallucinations, Threshold: 0.8}, one(laptop))
		if r.Score == nil || *r.Score != c.score || r.Status != c.status {
			t.Errorf("%s: %s %s: %s", c.name, show(r.Score), r.Status, r.Reason)
			continue
		}
		claims := r.Invocations[0].Steps[0].Claims
		if len(claims) != 2 || c.score == 1 && *claims[0].Supporting != `"price": 999` || c.score == 0 && (claims[0].Supporting != nil || *claims[0].Contradicting != `"price": 999`) {
			t.Errorf("%s: %+v", c.name, claims)
		}
	}
}
