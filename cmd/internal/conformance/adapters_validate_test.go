package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/yaml"
)

func init() {
	for kind, run := range map[string]adapter{
		"validate_eval":               validateEval(agentv.Seed),
		"validate_eval@stable-4.42.4": validateEval(agentv.V4),
		"validate_eval@head":          validateEval(agentv.Head),

		"validate_targets": validateCase(targetsFindings, errorFree),
		"validate_config":  validateCase(configFindings, errorFree),
		"validate_prompt":  validatePrompt, "validate_file_refs": validateFileRefs,
	} {
		adapters[kind] = run
	}
}

// findingView is a finding as the reference reports it; a null location is the
// file as a whole.
func findingView(f finding) map[string]any {
	view := map[string]any{"category": f.Category, "severity": string(f.Severity), "location": nil}
	if f.Path != "" {
		view["location"] = f.Path
	}
	return view
}

func validateEval(v agentv.Version) adapter {
	check := func(tree *yaml.Tree) []finding { return evalFindings(v, tree, surroundings{}) }
	return validateCase(check, func(found []finding) bool { return accepts(v, found) })
}

// errorFree is what makes a file valid where warnings do not count.
func errorFree(found []finding) bool {
	return !slices.ContainsFunc(found, func(f finding) bool { return f.Severity == severityError })
}

// validateCase compares the findings: `errors` is all of them, `diagnostics` some.
func validateCase(check func(*yaml.Tree) []finding, passes func([]finding) bool) adapter {
	return func(t *testing.T, c testCase) error {
		in := decode[struct {
			YAML string `json:"yaml"`
		}](t, c.Input)
		want := decode[struct {
			Valid       *bool            `json:"valid"`
			Errors      []map[string]any `json:"errors"`
			Diagnostics []map[string]any `json:"diagnostics"`
		}](t, c.Expected)
		found := check(parse(in.YAML))
		if want.Valid != nil && *want.Valid != passes(found) {
			return fmt.Errorf("valid is %v: %v", passes(found), found)
		}
		if want.Errors != nil {
			if len(found) != len(want.Errors) {
				return fmt.Errorf("found %v", found)
			}
			for i, f := range found {
				if err := compareJSON(toJSON(want.Errors[i]), findingView(f), false); err != nil {
					return fmt.Errorf("finding %d: %w", i, err)
				}
			}
		}
		for _, w := range want.Diagnostics {
			if !slices.ContainsFunc(found, func(f finding) bool { return compareJSON(toJSON(w), findingView(f), false) == nil }) {
				return fmt.Errorf("%v is not among %v", w, found)
			}
		}
		return nil
	}
}

func validatePrompt(t *testing.T, c testCase) error {
	in := decode[struct {
		Template string `json:"template"`
	}](t, c.Input)
	usable, unknown := checkPrompt(in.Template)
	got := map[string]any{"error": "prompt_missing_required_variable"}
	if usable {
		warnings := min(len(unknown), 1) // however many, they share one
		got = map[string]any{"ok": true, "warnings": float64(warnings)}
	}
	return compareJSON(decode[any](t, c.Expected), got, true)
}

func validateFileRefs(t *testing.T, c testCase) error {
	in := decode[struct {
		YAML  string            `json:"yaml"`
		Files map[string]string `json:"files"`
	}](t, c.Input)
	found := fileRefFindings(parse(in.YAML), func(name string) (string, bool) {
		body, there := in.Files[path.Clean("/" + name)[1:]]
		return body, there
	})
	views := []any{}
	for _, f := range found {
		views = append(views, findingView(f))
	}
	if want := decode[any](t, c.Expected); !reflect.DeepEqual(toJSON(views), want) {
		return fmt.Errorf("found %v", found)
	}
	return nil
}

func compare(t *testing.T, c testCase) error {
	in := decode[struct {
		A, B      map[string]float64
		Threshold *float64
	}](t, c.Input)
	threshold := score.DefaultThreshold
	if in.Threshold != nil {
		threshold = *in.Threshold
	}
	raw, _ := json.Marshal(score.Compare(scoresOf(in.A), scoresOf(in.B), threshold))
	got := decode[map[string]any](t, raw)
	got["total"] = len(in.A) + len(in.B) // AgentV counts the results of both files
	want := decode[map[string]any](t, c.Expected)
	var d differences
	for _, key := range sortedKeys(want) {
		if !slices.Contains(sortedKeys(got), key) {
			d = append(d, "no "+key)
			continue
		}
		d.check(want, key, got[key], 1e-6)
	}
	return d.err()
}

func scoresOf(scores map[string]float64) score.Scores {
	out := score.Scores{}
	for id, value := range scores {
		out[score.CaseKey{ID: id}] = &value
	}
	return out
}

