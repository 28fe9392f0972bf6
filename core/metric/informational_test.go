package metric_test

import (
	"encoding/json"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// TestInformationalMetrics compares with ADK's informational metrics. The expected numbers are those of
// ADK's test_efficiency_evaluators.py (2.10).
func TestInformationalMetrics(t *testing.T) {
	const (
		usage  = `{"prompt_token_count": 700, "cached_content_token_count": 100, "tool_use_prompt_token_count": 20, "candidates_token_count": 200, "thoughts_token_count": 80, "total_token_count": 9999}`
		small  = `{"promptTokenCount": 60, "candidatesTokenCount": 40}`
		thinks = `{"prompt_token_count": 50, "candidates_token_count": 10, "thoughts_token_count": 40}`
		plain  = `{"prompt_token_count": 200, "candidates_token_count": 100}`
	)
	events := func(usages ...string) string {
		all := ""
		for i, u := range usages {
			if i > 0 {
				all += ","
			}
			all += `{"author": "agent", "usage_metadata": ` + u + `}`
		}
		return `{"intermediate_data": {"invocation_events": [` + all + `]}}`
	}
	for name, c := range map[string]struct {
		turns []string
		text  string
		want  string // without the turns
	}{
		"calls by hand": {
			[]string{`{"intermediate_data": {"tool_uses": [{"name": "a"}, {"name": "b"}]}}`, `{"intermediate_data": {"tool_uses": [{"name": "a"}]}}`},
			"1.5 tool calls per turn", `{"tool_call_count_v1":1.5}`,
		},
		"calls in events": {
			[]string{`{"intermediate_data": {"invocation_events": [{"author": "a", "model_version": "m", "content": {"parts": [{"function_call": {"name": "a"}}]}}, {"author": "a", "usage_metadata": null}]}}`},
			"1 tool call, 1 model call", `{"tool_call_count_v1":1,"inference_call_count_v1":1}`,
		},
		"nothing recorded": {[]string{`{}`}, "0 tool calls", `{"tool_call_count_v1":0}`},
		"no events":        {[]string{events()}, "0 tool calls", `{"tool_call_count_v1":0,"inference_call_count_v1":0}`},
		"sums of a turn": {
			[]string{events(small, plain)}, "0 tool calls, 2 model calls, 400 tokens (260 in, 140 out)",
			`{"tool_call_count_v1":0,"inference_call_count_v1":2,"token_usage_v1":{"total_tokens":400,"input_tokens":260,"prompt_tokens":260,"output_tokens":140,"candidates_tokens":140}}`,
		},
		"all counts; the backend's total is ignored": {
			[]string{events(usage)}, "0 tool calls, 1 model call, 1000 tokens (720 in, 280 out)",
			`{"tool_call_count_v1":0,"inference_call_count_v1":1,"token_usage_v1":{"total_tokens":1000,"input_tokens":720,"prompt_tokens":700,"cached_tokens":100,"tool_use_tokens":20,"output_tokens":280,"candidates_tokens":200,"reasoning_tokens":80}}`,
		},
		"a count that one turn does not report is zero there": {
			[]string{events(thinks), events(plain)}, "0 tool calls, 1 model call, 200 tokens (125 in, 75 out) per turn",
			`{"tool_call_count_v1":0,"inference_call_count_v1":1,"token_usage_v1":{"total_tokens":200,"input_tokens":125,"prompt_tokens":125,"output_tokens":75,"candidates_tokens":55,"reasoning_tokens":20}}`,
		},
		"only a prompt": {
			[]string{events(`{"prompt_token_count": 500}`)}, "0 tool calls, 1 model call, 500 tokens (500 in, n/a out)",
			`{"tool_call_count_v1":0,"inference_call_count_v1":1,"token_usage_v1":{"total_tokens":500,"input_tokens":500,"prompt_tokens":500}}`,
		},
		"a turn without a duration is left out": {
			[]string{`{"duration": 3.0}`, `{"duration": null}`}, "0 tool calls, 3.00 s per turn", `{"tool_call_count_v1":0,"invocation_duration_v1":3}`,
		},
	} {
		var turns []json.RawMessage
		for _, turn := range c.turns {
			turns = append(turns, json.RawMessage(turn))
		}
		got := metric.Measure(adk.ReadTurns(turns))
		mean, err := json.Marshal(got.Figures)
		if err != nil || string(mean) != c.want || got.PerTurn() != c.text || len(got.Turns) != len(turns) {
			t.Errorf("%s: %s %q, %d turns", name, mean, got.PerTurn(), len(got.Turns))
		}
	}
	if metric.Measure(nil) != nil {
		t.Error("figures of no turns")
	}
}
