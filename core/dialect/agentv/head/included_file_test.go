package head_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// files are what stands beside the files of these tests.
var files = map[string]string{
	"two.yaml":                       "- {id: a, vars: {x: hi}, assert: [A]}\n- {id: b, vars: {x: ho}, criteria: B}\n",
	"two.jsonl":                      `{"id": "a", "vars": {"x": "hi"}, "assert": ["A"]}` + "\n\n" + `{"id": "b", "vars": {"x": "ho"}, "criteria": "B"}` + "\n",
	"two.csv":                        "\ufeffid,vars.x, __expected ,__description\na,hi,Hi\n,ho,Ho,B\n",
	"broken.csv":                     "id\n\"a",
	"two.json":                       `{"tests": [{"id": "a", "vars": {"x": "hi"}, "assert": ["A"]}]}`,
	"empty.yaml":                     "",
	"text.yaml":                      "nothing",
	"broken.yaml":                    "- {id: a",
	"mixed.yaml":                     "- {id: a, assert: [A]}\n- text\n",
	"endless.yaml":                   "&a [*a]",
	"asks.yaml":                      "- {id: a, input: Q, assertions: [A]}\n- {id: b, criteria: B}\n",
	"nested.yaml":                    "- file://two.yaml\n",
	"bad.yaml":                       "- {id: a, assert: [{type: composite}]}\n- {assert: [A]}\n",
	"rows.yaml":                      "- config: [{vars: {y: 1}}, {vars: {y: 2}}]\n  tests: [{vars: {x: '{{y}}'}, assert: [A]}]\n",
	"t/safe.yaml":                    "assert:\n  - Is safe\n  - include: kind.yaml\n",
	"t/kind.yaml":                    "assert: [Is kind]\n",
	"t/around.yaml":                  "assert: [{include: around.yaml}]\n",
	".agentv/templates/manners.yaml": "assert: [Is polite]\n",
}

// read supplies the files that the files of these tests refer to.
func read(name string) (string, bool) {
	body, found := files[name]
	return body, found
}

func reader(v agentv.Version) v4.Reader {
	return v4.Reader{Format: dialect.Format(agentv.EvalV4, v), Name: "f", ReadFile: read}
}

// TestIncludedFile reads tests of other files. Their spans are those of the references.
func TestIncludedFile(t *testing.T) {
	const a, b = `a asks "Say hi" llm-rubric(A)`, `b asks "Say ho" for "B" llm-rubric(B)`
	for _, c := range []struct{ name, tests, want string }{
		{"one for all", "file://two.yaml", a + "\n" + b},
		{"without a scheme", "two.yaml", a + "\n" + b},
		{"in lines", "[file://two.jsonl]", a + "\n" + b},
		{"in JSON", "[file://two.json]", a},
		{"between others", "[{id: first, vars: {x: he}, assert: [F]}, file://two.json]", `first asks "Say he" llm-rubric(F)` + "\n" + a},
		{"none in it", "[file://empty.yaml]", ""},
		{"no list", "[file://text.yaml]", "! tests_file_invalid text.yaml fatal"},
		{"broken", "[file://broken.yaml]", "! tests_file_invalid broken.yaml fatal"},
		{"not only mappings", "[file://mixed.yaml]", "! tests_file_invalid mixed.yaml fatal"},
		{"references in it", "[file://nested.yaml]", "! tests_file_invalid nested.yaml fatal"},
		{"without an end", "[file://endless.yaml]", "! tests_file_invalid endless.yaml fatal"},
		{"missing", "[file://gone.yaml]", "! tests_file_missing gone.yaml"},
		{"several at once", "['file://*.yaml']", "! tests_elsewhere *.yaml"},
		{"a program", "file://tests.py:make", "! tests_elsewhere tests.py:make"},
		{"a table", "file://two.csv", `a asks "Say hi" equals-Hi` + "\n" + `row-2 asks "Say ho" for "B" equals-Ho` + "\n! tests_row_lost two.csv: row 1 has 3 of 4 cells; the others are empty"},
		{"a broken table", "file://broken.csv", "! tests_table_invalid broken.csv: parse error on line 2, column 3: extraneous or missing \" in quoted-field fatal"},
		{"by the older name", "[{include: two.yaml, type: tests}]", "! tests_elsewhere two.yaml"},
		{"with faults", "[file://bad.yaml]", "! tests_of_file_skipped 2 of the tests of bad.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := "{prompts: ['Say {{ x }}'], tests: " + c.tests + "}"
			suite := reader(agentv.Head).LowerSuite(parse(body))
			if got := shape(suite); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			for _, k := range append(suite.Cases, suite.Skipped...) {
				if at := body[k.Span.Start:k.Span.End]; k.SourceFile != "" && (k.SelectionSpan != k.Span || !strings.Contains(c.tests, at)) {
					t.Errorf("%s of %s is shown at %q", k.ID, k.SourceFile, at)
				}
			}
		})
	}
}

