package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/diag"
	domain "github.com/rubric-ls/rubric/core/rubric"
)

// drafted is a reply that a rule has nothing to say of.
const drafted = `{"rubrics":[{"id":"thirty-days","expected_outcome":"States that the window is 30 days","weight":2,"required":true},` +
	`{"id":"free-label","expected_outcome":"Offers a return label: it is free","weight":1,"required":true},{"id":"number","expected_outcome":"Asks for the order number","weight":1,"required":false}]}`

// drafter is a model that replies so, but to questions about what it fails at.
func drafter(t *testing.T, failing string) *httptest.Server {
	return serveProvider(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		content, _ := json.Marshal(drafted)
		if failing != "" && strings.Contains(string(asked), failing) {
			content = []byte(`"no"`)
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":"stop"}]}`, content)
	}))
}

// TestGenerate drafts in place, shows what it would do, and does nothing twice.
func TestGenerate(t *testing.T) {
	drafter(t, "Is helpful")
	const body = "# top\nevalcases:\n- id: a # first\n  expected_outcome: States the window and offers a label\n  input: Q\n- id: b\n  expected_outcome: Is helpful\n  input: Q\n" +
		"- id: c\n  expected_outcome: O\n  input: Q\n  rubrics: [Greets]\n- id: d\n  expected_outcome: Names the city\n  input: Q\n"
	dir := write(t, map[string]string{"x.eval.yaml": body, "none.eval.yaml": "evalcases: []\n", "x.evalset.json": `{"eval_set_id":"x","eval_cases":[]}`, "broken.eval.yaml": "evalcases:\n  - id: \"a\n",
		"anonymous.eval.yaml": "evalcases:\n- expected_outcome: Names the city\n  input: Q\n"})
	file := filepath.Join(dir, "x.eval.yaml")
	now := func() string {
		written, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(written)
	}
	for _, c := range []struct {
		args            string
		code            int
		out, wantStderr string
		same            bool
	}{
		{"FILE --diff", 2, "+  rubrics:\n+  - id: draft-states-window\n", "criteria drafted for 2 cases", true},
		{"FILE --diff --case a --verbose", 0, "@@", "draft-offers-label (weight 1, required): Offers a label", true},
		{"FILE --case e", 2, "", "no case `e`", true},
		{"FILE --judge none", 2, "", "there is no judge `none`", true},
		{"FILE --target openai:m --case a --diff", 0, "+    expected_outcome: \"Offers a return label: it is free\"\n", "drafted for 1 case", true}, // as in AgentV
		{"DIR/none.eval.yaml", 2, "", "has no cases", true},
		{"DIR/anonymous.eval.yaml --verbose", 0, "", "skips a case without an id; add an `id` first", true},
		{"DIR/x.evalset.json", 2, "", "x.evalset.json has no cases that could have criteria", true},
		{"DIR/broken.eval.yaml", 2, "", "broken.eval.yaml:2: ", true},
		{"", 2, "", "FILE is missing; for example `rubric generate rubrics my.eval.yaml --diff`", true},
		{"FILE --judge openai:m --case a --diff", 0, "+    expected_outcome: \"Offers a return label: it is free\"\n", "drafted for 1 case", true},
		{"FILE --judge openai:m", 2, "", "draft criteria for `b`: none of 3 replies was usable", false},
		{"FILE --judge openai:m", 2, "", "drafted for 0 cases; --verbose shows why", true},
		{"FILE --case a --case d --verbose", 0, "", "the case `a` already has criteria", true},
	} {
		before := now()
		code, stdout, stderr := runGenerate(t, c.args, dir, file)
		if code != c.code || !strings.Contains(stdout, c.out) || !strings.Contains(stderr, c.wantStderr) || (before == now()) != c.same || c.out == "" && stdout != "" {
			t.Errorf("%s: %d\n%s\n%s", c.args, code, stdout, stderr)
		}
	}
	if after := now(); strings.Count(after, "  rubrics:\n  - id: thirty-days\n") != 2 || !isSubsequence(body, after) {
		t.Errorf("%s", after)
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	if code, _, stderr := runGenerate(t, "FILE --judge openai:other --case b", dir, file); code != 3 || !strings.Contains(stderr, "could not be reached") {
		t.Errorf("%d %s", code, stderr)
	}
}

// runGenerate drafts with options in which DIR and FILE stand for what they are.
func runGenerate(t *testing.T, args, dir, file string) (code int, stdout, stderr string) {
	t.Helper()
	return rubric(t, "", append([]string{"generate", "rubrics"}, strings.Fields(strings.NewReplacer("DIR", dir, "FILE", file).Replace(args))...)...)
}

// isSubsequence reports whether a text is in another as it is, but for what was put
// between its characters.
func isSubsequence(before, after string) bool {
	for i := range len(after) {
		if before != "" && before[0] == after[i] {
			before = before[1:]
		}
	}
	return before == ""
}

// TestGenerateInCorpus drafts for all files of the reference implementation,
// each either without a model or with one: each file is only added to, line by line, check
// finds no new error, comments are what they were, and a second time nothing is
// done.
func TestGenerateInCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	drafter(t, "")
	files, cases := 0, map[string]int{}
	for _, file := range corpustest.Files(t, "", ".yaml", ".yml", ".jsonl") {
		path := filepath.Join("..", "..", "..", file.Path)
		if a := analysis.Of(host.NewInput(path, file.Body)); len(a.Suite().Cases)+len(a.Suite().Skipped) == 0 {
			continue
		}
		files++
		judge := []string{"offline", "openai:m"}[files%2]
		cases[judge] += countGenerated(t, path, file.Body, judge)
	}
	if cases["offline"] == 0 || cases["openai:m"] == 0 {
		t.Errorf("%d files, criteria for %v", files, cases)
	}
	t.Logf("%d files, criteria for %v cases", files, cases)
}

