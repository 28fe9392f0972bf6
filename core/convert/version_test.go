package convert_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

// meaning returns what is graded of a case, as JSON: its messages, threshold and graders.
func meaning(c *rubric.Case, to agentv.Version) string {
	type criterion struct {
		ID, Text, Operator string
		Weight             float64
		Required           bool
		MinScore           *float64
		Bands              [][2]float64
	}
	type grader struct {
		Name                string
		Weight              float64
		Negate, Required    bool
		MinScore, Threshold *float64
		Criteria            []criterion
		Prompt              string
		Argv                []string
		Config, Value       any
		Members             []grader
		Limits              *rubric.Limits
		Fields              []rubric.Field
		Type                string
	}
	var of func(list []*rubric.Grader) []grader
	of = func(list []*rubric.Grader) (all []grader) {
		for _, g := range list {
			one := grader{Name: g.Name, Weight: g.Weight, Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Limits: g.Limits, Fields: g.Fields, Members: of(g.Members)}
			for _, member := range g.Members {
				one.Members[slices.Index(g.Members, member)].Weight = g.MemberWeight(member)
			}
			for _, c := range g.Criteria {
				k := criterion{c.ID, c.Text, c.Operator, c.Weight, c.IsRequired(), c.MinScore, nil}
				for _, b := range c.Bands {
					k.Bands = append(k.Bands, [2]float64{b.Lo, b.Hi})
				}
				one.Criteria = append(one.Criteria, k)
			}
			if g.Prompt != nil && len(g.Criteria) == 0 {
				one.Prompt = g.Prompt.Path
			}
			if g.Code != nil {
				one.Argv, one.Config = g.Code.Argv, g.Code.Config
			}
			if g.Assert != nil && (g.Kind == rubric.Deterministic || g.Kind == rubric.TraceSteps || g.Kind == rubric.External) {
				one.Type, one.Value = g.Assert.Type, g.Assert.Value
			}
			all = append(all, one)
		}
		return all
	}
	encoded, _ := json.Marshal(map[string]any{"id": c.ID, "question": c.Question, "answer": c.ReferenceAnswer, "threshold": c.PassAt(false), "graders": of(c.Graders)})
	return string(encoded)
}

// TestVersionsOfCorpus converts every file between AgentV's versions. What is graded stays as it is, or the
// loss names the case. The result has no error that the source does not have.
func TestVersionsOfCorpus(t *testing.T) {
	var files []string
	for _, root := range []string{"../../testdata/corpus", filepath.Join(corpustest.Folder(), "corpus")} {
		_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".yaml") && !strings.Contains(path, "faulty") {
				files = append(files, path)
			}
			return nil
		})
	}
	converted := 0
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		source := analysis.Of(analysis.Input{Path: path, Text: string(body)})
		suite := source.Suite()
		if len(suite.Cases) == 0 || suite.Dialect != agentv.Name || source.ADK() != "" || source.Tree().Root().IsSeq() || len(errorsIn(t, path, string(body))) > 0 {
			continue
		}
		for name, to := range convert.VersionNames {
			if to == convert.VersionOf(suite) {
				continue
			}
			made, err := convert.ToVersion(suite, source.Tree(), to, "x")
			if err != nil {
				continue
			}
			converted++
			out := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: made.Files[0].Text}).Suite()
			if got := convert.VersionOf(out); got != to {
				t.Errorf("%s to %s is read as %s", path, name, got)
				continue
			}
			for _, e := range errorsIn(t, "x.eval.yaml", made.Files[0].Text) {
				if !strings.HasPrefix(e, "unknown-field:") { // variables of the newest version are not compared with fields
					t.Errorf("%s to %s: %s", path, name, e)
				}
			}
			for _, c := range suite.Cases {
				if slices.ContainsFunc(made.Losses, func(l convert.Loss) bool { return slices.Contains(l.Cases, c.ID) }) {
					continue
				}
				after := out.Case(c.ID)
				if after == nil || meaning(after, to) != meaning(c, to) {
					now := "gone"
					if after != nil {
						now = meaning(after, to)
					}
					t.Errorf("%s to %s: %s is\n%s, was\n%s", path, name, c.ID, now, meaning(c, to))
				}
			}
		}
	}
	t.Logf("%d conversions of %d files", converted, len(files))
	if converted < 20 {
		t.Errorf("only %d conversions", converted)
	}
}

// TestVersionLosses checks the loss for each thing that a version cannot express.
func TestVersionLosses(t *testing.T) {
	v4 := func(grader string) string {
		return "tests:\n  - {id: a, criteria: C, input: Q, assertions: [" + grader + "]}\n"
	}
	for _, c := range []struct{ to, body, lost string }{
		{"seed", v4("{type: contains, value: x}, Fine"), "`contains` is left out: there is no grader like it (`a`)"},
		{"seed", v4("{type: latency, threshold: 5, negate: true}, Fine"), "`latency` is left out: there is no `negate`"},
		{"seed", v4("{type: latency, threshold: 5, required: true}"), "a grader cannot be a gate"},
		{"seed", v4("{type: rubrics, criteria: [{outcome: X, operator: contradiction}]}"), "there is no `operator`"},
		{"seed", v4("{type: llm-grader, target: judge}"), "graders name no judge: `judge` is left out"},
		{"seed", v4("{type: tool-trajectory, mode: superset, expected: [{tool: f}]}, Fine"), "there is no mode `superset`"},
		{"seed", v4("{type: tool-trajectory, mode: exact, expected: [{tool: f, args: {x: 1}, max_duration_ms: 5}]}"), "`args_match: exact` is left out"},
		{"seed", "tests:\n  - {id: a, input: Q, assertions: [Fine], execution: {threshold: 0.5}}\n", "a case has no threshold"},
		{"seed", "tests:\n  - {id: a, input: Q, assertions: [Fine], tags: [x]}\n", "`tags` is left out (`a`)"},
		{"seed", "prompts: [Q]\ntests:\n  - {id: a, mode: conversation, turns: [{input: X, assert: [Fine]}]}\n  - {id: b, assert: [Fine]}\n", "conversations of several turns are left out (`a`)"},
		{"head", v4("{type: llm-grader, prompt: file://judge.md}"), "it becomes the `description`"},
		{"head", v4("{type: composite, name: c, aggregator: {type: threshold, threshold: 0.5}, assertions: [{name: m, type: is-json}]}"), "the aggregator `threshold` is left out"},
		{"v4", "prompts: [Q]\ntests:\n  - {id: a, assert: [Fine, {type: python, value: 'True'}]}\n", "`python` is left out"},
		{"v4", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, evaluators: [{name: j, type: llm_judge, prompt: judge.md}]}\n", "the files of prompts keep their variables"},
	} {
		source := analysis.Of(analysis.Input{Path: "a.eval.yaml", Text: c.body})
		made, err := convert.ToVersion(source.Suite(), source.Tree(), convert.VersionNames[c.to], "a")
		if err != nil {
			t.Fatalf("%s: %v", c.body, err)
		}
		if got := losses(made); !strings.Contains(got, c.lost) {
			t.Errorf("%s to %s lost\n%s, want %s", c.body, c.to, got, c.lost)
		}
	}
}
