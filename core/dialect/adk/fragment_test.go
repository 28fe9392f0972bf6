package adk_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// TestFragments: a part of a file, as documentation shows it, means what the file means that its fix
// makes, and each place is in the part's own text. A part that several files could contain means nothing.
func TestFragments(t *testing.T) {
	rubric := func(id, says string) string {
		return `{ "rubric_id": "` + id + `", "rubric_content": { "text_property": "` + says + `" } }`
	}
	response, tools := rubric("sources", "The response names its sources."), rubric("search", "Agent searches before it answers.")
	const turn = `{ "user_content": { "parts": [{ "text": "Hi" }] }, "final_response": { "parts": [{ "text": "Hello" }] } }`
	for name, c := range map[string]struct {
		file, body string
		frames     int
	}{
		"rubrics of the response":  {adk.ConfigName, `"rubrics": [` + response + `, ` + rubric("tone", "The response is polite.") + `]`, 1},
		"rubrics of tools":         {adk.ConfigName, "\"rubrics\": [\n  " + tools + ",\n]\n", 1},
		"a member in braces":       {adk.ConfigName, `{ "rubrics": [` + tools + `] }`, 1},
		"a bare list":              {adk.ConfigName, "// pasted\n[" + response + "]", 1},
		"one rubric":               {adk.ConfigName, response, 1},
		"a criterion":              {adk.ConfigName, `{ "threshold": 1.0, "rubrics": [` + tools + `] }`, 1},
		"metrics":                  {adk.ConfigName, "\"response_match_score\": 0.8,\n\"safety_v1\": 0.9\n", 1},
		"cases":                    {"a.evalset.json", `[{ "eval_id": "c", "conversation": [` + turn + `] }]`, 1},
		"a turn":                   {"a.evalset.json", turn, 1},
		"rubrics of two subjects":  {adk.ConfigName, `"rubrics": [` + response + `, ` + tools + `]`, 3},
		"a rubric without subject": {adk.ConfigName, rubric("id", "Clear yes/no statement"), 1},
		"a late subject":           {adk.ConfigName, "[" + response + ", " + rubric("id", "The agent's response is direct.") + "]", 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := adk.Open(c.file, c.body)
			if len(f.Fragment().Frames) != c.frames {
				t.Fatalf("%d frames", len(f.Fragment().Frames))
			}
			body, err := text.Apply(c.body, f.Wrap(f.Fragment(), f.Fragment().Frames[0]))
			if err != nil {
				t.Fatal(err)
			}
			fixed := adk.Open(c.file, body)
			if f.Role == adk.EvalSet {
				checkSameSet(t, c.body, adk.LowerSet(metric.Latest, f), adk.LowerSet(metric.Latest, fixed))
				return
			}
			own := adk.LowerConfig(metric.Latest, f)
			got, err := own.RequestedCriteria()
			want, _ := adk.LowerConfig(metric.Latest, fixed).RequestedCriteria()
			if isRead := c.frames == 1; (err == nil) != isRead || isRead && (!reflect.DeepEqual(got, want) || !own.Refused) {
				t.Errorf("%v, %v, not %v; refused %v", got, err, want, own.Refused)
			}
			for _, criterion := range own.Criteria {
				for _, n := range criterion.Node.Get("rubrics").List() {
					if at := c.body[n.Span.Start:n.Span.End]; !strings.HasPrefix(at, `{ "rubric_id"`) || !strings.HasSuffix(at, "} }") {
						t.Errorf("a rubric is at %q", at)
					}
				}
			}
		})
	}
}

// checkSameSet compares the sets of a fragment and of the whole file.
func checkSameSet(t *testing.T, body string, got, want adk.Set) {
	t.Helper()
	if len(got.Cases) != 1 || got.ID != want.ID || !reflect.DeepEqual(got.Cases[0].Conversation, want.Cases[0].Conversation) || !got.Refused {
		t.Errorf("%+v, not %+v", got, want)
	}
	for _, n := range got.Cases[0].Turns {
		if at := body[n.Span.Start:n.Span.End]; !strings.HasPrefix(at, `{ "user_content"`) || !strings.HasSuffix(at, "}") {
			t.Errorf("a turn is at %q", at)
		}
	}
}
