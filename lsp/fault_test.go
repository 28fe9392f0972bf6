package lsp_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// unsound are files whose analysis panics when it reads a file called fault: in a rule, in lowering
// a case, and in reading the text around the cases.
var unsound = map[string]string{
	"/evals/rule.eval.yaml":   "evalcases:\n  - id: of-rule\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: fault.md }\n",
	"/evals/case.eval.yaml":   "prompts: [Say it]\ntests:\n  - id: of-case\n    assert: [{ include: fault }]\n",
	"/evals/around.eval.yaml": "prompts: [Say it]\nscenarios: [file://fault.yaml]\ntests:\n  - id: of-around\n    assert: [Says it]\n",
}

// unsoundServer returns a server over files of which some cannot be analysed.
func unsoundServer() *lsp.Server {
	files := map[string]string{"/evals/sound.eval.yaml": hasOne}
	for name, body := range unsound {
		files[name] = body
	}
	server := newServer(lsptest.NewFolder(files))
	input := server.Disk.Input
	server.Disk.Input = func(path string) analysis.Input {
		in := input(path)
		find := in.ReadFile
		in.ReadFile = func(name string) (string, bool) {
			if strings.Contains(name, "fault") {
				panic("a fault that a test has put here")
			}
			return find(name)
		}
		return in
	}
	return server
}

// TestFault checks that a file that cannot be analysed has one diagnostic that says so, open or
// closed, and that workspace requests use the other files.
func TestFault(t *testing.T) {
	const folders = `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`
	for _, open := range []bool{false, true} {
		e := lsptest.Start(t, unsoundServer())
		e.Initialize(`{"textDocument":{"diagnostic":{}}}`, folders)
		for name, body := range unsound {
			if open {
				e.Open("file://"+name, body)
			}
		}
		var all struct{ Items []fileReport }
		e.RequestInto(&all, "workspace/diagnostic", `{"previousResultIds":[]}`)
		seen := map[string][]string{}
		for _, r := range all.Items {
			for _, d := range r.Items {
				seen[r.URI] = append(seen[r.URI], d.Code)
			}
		}
		if got := seen["file:///evals/sound.eval.yaml"]; len(got) != 1 || got[0] != "unknown-key" {
			t.Errorf("open %v: of the sound file: %v", open, got)
		}
		for name := range unsound {
			if got := strings.Count(strings.Join(seen["file://"+name], " "), "internal-error"); got != 1 {
				t.Errorf("open %v: of %s: %v", open, name, seen["file://"+name])
			}
		}
		symbols := string(e.Request("workspace/symbol", `{"query":""}`))
		if !strings.Contains(symbols, "sound.eval.yaml") || !strings.Contains(symbols, "of-rule") {
			t.Errorf("open %v: symbols: %s", open, symbols)
		}
		e.Stop()
	}
}

// TestFaultPublished checks that this diagnostic is pushed, and removed with the fault.
func TestFaultPublished(t *testing.T) {
	e := lsptest.Start(t, unsoundServer())
	e.Initialize("{}")
	for name, body := range unsound {
		uri := "file://" + name
		e.Open(uri, body)
		found := e.AwaitDiagnostics(uri, 1)
		if got := strings.Join(lsptest.Codes(found), " "); strings.Count(got, "internal-error") != 1 {
			t.Errorf("%s: %s", name, got)
		}
		for _, d := range found {
			if d.Code == "internal-error" && !strings.Contains(d.CodeDescription.Href, "/issues") {
				t.Errorf("its address is %s", d.CodeDescription.Href)
			}
		}
		e.Change(uri, 2, lsptest.FullChange(strings.Replace(body, "fault", "there", 1)))
		if got := strings.Join(lsptest.Codes(e.AwaitDiagnostics(uri, 2)), " "); strings.Contains(got, "internal-error") {
			t.Errorf("%s: %s", name, got)
		}
	}
	e.Open(doc, hasOne)
	if found := e.AwaitDiagnostics(doc, 1); len(found) != 1 {
		t.Errorf("%v", found)
	}
}
