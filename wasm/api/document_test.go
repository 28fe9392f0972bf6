package api_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
)

// TestDocument checks that an edited document gives the same answers as its text.
func TestDocument(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []any
		want    string
	}{
		{"nothing", []any{}, evalFile},
		{"a key", []any{change(10, 4, 10, 10, "weight")}, strings.Replace(evalFile, "wieght", "weight", 1)},
		{"in UTF-16", []any{change(9, 15, 9, 17, "x")}, strings.Replace(evalFile, "😀", "x", 1)},
		{"one after another", []any{change(0, 0, 0, 0, "# a\n"), change(0, 2, 0, 3, "b")}, "# b\n" + evalFile},
		{"everything", []any{map[string]any{"text": "evalcases: []"}}, "evalcases: []"},
	} {
		if opened := at(call(t, "open", map[string]any{"document": "x.yaml", "text": evalFile}), "result", "recognised"); opened != true {
			t.Fatalf("recognised: %v", opened)
		}
		call(t, "edit", map[string]any{"document": "x.yaml", "changes": c.changes})
		for _, method := range []string{"check", "suite", "symbols", "semantic"} {
			got := call(t, method, map[string]any{"document": "x.yaml"})
			if want := call(t, method, map[string]any{"text": c.want, "path": "x.yaml"}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s of the document is %v, of the text %v", c.name, method, got, want)
			}
		}
	}
	call(t, "forget", map[string]any{"document": "x.yaml"})
}

func change(line, from, toLine, to int, words string) map[string]any {
	return map[string]any{"range": text.Range{Start: text.Position{Line: line, Character: from}, End: text.Position{Line: toLine, Character: to}}, "text": words}
}

// TestRecognised checks that an eval file stays one while it is half typed, and that other files
// are none.
func TestRecognised(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  []any
	}{
		{[]string{"services: {}", "evalcases:\n- id: a\n", "eval"}, []any{false, true, true}},
		{[]string{"a: 1", "a: 2"}, []any{false, false}},
	} {
		got := []any{at(call(t, "open", map[string]any{"document": "y.yaml", "text": c.texts[0]}), "result", "recognised")}
		for _, body := range c.texts[1:] {
			got = append(got, at(call(t, "edit", map[string]any{"document": "y.yaml", "changes": []any{map[string]any{"text": body}}}), "result", "recognised"))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v", c.texts, got)
		}
		call(t, "forget", map[string]any{"document": "y.yaml"})
	}
}

// TestOpenTogether checks that names resolve across open documents, and that edits state the
// version.
func TestOpenTogether(t *testing.T) {
	const targets = "targets:\n  - name: staging\n    provider: cli\n"
	const eval = "execution:\n  target: staging\nevalcases:\n  - id: a\n    expected_outcome: o\n    input: q\n"
	call(t, "open", map[string]any{"document": "file:///targets.yaml", "path": "/.agentv/targets.yaml", "text": targets, "version": 4})
	call(t, "open", map[string]any{"document": "file:///a.eval.yaml", "text": eval, "version": 7})
	there := map[string]any{"document": "file:///a.eval.yaml", "position": text.Position{Line: 1, Character: 12}}
	if got := at(call(t, "definition", there), "result", 0, "uri"); got != "file:///targets.yaml" {
		t.Errorf("defined in %v", got)
	}
	there["newName"] = "preview"
	changes := at(call(t, "rename", there), "result", "documentChanges")
	versions := map[any]any{}
	for _, change := range changes.([]any) {
		versions[at(change, "textDocument", "uri")] = at(change, "textDocument", "version")
	}
	if want := (map[any]any{"file:///a.eval.yaml": 7.0, "file:///targets.yaml": 4.0}); !reflect.DeepEqual(versions, want) {
		t.Errorf("%v, want %v", versions, want)
	}
	for _, name := range []string{"file:///a.eval.yaml", "file:///targets.yaml"} {
		call(t, "forget", map[string]any{"document": name})
	}
}

// TestRules checks that a document uses the severities that it was opened with.
func TestRules(t *testing.T) {
	opened := call(t, "open", map[string]any{"document": "r.yaml", "text": evalFile, "rules": map[string]any{"unknown-key": "off", "mixed-rubric": "ERROR", "no-such": "off"}})
	if problem, _ := at(opened, "result", "problems", 0).(string); !strings.Contains(problem, "`no-such`") || at(opened, "result", "problems", 1) != nil {
		t.Errorf("%v", opened)
	}
	severities := map[any]any{}
	for _, d := range at(call(t, "check", map[string]any{"document": "r.yaml"}), "result", "diagnostics").([]any) {
		severities[at(d, "code")] = at(d, "severity")
	}
	if severities["unknown-key"] != nil || severities["mixed-rubric"] != "error" {
		t.Errorf("%v", severities)
	}
	call(t, "forget", map[string]any{"document": "r.yaml"})
}

// TestTogether edits and queries documents concurrently.
func TestTogether(t *testing.T) {
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			name := fmt.Sprintf("together-%d.yaml", n)
			call(t, "open", map[string]any{"document": name, "text": evalFile})
			for k := range 20 {
				call(t, "edit", map[string]any{"document": name, "changes": []any{change(1, 8, 1, 9, string(rune('a'+k)))}})
				if got, want := at(call(t, "suite", map[string]any{"document": name}), "result", "cases", 0, "id"), string(rune('a'+k)); got != want {
					t.Errorf("%s: %v, want %s", name, got, want)
				}
				call(t, "references", map[string]any{"document": name, "position": text.Position{Line: 1, Character: 8}})
			}
			call(t, "forget", map[string]any{"document": name})
		})
	}
	group.Wait()
}

// TestStale checks that an action of another version is refused.
func TestStale(t *testing.T) {
	call(t, "open", map[string]any{"document": "z.yaml", "text": "evalcases:\n  - id: a\n    expected_outcme: o\n    input: q\n", "version": 1})
	data := at(call(t, "actions", map[string]any{"document": "z.yaml", "only": []string{"quickfix"}}), "result", 0, "data")
	call(t, "edit", map[string]any{"document": "z.yaml", "version": 2, "changes": []any{}})
	if code := at(call(t, "resolve", map[string]any{"data": data}), "error", "code"); code != "changed" {
		t.Errorf("%v", code)
	}
	call(t, "forget", map[string]any{"document": "z.yaml"})
}
