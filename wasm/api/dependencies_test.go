package api_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

// TestDocumentDependencies checks that documents opened together have the same diagnostics as
// files, for rules' examples with several files.
func TestDocumentDependencies(t *testing.T) {
	for _, r := range lint.All() {
		if r.LoadSchema != nil || !utf8.ValidString(r.Bad) {
			continue // only hosts apply users' schemas, and requests are UTF-8
		}
		bad, _ := lint.ParseMarkers(r.Bad)
		for _, body := range []string{bad, r.Good} {
			in := analysis.RuleExample(r, body)
			if len(r.SiblingFiles) == 0 && !adk.IsKnownName(in.Path) {
				in.ReadFile = nil // without siblings, references cannot be checked
			}
			in.OutsideReason = nil // only a host has files outside a repository
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

// TestSchemasWanted checks that an evaluator without a validator says that a schema is wanted, and
// nothing about its contents.
func TestSchemasWanted(t *testing.T) {
	open := func(name, text string) {
		call(t, "open", map[string]any{"document": name, "text": text, "together": true})
		t.Cleanup(func() { call(t, "forget", map[string]any{"document": name}) })
	}
	wanted := func() any { return at(call(t, "version", nil), "result", "schemasWanted") }
	const suite = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n"
	open("/house.json", `{"required":["description"]}`)
	open("/a.eval.yaml", "# yaml-language-server: $schema=house.json\n"+suite)
	if codes := codes(t, "/a.eval.yaml"); slices.Contains(codes, any("user-schema")) || slices.Contains(codes, any("schema-not-applied")) || wanted() != true {
		t.Errorf("%v, wanted %v", codes, wanted())
	}
}