func compareClassify(t *testing.T, c testCase) error {
	in := decode[struct{ Delta, Threshold float64 }](t, c.Input)
	var d differences
	d.check(decode[map[string]any](t, c.Expected), "outcome", score.Classify(in.Delta, in.Threshold), 0)
	return d.err()
}

func compareLoad(t *testing.T, c testCase) error {
	in := decode[struct{ Lines []string }](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	got, err := score.ReadScores(strings.NewReader(strings.Join(in.Lines, "\n")))
	fault := ""
	switch {
	case errors.Is(err, score.ErrNoID):
		fault = "missing_eval_id"
	case errors.Is(err, score.ErrNoScore):
		fault = "missing_score"
	case err != nil:
		return err
	}
	if expected, _ := want["error"].(string); fault != expected {
		return fmt.Errorf("error %q, scores %v", fault, got)
	}
	return nil
}

func init() {
	adapters["generate_parse"], adapters["generate_rubrics"] = generateParse, generateRubrics
}

// runGenerate is what the command line makes of a file when a model replies with a
// text, and how often that was asked.
func runGenerate(t *testing.T, body, reply string) (after string, calls int, err error) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		quoted, _ := json.Marshal(reply)
		fmt.Fprintf(w, `{"message":{"content":%s},"done":true}`, quoted)
	}))
	defer site.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "x.eval.yaml")
	for path, content := range map[string]string{file: body, filepath.Join(dir, "targets.yaml"): "targets: [{name: it, provider: ollama, model: m, base_url: '" + site.URL + "'}]\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	code := cli.Main([]string{"generate", "rubrics", file, "--judge", "it", "--no-cache"}, strings.NewReader(""), io.Discard, &stderr)
	written, bad := os.ReadFile(file)
	switch {
	case bad != nil:
		t.Fatal(bad)
	case code != 0:
		err = fmt.Errorf("exit status %d: %s", code, stderr.String())
	}
	return string(written), calls, err
}

func generateParse(t *testing.T, c testCase) error {
	in := decode[struct {
		Text string `json:"text"`
	}](t, c.Input)
	after, calls, err := runGenerate(t, "evalcases:\n  - id: c\n    expected_outcome: O\n    input: Q\n", in.Text)
	got := map[string]any{"accepted": err == nil}
	if err != nil {
		got["attempts"] = calls
	} else if criterion, ok := parse(after).Root().Get("evalcases").List()[0].Get("rubrics").List()[0].Any().(map[string]any); ok {
		got["rubric"] = criterion
	}
	want := decode[map[string]any](t, c.Expected)
	if inner, ok := want["rubric"].(map[string]any); ok {
		if err := compareJSON(inner, toJSON(got["rubric"]), false); err != nil {
			return err
		}
		delete(want, "rubric")
	}
	return compareJSON(want, toJSON(got), false)
}

// generateRubrics drafts for each case that wants it, with the criteria given.
func generateRubrics(t *testing.T, c testCase) error {
	in := decode[struct {
		YAML string           `json:"yaml"`
		Mock []map[string]any `json:"mock_rubrics"`
	}](t, c.Input)
	if in.Mock == nil {
		in.Mock = []map[string]any{{"id": "a"}}
	}
	for _, m := range in.Mock {
		m["expected_outcome"] = fmt.Sprintf("Names `%v`", m["id"]) // the recorded case leaves the texts out
	}
	reply, _ := json.Marshal(map[string]any{"rubrics": in.Mock})
	after, _, err := runGenerate(t, in.YAML, string(reply))
	if err != nil {
		return err
	}
	updated, before := []any{}, parse(in.YAML).Root().Get("evalcases").List()
	for i, entry := range parse(after).Root().Get("evalcases").List() {
		if entry.Get("rubrics") != nil && before[i].Get("rubrics") == nil {
			id, _ := entry.Get("id").Str()
			updated = append(updated, id)
		}
	}
	return checkDrafts(decode[map[string]any](t, c.Expected), after, updated)
}

func checkDrafts(want map[string]any, body string, updated []any) error {
	if ids, wanted := want["updated"]; wanted && !reflect.DeepEqual(ids, updated) {
		return fmt.Errorf("drafted for %v", updated)
	}
	if comments, wanted := want["comments_kept"].([]any); wanted {
		for _, comment := range comments {
			if !strings.Contains(body, "# "+comment.(string)) {
				return fmt.Errorf("lost the comment %q in\n%s", comment, body)
			}
		}
	}
	if want["rubrics_indent_gt_evalcases_indent"] == true && (strings.Contains(body, "\nrubrics:") || !strings.Contains(body, " rubrics:")) {
		return fmt.Errorf("rubrics are not indented in\n%s", body)
	}
	return nil
}