// TestIncludedFileUnread checks that without a file reader no file is reported as missing.
func TestIncludedFileUnread(t *testing.T) {
	for body, want := range map[string]string{
		"{prompts: P, tests: [file://two.yaml]}":                          "! tests_elsewhere two.yaml",
		"{prompts: P, tests: [], scenarios: [file://rows.yaml]}":          "! scenarios_elsewhere rows.yaml",
		"{prompts: P, tests: [{id: a, assert: [A, {include: manners}]}]}": "a asks \"P\" llm-rubric(A)\n! include_unread manners",
	} {
		if got := shape(v4.Reader{Format: head.Format, Name: "f"}.LowerSuite(parse(body))); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", body, got, want)
		}
	}
}

// TestTemplates reads assertions that lists include.
func TestTemplates(t *testing.T) {
	for ref, want := range map[string]string{
		"manners":       `a asks "P" llm-rubric(A)(Is polite)`,
		"t/safe.yaml":   `a asks "P" llm-rubric(A)(Is safe)(Is kind)`,
		"gone":          "! include_not_found gone\n! case_error_skipped include_not_found",
		"t/around.yaml": "! include_cycle around.yaml\n! case_error_skipped include_cycle",
		"text.yaml":     "! include_invalid text.yaml\n! case_error_skipped include_invalid",
	} {
		body := "{prompts: P, tests: [{id: a, assert: [A, {include: " + ref + "}]}]}"
		if got := shape(reader(agentv.Head).LowerSuite(parse(body))); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", ref, got, want)
		}
	}
}

