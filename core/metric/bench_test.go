package metric_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

// BenchmarkInvocations measures trajectory and ROUGE on 10,000 turns, as a test
// of a shop's agent has them; ns/op is for all of them. A bare walk over the
// words of the same texts is the yardstick.
func BenchmarkInvocations(b *testing.B) {
	const turns = 10_000
	var c metric.Conversation
	for i := range turns {
		actual := turn("Where is my order?", fmt.Sprintf("Your order %d was shipped yesterday from our warehouse in Leipzig and should arrive within three working days. You can track the parcel with the number in your confirmation email.", i))
		actual.ToolUses = []metric.ToolCall{{Name: "find_order", Args: map[string]any{"id": i, "customer": "c-1"}}, {Name: "track", Args: map[string]any{"parcel": fmt.Sprint("p", i)}}}
		expected := turn("Where is my order?", fmt.Sprintf("Order %d has been shipped and arrives in about three working days; the confirmation email has a tracking number.", i))
		expected.ToolUses = []metric.ToolCall{{Name: "find_order", Args: map[string]any{"customer": "c-1", "id": i}}, {Name: "track", Args: map[string]any{"parcel": fmt.Sprint("p", i)}}}
		c.Actual, c.Expected = append(c.Actual, actual), append(c.Expected, expected)
	}
	criteria := []metric.Criterion{{Metric: metric.ToolTrajectory, Threshold: 1}, {Metric: metric.ResponseMatch, Threshold: 0.8}}
	b.Run("both", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, criterion := range criteria {
				metric.Evaluate(b.Context(), metric.Ports{}, criterion, c)
			}
		}
		b.ReportMetric(turns*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	})
	b.Run("yardstick-fields", func(b *testing.B) {
		for b.Loop() {
			for i := range c.Actual {
				strings.Fields(strings.ToLower(c.Actual[i].Final.Parts[0].Text))
				strings.Fields(strings.ToLower(c.Expected[i].Final.Parts[0].Text))
			}
		}
		b.ReportMetric(turns*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	})
}