// countGenerated drafts for a copy of a file, and gives for how many cases.
func countGenerated(t *testing.T, path, body, judge string) int {
	copied := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(copied, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := rubric(t, "", "generate", "rubrics", copied, "--judge", judge)
	written, err := os.ReadFile(copied)
	refused := strings.Contains(stderr, "nothing checkable") || strings.Contains(stderr, "would not read the criteria") || // as of turns
		strings.Contains(stderr, "no cases that could have criteria") // cases of other files
	if err != nil || stdout != "" || code != 0 && !refused {
		t.Errorf("%s, %s: %d, %v\n%s%s", path, judge, code, err, stdout, stderr)
	}
	after := string(written)
	was, now := analysis.Of(host.NewInput(copied, body)), analysis.Of(host.NewInput(copied, after))
	if !isSubsequence(body, after) || strings.Count(body, "#") > strings.Count(after, "#") {
		t.Errorf("%s, %s: what was there is not all there\n%s", path, judge, after)
	}
	if countErrors(now) > countErrors(was) || len(now.Tree().Comments) != len(was.Tree().Comments) {
		t.Errorf("%s, %s: a fault or a comment more", path, judge)
	}
	if code, _, stderr := rubric(t, "", "generate", "rubrics", copied, "--judge", judge); !refused && !strings.Contains(stderr, "drafted for 0 cases") {
		t.Errorf("%s, %s, again: %d %s", path, judge, code, stderr)
	}
	return countWithRubrics(now) - countWithRubrics(was)
}

func countErrors(a *analysis.Analysis) (n int) {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// countWithRubrics are the cases of a file that have criteria.
func countWithRubrics(a *analysis.Analysis) (n int) {
	seen := map[*domain.Grader]bool{}
	for _, c := range a.Suite().Cases {
		if g := c.Rubric(); g != nil && !seen[g] {
			seen[g] = true
			n++
		}
	}
	return n
}