// TestV4IncludedFile checks that V4 reads files of tests and puts the suite's input first.
func TestV4IncludedFile(t *testing.T) {
	want := `a asks "@[User]:\nBe kind.\n\n@[User]:\nQ" rubrics(A)` + "\n" + `b asks "Be kind." for "B"`
	if got := shape(reader(agentv.V4).LowerSuite(parse("{tests: asks.yaml, input: Be kind.}"))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestScenarios combines tests with variables.
func TestScenarios(t *testing.T) {
	for _, c := range []struct{ name, scenarios, want string }{
		{"two and two", "[{config: [{vars: {x: 1}}, {vars: {x: 2}}], tests: [{vars: {y: a}, assert: [A]}, {assert: [B]}]}]", `scenario-1-1-1 asks "1 a" llm-rubric(A)
scenario-1-1-2 asks "1 {{ y }}" llm-rubric(B)
scenario-1-2-1 asks "2 a" llm-rubric(A)
scenario-1-2-2 asks "2 {{ y }}" llm-rubric(B)`},
		{"what both say", "[{config: [{vars: {x: 1, y: 1}, criteria: C, assert: [R]}], tests: [{vars: {y: 2}, assert: [T]}]}]",
			`scenario-1-1-1 asks "1 2" for "C" llm-rubric(R)(T)` + "\n! criteria_with_assert"},
		{"ids", "[{config: [{id: r, vars: {x: 1}}], tests: [{id: t, assert: [A]}, {assert: [B]}]}, {config: [{id: s}], tests: [{assert: [C]}]}]",
			`t asks "1 {{ y }}" llm-rubric(A)
r__scenario_test_2 asks "1 {{ y }}" llm-rubric(B)
s asks "{{ x }} {{ y }}" llm-rubric(C)`},
		{"of another file", "[file://rows.yaml]", `scenario-1-1-1 asks "1 1" llm-rubric(A)` + "\n" + `scenario-1-2-1 asks "2 2" llm-rubric(A)`},
		{"none", "[{config: []}, 7]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := "{prompts: ['{{ x }} {{ y }}'], scenarios: " + c.scenarios + "}"
			if got := shape(reader(agentv.Head).LowerSuite(parse(body))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestStandalone checks that a list of tests may lack what the including suite sets.
func TestStandalone(t *testing.T) {
	skipped := func(s *rubric.Suite) (ids string) {
		for _, c := range s.Skipped {
			ids += " " + c.ID
		}
		return ids
	}
	lists := reader(agentv.Head).LowerList(parse(files["bad.yaml"]), agentv.TestList)
	if got, want := shape(lists)+skipped(lists), "! unsupported_assertion_type composite\n! case_incomplete_skipped id a "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	stable := reader(agentv.V4).LowerList(parse(files["asks.yaml"]), agentv.TestList)
	if got, want := shape(stable)+skipped(stable), `a asks "Q" rubrics(A) b`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	rows := reader(agentv.Head).LowerList(parse(files["rows.yaml"]), agentv.ScenarioList)
	if got, want := shape(rows)+skipped(rows), " scenario-1-1-1 scenario-1-2-1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLowerJSONL reads JSONL of the later versions with a sidecar.
func TestLowerJSONL(t *testing.T) {
	lines := yaml.ParseJSONL(text.New("t.jsonl", files["two.jsonl"]))
	sidecar := parse("{prompts: ['Say {{ x }}'], assert: [S]}")
	want := `a asks "Say hi" llm-rubric(A) llm-rubric(S)` + "\n" + `b asks "Say ho" for "B" llm-rubric(S)`
	if got := shape(reader(agentv.Head).LowerJSONL(lines, sidecar)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if v := agentv.DetectJSONLVersion(lines); v != agentv.Head {
		t.Errorf("version %q", v)
	}
	broken := yaml.ParseJSONL(text.New("t.jsonl", "{\"id\": \"a\", \"assertions\": [\"A\"], \"input\": \"Q\"}\n{\n"))
	if got, want := shape(reader(agentv.V4).LowerJSONL(broken, nil)), "a asks \"Q\" rubrics(A)\n! jsonl_syntax fatal"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestThreshold checks that a test's threshold takes precedence over the suite's.
func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		version agentv.Version
		body    string
		want    float64 // 0: none
	}{
		{agentv.Head, "{prompts: P, tests: [{id: a, assert: [A]}]}", 0},
		{agentv.Head, "{prompts: P, threshold: 0.5, tests: [{id: a, assert: [A]}]}", 0.5},
		{agentv.Head, "{prompts: P, threshold: 0.5, default_test: {threshold: 0.6}, tests: [{id: a, assert: [A]}]}", 0.6},
		{agentv.Head, "{prompts: P, threshold: 0.5, tests: [{id: a, assert: [A], threshold: 0.7}]}", 0.7},
		{agentv.Head, "{prompts: P, tests: [{id: a, assert: [A], run: {threshold: 0.9}, execution: {threshold: 0.8}, threshold: 0.7}]}", 0.9},
		{agentv.Head, "{prompts: P, threshold: 0.5, tests: [{id: a, assert: [A], threshold: 7}]}", 0.5},
		{agentv.V4, "{threshold: 0.5, execution: {threshold: 0.6}, tests: [{id: a, input: Q, assertions: [A]}]}", 0.6},
		{agentv.V4, "{execution: {threshold: 0.6}, tests: [{id: a, input: Q, assertions: [A], execution: {threshold: 0.7}}]}", 0.7},
	} {
		got := reader(c.version).LowerSuite(parse(c.body)).Cases[0].PassAt(false)
		if got == nil && c.want != 0 || got != nil && *got != c.want {
			t.Errorf("%s: %v, want %v", c.body, got, c.want)
		}
	}
}

// TestFileCache checks that a file is read once, and that a suite accepts a limited number of tests
// from other files.
func TestFileCache(t *testing.T) {
	asked, left := 0, 3
	r := v4.Reader{Format: head.Format, Remaining: &left, Cache: &v4.FileCache{}, ReadFile: func(name string) (string, bool) {
		asked++
		return read(name)
	}}
	body := "{prompts: P, default_test: ref://d, tests: [" + strings.Repeat("file://two.yaml, ", 50) + "{id: own, assert: [A]}]}"
	for _, want := range []string{"a a b own", "own"} {
		suite := r.LowerSuite(parse(body))
		var ids []string
		for _, c := range suite.Cases {
			ids = append(ids, c.ID)
		}
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != want || asked != 1 || len(suite.Losses) != 1 || suite.Losses[0].Kind != v4.DefaultTestInOtherFile {
			t.Errorf("%s, want %s; asked %d times; %v", got, want, asked, suite.Losses)
		}
	}
}

// TestDefaultTestFile checks that a default test in another file counts as one in the file itself.
func TestDefaultTestFile(t *testing.T) {
	r := v4.Reader{Format: head.Format, ReadFile: func(name string) (string, bool) {
		return "{threshold: 0.4, vars: {who: Ann}, options: {rubric_prompt: 'Grade {{ output }}'}, assert: [{type: contains, value: hi}]}", name == "d.yaml"
	}}
	body := "{prompts: 'Greet {{ who }}', default_test: file://d.yaml, tests: [{id: a, assert: [A]}]}"
	c := r.LowerSuite(parse(body)).Cases[0]
	if c.Question != "Greet Ann" || len(c.Graders) != 2 || *c.PassAt(true) != 0.4 || c.Graders[0].Prompt == nil || c.Graders[1].Span.Start != strings.Index(body, "file:") {
		t.Errorf("%+v with %+v and %+v", c, c.Graders[0], c.Graders[1])
	}
}
