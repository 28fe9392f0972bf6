package head_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
)

// loadTable loads a suite whose tests are those of a table.
func loadTable(table string) *rubric.Suite {
	r := v4.Reader{Format: dialect.Format(agentv.EvalV4, agentv.Head), Name: "f", ReadFile: func(string) (string, bool) { return table, true }}
	return r.LowerSuite(parse("{prompts: ['Say {{ x }}'], tests: file://sub/t.csv}"))
}

// TestExpectedColumn reads the assertion that a cell stands for.
func TestExpectedColumn(t *testing.T) {
	for cell, want := range map[string]string{
		"Hello, you":          `equals "Hello, you"`,
		"is-json-lines":       `equals "is-json-lines"`,
		"is-json":             `is-json`,
		"contains: a b":       `contains "a b"`,
		"not-icontains:a":     `icontains "a" negate`,
		"contains-any:a, b":   `contains-any ["a" "b"]`,
		"contains-all(0.5):a": `contains-all ["a"] gate 0.5`,
		"starts-with:a":       `starts-with "a" gate 0.75`,
		"ends-with(1):a":      `ends-with "a" gate 1`,
		"regex:a:b":           `regex "a:b"`,
		"latency(900)":        `latency`,
		"cost(0.01)":          `cost`,
		"file://g.py":         `script ["uv" "run" "python" "sub/g.py"]`,
		"python: g.py":        `script ["uv" "run" "python" "g.py"]`,
		"fn: x => true":       `inline-assert`,
		"similar:a":           "! tests_table_invalid",
		"latency":             "! tests_table_invalid",
		"file://g.js":         "! tests_table_invalid",
		"llm-rubric:Greets":   "! tests_row_lost",
	} {
		if got := describe(loadTable(`x,__expected` + "\n" + `hi,"` + cell + `"`)); !strings.HasPrefix(got, want) || got != want && want[0] != '!' {
			t.Errorf("%s: %s, want %s", cell, got, want)
		}
	}
}

// describe returns the only grader of a suite's case, or the kinds of the losses.
func describe(s *rubric.Suite) string {
	if len(s.Cases) == 0 {
		return shape(s)
	}
	g := s.Cases[0].Graders[0]
	parts := []string{g.Assert.Type}
	if g.Assert.Value != nil {
		parts = append(parts, fmt.Sprintf("%q", g.Assert.Value))
	}
	if g.Code != nil {
		parts = append(parts, fmt.Sprintf("%q", g.Code.Argv))
	}
	if g.Negate {
		parts = append(parts, "negate")
	}
	if g.MinScore != nil {
		parts = append(parts, fmt.Sprint("gate ", *g.MinScore))
	}
	return strings.Join(parts, " ")
}

// TestTableColumns reads the columns that are no variables, and refuses what AgentV refuses.
func TestTableColumns(t *testing.T) {
	s := loadTable(`id,vars.a.b,vars.a.c,x,x,__expected,__expected2,__metric,__threshold,__metadata:tags[],__metadata:source,__config:__expected2:threshold
" ",1,2,old,"new ""x""",Hi,Ho,greets,0.4x,"one\, two, three",csv,0.6
`)
	if len(s.Cases) != 1 {
		t.Fatal(shape(s))
	}
	c := s.Cases[0]
	if c.ID != "row-1" || c.Question != `Say new "x"` || *c.Threshold != 0.4 || fmt.Sprintf("%q", c.Tags) != `["one, two" "three"]` {
		t.Errorf("%s, threshold %v, tags %q", shape(s), *c.Threshold, c.Tags)
	}
	if a, b := c.Graders[0], c.Graders[1]; a.Name != "greets" || a.MinScore != nil || b.Name != "greets" || *b.MinScore != 0.6 {
		t.Errorf("%+v, %+v", a, b)
	}
	for table, want := range map[string]string{
		"x,__provider_output\nhi,Hi":                   "row 1: the column `__provider_output` is no longer read",
		"x,__config:__expected:weight\nhi,1":           "row 1: the column `__config:__expected:weight` sets no `threshold`",
		"x,__config:__expected0:threshold\nhi,1":       "row 1: the column `__config:__expected0:threshold` names no column of assertions",
		"x,__config:__expected:threshold\nhi,1\nho,\n": "row 2: the column `__config:__expected:threshold` holds no number",
	} {
		if got := shape(loadTable(table)); !strings.Contains(got, "! tests_table_invalid sub/t.csv: "+want) {
			t.Errorf("%q: %s", table, got)
		}
	}
	for _, empty := range []string{"", "\n\n", "id,x\n"} {
		if got := shape(loadTable(empty)); got != "" {
			t.Errorf("%q: %s", empty, got)
		}
	}
}
