package promptfoo_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

type conformanceCase struct {
	Kind, Name string
	Input      struct {
		Prompt string
		Vars   map[string]any
		Row    map[string]string
		Text   string
		YAML   string
		Files  map[string]string
		Config any
		Args   map[string]any
		Needs  []string
	}
	Expected json.RawMessage
}

func readCases(t *testing.T) (cases []conformanceCase) {
	t.Helper()
	files, _ := filepath.Glob("../../../testdata/conformance/promptfoo*.json")
	for _, name := range files {
		var list []conformanceCase
		body, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(body, &list)
		}
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, list...)
	}
	return cases
}

// differences are the cases that differ, each with the reason.
var differences = map[string]string{
	"run: select-best by the judge":       "promptfoo fails to copy the judge; here it is one like another",
	"run: select-best with one output":    "promptfoo aborts the run; here the assertion is ungraded",
	"run: filter pattern without a match": "the filter is an option of the command line",
	"schema: vars as text":                "the schema wants a mapping; promptfoo reads the file",
	"run: storeOutputAs":                  "no answer becomes a variable here",
}

func TestConformance(t *testing.T) {
	adapters := map[string]func(conformanceCase) any{"render": render, "csv_row": csvRow, "assert_string": assertString, "schema": schemaFinds, "run": expand}
	passed, failed := map[string]int{}, map[string]int{}
	for _, c := range readCases(t) {
		adapter := adapters[c.Kind]
		if adapter == nil || len(c.Input.Needs) > 0 {
			continue
		}
		var want any
		if err := json.Unmarshal(c.Expected, &want); err != nil {
			t.Fatal(err)
		}
		want, got := reduce(c.Kind, want), plain(t, adapter(c))
		known := differences[c.Kind+": "+c.Name] != ""
		switch same := reflect.DeepEqual(got, want); {
		case same == known:
			failed[c.Kind]++
			t.Errorf("%s: %s (listed: %t)\ngot  %s\nwant %s", c.Kind, c.Name, known, encode(got), encode(want))
		default:
			passed[c.Kind]++
		}
	}
	t.Log("passed", passed, "failed", failed, "listed", len(differences))
}

func encode(v any) string { b, _ := json.Marshal(v); return string(b) }

func plain(t *testing.T, v any) (out any) {
	if err := json.Unmarshal([]byte(encode(v)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// reduce leaves of an expectation what an adapter returns.
func reduce(kind string, v any) any {
	m, _ := v.(map[string]any)
	switch kind {
	case "render":
		if m["error"] != nil {
			return map[string]any{"error": true}
		}
	case "csv_row":
		if test, _ := m["test"].(map[string]any); test["error"] != nil || m["error"] != nil {
			return map[string]any{"error": true}
		}
	case "schema":
		return m["valid"] == true
	case "run":
		if m["exit"] == 1.0 {
			return map[string]any{"error": true}
		}
		rows, _ := m["rows"].([]any)
		out := []any{}
		for _, r := range rows {
			row := r.(map[string]any)
			out = append(out, map[string]any{"provider": row["provider"], "prompt": compact(strings.ReplaceAll(row["prompt"].(string), "$DIR/", "")), "vars": row["vars"], "asserts": shapes(row["asserts"]), "threshold": row["threshold"]})
		}
		return out
	}
	return v
}

func render(c conformanceCase) any {
	out, err := promptfoo.RenderPrompt(c.Input.Prompt, c.Input.Vars)
	if err != nil {
		return map[string]any{"error": true}
	}
	return map[string]any{"prompt": out}
}

// csvRow takes the columns of expectations in the order of their numbers, as JSON does not keep that of the file.
func csvRow(c conformanceCase) any {
	names := slices.SortedFunc(maps.Keys(c.Input.Row), func(a, b string) int {
		if strings.HasPrefix(a, "__expected") && strings.HasPrefix(b, "__expected") {
			return cmp.Or(len(a)-len(b), strings.Compare(a, b))
		}
		return strings.Compare(a, b)
	})
	var header, cells []string
	for _, name := range names {
		header, cells = append(header, strings.TrimSpace(name)), append(cells, c.Input.Row[name])
	}
	test, err := promptfoo.RowTest(header, cells)
	if err != nil {
		return map[string]any{"error": true}
	}
	return map[string]any{"test": test}
}

func assertString(c conformanceCase) any { return promptfoo.ParseShorthand(c.Input.Text) }

// schemaFinds reports whether promptfoo finds nothing; what it finds must be an error or a warning here.
func schemaFinds(c conformanceCase) any {
	var want struct{ Valid bool }
	_ = json.Unmarshal(c.Expected, &want)
	a := analysis.Of(analysis.Input{Path: "promptfooconfig.yaml", Text: c.Input.YAML})
	found := slices.ContainsFunc(a.Diagnostics(), func(d diag.Diagnostic) bool { return d.Severity <= diag.Warning })
	return want.Valid || !found
}

// expand returns the rows of a run.
func expand(c conformanceCase) any {
	files := c.Input.Files
	r := dialect.Reader{
		ReadFile: func(name string) (string, bool) { body, found := files[path.Clean(name)]; return body, found },
		ListFiles: func(pattern string) (names []string) {
			for name := range files {
				if ok, _ := path.Match(pattern, name); ok {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			return names
		},
	}
	tree := yaml.Parse(text.New("promptfooconfig.yaml", files["promptfooconfig.yaml"]))
	rows, losses := promptfoo.Expand(r, tree)
	for _, l := range losses {
		if l.Fatal {
			return map[string]any{"error": true}
		}
	}
	if len(tree.Problems) > 0 {
		return map[string]any{"error": true}
	}
	out := []any{}
	for _, row := range rows {
		m := map[string]any{"provider": row.Provider, "prompt": compact(row.Text), "vars": row.Vars, "asserts": shapes(row.Asserts), "threshold": row.Threshold}
		for k, v := range row.Vars {
			if s, ok := v.(string); ok {
				row.Vars[k] = compact(s)
			}
		}
		out = append(out, m)
	}
	return out
}

// shapes are assertions as results describe them.
func shapes(list any) any {
	out := []any{}
	for _, a := range list.([]any) {
		fields := map[string]any{}
		for k, v := range a.(map[string]any) {
			switch k {
			case "assert":
				fields["count"] = float64(len(v.([]any)))
			case "provider", "rubricPrompt":
			default:
				fields[k] = v
			}
		}
		out = append(out, fields)
	}
	return out
}

// compact is a JSON text as promptfoo writes it to results.
func compact(s string) string {
	var v any
	if !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") || json.Unmarshal([]byte(s), &v) != nil {
		return s
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}
