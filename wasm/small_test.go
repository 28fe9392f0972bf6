//go:build !race

package main_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/wasm/api"
)

// TestSmall checks what rubric-small.wasm lacks, and that it says what to load.
func TestSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	p, err := compile(smallModule())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.runtime.Close(context.Background()) })
	g := p.start(t)
	for _, m := range api.Methods() {
		lacks := strings.Contains(g.ask(m.Name, nil), `"code":"not-included","message":"rubric-small.wasm does not include `+"`"+m.Name+"`; load rubric.wasm")
		if lacks != slices.Contains(api.OnlyWhole, m.Name) {
			t.Errorf("%s is missing: %v", m.Name, lacks)
		}
	}
	open := func(name, text string) {
		g.ask("open", map[string]any{"document": name, "text": text, "together": true})
	}
	open("/house.json", `{"required":["description"]}`)
	open("/a.eval.yaml", "# yaml-language-server: $schema=house.json\nevalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n")
	if got := g.ask("check", map[string]any{"document": "/a.eval.yaml"}); strings.Contains(got, "schema") {
		t.Errorf("%s", got)
	}
	if got := g.ask("version", nil); !strings.Contains(got, `"wholeWanted":"JSON Schemas"`) {
		t.Errorf("%s", got)
	}
	open("/b.yaml", "prompts: [Hi]\nproviders: [echo]\ntests: [{ vars: { a: b } }]\n")
	g.ask("check", map[string]any{"document": "/b.yaml"})
	if got := g.ask("version", nil); !strings.Contains(got, `"dialects":["agentv","adk"],"wholeWanted":"promptfoo files"`) {
		t.Errorf("%s", got)
	}
}
