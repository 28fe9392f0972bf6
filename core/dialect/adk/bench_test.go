package adk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// BenchmarkRecorded evaluates an evalset and a result file of 10,000 turns, and decodes the same
// texts with the standard library for comparison.
func BenchmarkRecorded(b *testing.B) {
	const turns = 10_000
	set, recorded := shop(turns)
	criteria := []metric.Criterion{{Metric: metric.ToolTrajectory, Threshold: 1}, {Metric: metric.ResponseMatch, Threshold: 0.5}}
	b.Run("measured", func(b *testing.B) {
		b.SetBytes(int64(len(set) + len(recorded)))
		for b.Loop() {
			run, err := adk.ReadRecording(metric.Latest, adk.Open("x.evalset_result.json", recorded))
			if err != nil {
				b.Fatal(err)
			}
			trial := adk.LowerSet(metric.Latest, adk.Open("x.evalset.json", set)).Evaluation(criteria, run)
			measure := trial.Measure(metric.Ports{})
			for _, c := range trial.Suite.Cases {
				if _, err := measure(context.Background(), c); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(turns*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	})
	b.Run("yardstick-encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(set) + len(recorded)))
		for b.Loop() {
			for _, body := range []string{set, recorded} {
				if err := json.Unmarshal([]byte(body), new(any)); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(turns*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	})
}

// shop returns an evalset with a number of turns, ten per case, and a run of it.
func shop(turns int) (set, recorded string) {
	var cases, runs strings.Builder
	for i := range turns {
		expected := shopTurn(i, "Order %d has been shipped and arrives in about three working days; the confirmation email has a tracking number.")
		actual := shopTurn(i, "Your order %d was shipped yesterday from our warehouse in Leipzig and should arrive within three working days.")
		if i%10 == 0 {
			fmt.Fprintf(&cases, "    {\n      \"eval_id\": \"case_%d\",\n      \"conversation\": [", i/10)
			fmt.Fprintf(&runs, "    {\n      \"eval_id\": \"case_%d\",\n      \"eval_metric_result_per_invocation\": [", i/10)
		}
		end := ","
		if i%10 == 9 {
			end = "\n      ]\n    },\n"
		}
		cases.WriteString(expected + end)
		runs.WriteString("\n{ \"actual_invocation\":" + actual + ",\n\"expected_invocation\":" + expected + " }" + end)
	}
	in := func(key string, list *strings.Builder) string {
		return "{\n  \"eval_set_id\": \"shop\",\n  \"" + key + "\": [\n" + strings.TrimSuffix(list.String(), ",\n") + "\n  ]\n}\n"
	}
	return in("eval_cases", &cases), in("eval_case_results", &runs)
}

// shopTurn returns a turn in ADK's format.
func shopTurn(i int, answer string) string {
	return fmt.Sprintf(`
        {
          "user_content": { "parts": [{ "text": "Where is my \"order\"?" }], "role": "user" },
          "final_response": { "parts": [{ "text": "%[2]s" }], "role": "model" },
          "intermediate_data": {
            "tool_uses": [
              { "name": "find_order", "args": { "id": %[1]d, "customer": "c-1" } },
              { "name": "track", "args": { "parcel": "p%[1]d" } }
            ]
          }
        }`, i, fmt.Sprintf(answer, i))
}
