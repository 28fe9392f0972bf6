package lsp_test

import (
	"encoding/json"
	"testing"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestScore checks that typed grades get a verdict, by request and by command.
func TestScore(t *testing.T) {
	e := running(t, lsp.Host{}, everything, "")
	type result struct {
		Score    float64
		Verdict  string
		Ungraded int
		Graders  []struct{ Name, Verdict string }
	}
	for _, c := range []struct {
		grades string
		want   result
	}{
		{`[{"id":"days","satisfied":true},{"id":"label","satisfied":true}]`, result{Score: 1, Verdict: "pass"}},
		{`[{"id":"days","satisfied":true},{"grader":"rubric","id":"label","satisfied":false}]`, result{Score: 0.5, Verdict: "fail"}},
		{`[{"id":"days","satisfied":true}]`, result{Verdict: "ungraded", Ungraded: 1}},
		{`[{"id":"days","score":7}]`, result{Verdict: "ungraded", Ungraded: 2}},
	} {
		params := `,"case":"window","grades":` + c.grades
		var asked, commanded result
		e.RequestInto(&asked, "rubric/score", `{"uri":"`+doc+`"`+params+`}`)
		raw, err := command(e, "rubric.score", params)
		if err != nil || json.Unmarshal(raw, &commanded) != nil {
			t.Fatalf("%s, %v", raw, err)
		}
		if len(asked.Graders) != 1 || asked.Score != c.want.Score || asked.Verdict != c.want.Verdict || asked.Ungraded != c.want.Ungraded || asked.Verdict != commanded.Verdict {
			t.Errorf("%s: %+v, %+v", c.grades, asked, commanded)
		}
	}
}

// TestItems checks the test tree: a suite, its cases and their criteria, with stable ids.
func TestItems(t *testing.T) {
	type item struct {
		ID, Kind, Label string
		Range           lsptest.Range
		ResultRange     lsptest.Range `json:"told"`
		Target          struct{ Case, Grader, Criterion string }
		Children        []item
	}
	e := running(t, lsp.Host{}, everything, "")
	items := func() (root item) {
		e.RequestInto(&root, "rubric/testItems", `{"textDocument":{"uri":"`+doc+`"}}`)
		return root
	}
	root := items()
	if root.ID != doc || root.Kind != "suite" || root.Label != "a.eval" || len(root.Children) != 2 {
		t.Fatalf("%+v", root)
	}
	label := root.Children[0].Children[1]
	if label.ID != doc+"#window/rubric/label" || label.Kind != "criterion" || label.Range.Start.Line != 8 || label.Target.Criterion != "label" || label.Label != "Offers a prepaid label" {
		t.Errorf("%+v", label)
	}
	if label.ResultRange.Start.Line != 9 {
		t.Errorf("hints are in line %d, and the result in line %d", label.Range.Start.Line, label.ResultRange.Start.Line)
	}
	e.Change(doc, 2, lsptest.TextChange(0, 0, 0, "# moved\n"))
	if moved := items().Children[0].Children[1]; moved.ID != label.ID || moved.Range.Start.Line != 9 {
		t.Errorf("%+v", moved)
	}
	e.Change(doc, 3, lsptest.FullChange("a: 1\n"))
	if raw := e.Request("rubric/testItems", `{"textDocument":{"uri":"`+doc+`"}}`); string(raw) != "null" {
		t.Errorf("%s", raw)
	}
}
