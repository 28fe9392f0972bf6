package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

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
	code := cli.Main([]string{"generate", "rubrics", file, "--target", "it", "--no-cache"}, strings.NewReader(""), io.Discard, &stderr)
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
