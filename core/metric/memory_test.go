package metric_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

// TestResultsAreSmall: what is kept of a turn does not grow with what was said in
// it, so that a long evalset takes little more room than its file.
func TestResultsAreSmall(t *testing.T) {
	const turns, most = 10_000, 400 // bytes of a turn and a metric
	var c metric.Conversation
	for i := range turns {
		invocation := turn("Where is it?", fmt.Sprintf("Order %d was shipped yesterday from our warehouse and should arrive within three working days.", i))
		invocation.ToolUses = []metric.ToolCall{{Name: "find", Args: map[string]any{"id": i}}}
		c.Actual, c.Expected = append(c.Actual, invocation), append(c.Expected, invocation)
	}
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	results := []metric.Result{
		metric.Evaluate(t.Context(), metric.Ports{}, metric.Criterion{Metric: metric.ToolTrajectory, Threshold: 1}, c),
		metric.Evaluate(t.Context(), metric.Ports{}, metric.Criterion{Metric: metric.ResponseMatch, Threshold: 0.8}, c),
	}
	if growth := int64(held()) - int64(before); growth > turns*most*int64(len(results)) {
		t.Errorf("%d bytes of a turn and a metric are kept", growth/turns/int64(len(results)))
	}
	for _, r := range results {
		if r.Status != metric.Passed || len(r.Invocations) != turns {
			t.Errorf("%s: %s", r.Metric, r.Status)
		}
	}
	runtime.KeepAlive(c)
}
