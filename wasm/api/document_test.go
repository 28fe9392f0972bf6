package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/wasm/api"
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

// TestHalfTypedFirstCase checks that keys are proposed in the first case of a new list of cases below evals.
func TestHalfTypedFirstCase(t *testing.T) {
	call(t, "open", map[string]any{"document": "new", "path": "/evals/new.jsonl", "text": `{"id": "a", "crit"}`})
	defer call(t, "forget", map[string]any{"document": "new"})
	answer := call(t, "lsp", map[string]any{"method": "textDocument/completion", "params": map[string]any{
		"textDocument": map[string]any{"uri": "new"}, "position": map[string]any{"line": 0, "character": 17},
	}})
	if items := at(answer, "result", "result", "items").([]any); len(items) == 0 {
		t.Error("nothing is proposed")
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

func request(b *testing.B, method string, params map[string]any) []byte {
	line, err := json.Marshal(map[string]any{"method": method, "params": params})
	if err != nil {
		b.Fatal(err)
	}
	return line
}

// BenchmarkEdit measures the diagnostics after an edit of one case in an open document.
func BenchmarkEdit(b *testing.B) {
	for _, cases := range []int{100, 1000} {
		body := corpustest.ManyCases(cases)
		b.Run(fmt.Sprint(cases), func(b *testing.B) {
			api.Call(request(b, "open", map[string]any{"document": "x.yaml", "text": body}))
			line := strings.Count(body[:strings.Index(body, "with order 50")], "\n")
			edit := request(b, "edit", map[string]any{"document": "x.yaml", "changes": []any{change(line, 31, line, 32, "5")}})
			diagnose := request(b, "diagnose", map[string]any{"document": "x.yaml"})
			for b.Loop() {
				api.Call(edit)
				api.Call(diagnose)
			}
			api.Call(request(b, "forget", map[string]any{"document": "x.yaml"}))
		})
	}
}

// TestDocumentDependencies checks that documents opened together have the same diagnostics as
// files, for rules' examples with several files.
func TestDocumentDependencies(t *testing.T) {
	for _, r := range lint.All() {
		if r.LoadSchema != nil || r.ID == "schema-not-applied" || !utf8.ValidString(r.Bad) {
			continue // the schemas are not among the files, and requests are UTF-8
		}
		bad, _ := lint.ParseMarkers(r.Bad)
		for _, body := range []string{bad, r.Good} {
			in := analysis.RuleExample(r, body)
			if len(r.SiblingFiles) == 0 && !adk.IsKnownName(in.Path) {
				in.ReadFile = nil // without siblings, references cannot be checked
			}
			in.Severities, in.OutsideReason = nil, nil // only a host has settings, and files outside a repository
			want := []any{}
			for _, d := range analysis.Of(in).Diagnostics() {
				want = append(want, d.Code)
			}
			for name, text := range r.SiblingFiles {
				call(t, "open", map[string]any{"document": "/" + name, "text": text, "together": true})
			}
			call(t, "open", map[string]any{"document": "/" + in.Path, "text": body, "together": true})
			if got := codes(t, "/"+in.Path); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, not %v, of\n%s", r.ID, got, want, body)
			}
			for name := range r.SiblingFiles {
				call(t, "forget", map[string]any{"document": "/" + name})
			}
			call(t, "forget", map[string]any{"document": "/" + in.Path})
		}
	}
}

// TestAffected checks that a document is analysed again when a document that it read changes.
func TestAffected(t *testing.T) {
	open := func(name, text string) any {
		return at(call(t, "open", map[string]any{"document": name, "text": text, "together": true}), "result", "affected")
	}
	open("/a.eval.yaml", "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\nexecution: { target: prod }\n")
	if codes := codes(t, "/a.eval.yaml"); slices.Contains(codes, any("unknown-target")) {
		t.Errorf("without targets: %v", codes)
	}
	if got := open("/targets.yaml", "targets: [{ name: dev, provider: mock }]"); !reflect.DeepEqual(got, []any{"/a.eval.yaml"}) {
		t.Errorf("affected: %v", got)
	}
	if codes := codes(t, "/a.eval.yaml"); !slices.Contains(codes, any("unknown-target")) {
		t.Errorf("another target: %v", codes)
	}
	edit := map[string]any{"document": "/targets.yaml", "changes": []any{change(0, 18, 0, 21, "prod")}}
	if got := at(call(t, "edit", edit), "result", "affected"); !reflect.DeepEqual(got, []any{"/a.eval.yaml"}) {
		t.Errorf("affected by an edit: %v", got)
	}
	if codes := codes(t, "/a.eval.yaml"); slices.Contains(codes, any("unknown-target")) {
		t.Errorf("the target: %v", codes)
	}
	if got := open("/other.md", "words"); got != nil {
		t.Errorf("affected by another file: %v", got)
	}
	for _, name := range []string{"/other.md", "/targets.yaml", "/a.eval.yaml"} {
		call(t, "forget", map[string]any{"document": name})
	}
}

// TestOpenedElsewhere checks that a document that is opened under another path, or alone, is no
// longer found under the previous one.
func TestOpenedElsewhere(t *testing.T) {
	open := func(name, text string, more map[string]any) any {
		params := map[string]any{"document": name, "text": text, "together": true}
		maps.Copy(params, more)
		return at(call(t, "open", params), "result", "affected")
	}
	const lacking = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: [{ role: user, content: [{ type: file, value: q.md }] }]\n"
	for name, elsewhere := range map[string]map[string]any{"another path": {"path": "/r.md"}, "alone": {"together": false}} {
		open("/a.eval.yaml", lacking, nil)
		open("/z.md", "words", nil) // so that missing files are reported
		open("question", "words", map[string]any{"path": "/q.md"})
		if codes := codes(t, "/a.eval.yaml"); slices.Contains(codes, any("missing-file")) {
			t.Errorf("%s: before: %v", name, codes)
		}
		if got := open("question", "words", elsewhere); !reflect.DeepEqual(got, []any{"/a.eval.yaml"}) {
			t.Errorf("%s: affected: %v", name, got)
		}
		if codes := codes(t, "/a.eval.yaml"); !slices.Contains(codes, any("missing-file")) {
			t.Errorf("%s: after: %v", name, codes)
		}
		for _, name := range []string{"question", "/z.md", "/a.eval.yaml"} {
			call(t, "forget", map[string]any{"document": name})
		}
	}
}

// TestRelatedElsewhere checks that a related location in another file has that document's name.
func TestRelatedElsewhere(t *testing.T) {
	rule := lint.Find("duplicate-rubric-id")
	bad, _ := lint.ParseMarkers(rule.Bad)
	for name, text := range rule.SiblingFiles {
		call(t, "open", map[string]any{"document": "mem:" + name, "path": "/" + name, "text": text, "together": true})
	}
	in := analysis.RuleExample(rule, bad)
	call(t, "open", map[string]any{"document": "mem:set", "path": "/" + in.Path, "text": bad, "together": true})
	found := fmt.Sprint(at(call(t, "diagnose", map[string]any{"document": "mem:set"}), "result"))
	for name := range rule.SiblingFiles {
		if !strings.Contains(found, "uri:mem:"+name) {
			t.Errorf("%s is not named in %s", name, found)
		}
		call(t, "forget", map[string]any{"document": "mem:" + name})
	}
	call(t, "forget", map[string]any{"document": "mem:set"})
}

func codes(t *testing.T, document string) []any {
	t.Helper()
	all := []any{}
	found, _ := at(call(t, "check", map[string]any{"document": document}), "result", "diagnostics").([]any)
	for _, d := range found {
		all = append(all, d.(map[string]any)["code"])
	}
	return all
}
