package adk_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// TestWrittenRunsAreRead checks that reading a written run returns the same conversations, and that
// ADK would accept the file.
func TestWrittenRunsAreRead(t *testing.T) {
	body := set(`{"eval_id": "c", "conversation": [
	 {"invocation_id": "i", ` + asks + `, "final_response": {"role": "model", "parts": [{"text": "<b> & é"}]},
	  "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "P"}, "type": "TOOL_USE_QUALITY", "description": "d"}],
	  "intermediate_data": {"tool_uses": [{"name": "f", "args": {"x": 1.50, "big": 9007199254740993}}, {"name": "g"}, {"name": "h", "args": {}}], "tool_responses": [{"id": "1", "response": {"ok": [null]}}],
	   "intermediate_responses": [["bot", [{"text": "wait"}]]]},
	  "app_details": {"agent_details": {"bot": {"name": "bot", "instructions": "Be kind.", "tool_declarations": [{"name": "f"}]}}}},
	 {` + asks + `, "intermediate_data": {"invocation_events": [{"author": "bot", "content": {"role": "model", "parts": [{"function_call": {"name": "f"}}, {"text": "on it"}]}}, {"author": "bot", "usage_metadata": {"prompt_token_count": 7, "traffic_type": "ON_DEMAND"}, "model_version": "m"}]}, "duration": 1.5}]}`)
	turns := adk.LowerSet(metric.Latest, adk.Open("s.evalset.json", body)).Cases[0].Conversation
	conversation := metric.Conversation{Actual: turns, Expected: turns}
	criteria := []metric.Criterion{
		{Metric: metric.ToolTrajectory, Threshold: 1, Match: metric.InOrder, IgnoreArgs: true, Tolerance: metric.Tolerance{IgnoredArgs: []string{"id"}, Number: 0.5}},
		{Metric: metric.ResponseQuality, Threshold: 0.75, Judge: metric.JudgeOptions{Model: "m", Samples: 3}, Rubrics: []metric.Rubric{{ID: "r", Text: "P"}}, WithIntermediate: true},
		{Metric: "mine", Threshold: 0.5},
	}
	run := adk.Run{ID: "bank_1", SetID: "bank", CreatedAt: 7, Criteria: criteria, Cases: slices.Values([]adk.MeasuredCase{
		{ID: "c", Conversation: conversation, Result: metric.EvaluateCase(t.Context(), metric.Ports{}, criteria, nil, metric.Conversation{Actual: turns, Expected: without(turns)})},
	})}
	var out strings.Builder
	if err := run.Write(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	f := adk.Open("x.evalset_result.json", text)
	if refused := adk.Refusals(metric.Latest, adk.ResultsFile, f.Tree.Root()); len(refused) > 0 {
		t.Errorf("%s at %s", refused[0].Kind, text[refused[0].Span.Start:refused[0].Span.End])
	}
	rec := adk.LowerResults(metric.Latest, f)
	if rec.Refused || rec.SetID != "bank" || len(rec.Cases) != 1 || !reflect.DeepEqual(rec.Cases[0].Conversation, conversation) {
		t.Errorf("%+v\nis not\n%+v\nin %s", rec.Cases, conversation, text)
	}
	if !reflect.DeepEqual(rec.Criteria, criteria) {
		t.Errorf("%+v\nis not\n%+v", rec.Criteria, criteria)
	}
	for _, want := range []string{`"<b> & é"`, `"final_eval_status": 1`, `"eval_status": 3`, `"threshold": 0.5`, `"creation_timestamp": 7`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// without returns turns without rubrics, which belong to the case.
func without(turns []metric.Invocation) []metric.Invocation {
	var all []metric.Invocation
	for _, i := range turns {
		i.Rubrics = nil
		all = append(all, i)
	}
	return all
}
