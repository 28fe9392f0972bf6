// a long sequential test, in which the race detector has nothing to find

//go:build !race

package api_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
	"github.com/rubric-ls/rubric/wasm/api"
)

// allCapabilities are the capabilities of a client that supports everything and resolves edits.
const allCapabilities = `{"general":{"positionEncodings":["utf-16"]},"workspace":{"workspaceEdit":{"documentChanges":true}},"textDocument":{
	"publishDiagnostics":{"relatedInformation":true,"tagSupport":{"valueSet":[1,2]}},
	"documentSymbol":{"hierarchicalDocumentSymbolSupport":true},"rename":{"prepareSupport":true},
	"completion":{"completionItem":{"snippetSupport":true,"insertTextModeSupport":{"valueSet":[1]}}},
	"codeAction":{"isPreferredSupport":true,"disabledSupport":true,"dataSupport":true,"resolveSupport":{"properties":["edit"]},
		"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix"]}}}}}`

// pair is a request to the language server and the same request to the evaluator.
type pair struct {
	lsp, api string
	extra    string // of the server's parameters
	params   map[string]any
	wants    func(server any) any // the part of the server's result to compare; nil for all of it
}

// TestEditorMethods checks that the evaluator answers editor requests as the language server does,
// for every rule's examples and the test files.
func TestEditorMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	e := lsptest.Start(t, &lsp.Server{Name: "rubric", Version: "test"})
	e.Initialize(allCapabilities, `"clientInfo":{"name":"Visual Studio Code"}`, `"initializationOptions":{"trusted":false}`)
	asked := map[string]int{}
	for n, f := range editorFiles(t) {
		uri := fmt.Sprintf("file:///w/%d/%s", n, f.path)
		e.Open(uri, f.body)
		evaluate(t, "open", map[string]any{"document": uri, "path": strings.TrimPrefix(uri, "file://"), "text": f.body, "version": 1})
		for _, p := range pairs(f) {
			compare(t, e, uri, p, asked)
		}
		e.Close(uri)
		evaluate(t, "forget", map[string]any{"document": uri})
	}
	for _, p := range pairs(editorFile{body: "a: 1\n"}) {
		if asked[p.api] == 0 {
			t.Errorf("`%s` never had an answer", p.api)
		}
	}
}

type editorFile struct {
	path, body string
	at         []int
}

// editorFiles returns texts with positions: the marks of examples, and others spread over the text.
func editorFiles(t *testing.T) (files []editorFile) {
	t.Helper()
	add := func(path, body string, at ...int) {
		if !analysis.Of(analysis.Input{Path: path, Text: body}).Recognised() || len(body) > 20_000 {
			return
		}
		for n := range 5 {
			at = append(at, (n*len(body)+len(files)*7)/5%(len(body)+1))
		}
		files = append(files, editorFile{path, body, at})
	}
	for _, r := range lint.All() {
		name := analysis.RuleExample(r, "").Path
		body, marks := lint.ParseMarkers(r.Bad)
		var at []int
		for _, m := range marks {
			at = append(at, m[0])
		}
		add(name, body, at...)
		add(name, r.Good)
	}
	add("untidy.eval.yaml", "evalcases:\n  - id:   a  \n    expected_outcome: x\n    input: q\n")
	for _, dir := range []string{"../../testdata", "../../core/ide/testdata"} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" && filepath.Ext(path) != ".jsonl" {
				return err
			}
			body, err := os.ReadFile(path)
			add(filepath.Base(path), string(body))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 100 {
		t.Fatalf("only %d files", len(files))
	}
	return files
}

// pairs returns all requests about a file.
func pairs(f editorFile) (all []pair) {
	src := text.New("", f.body)
	whole := src.SpanRange(src.Whole(), text.UTF16)
	items := func(server any) any { return at(server, "items") }
	actions := func(server any) any { // except drafts by a judge and actions that create files
		return slices.DeleteFunc(server.([]any), func(a any) bool {
			kind := at(a, "kind").(string)
			return strings.HasSuffix(kind, ".rubric.generate") || strings.HasSuffix(kind, ".rubric.convert")
		})
	}
	data := func(server any) any { return map[string]any{"data": at(server, "data")} }
	all = []pair{
		{lsp: "textDocument/diagnostic", api: "diagnose", wants: items},
		{lsp: "textDocument/documentSymbol", api: "symbols"},
		{lsp: "textDocument/foldingRange", api: "fold"},
		{lsp: "textDocument/codeLens", api: "lens", wants: lensesBeforePlan},
		{lsp: "textDocument/documentLink", api: "links"},
		{lsp: "textDocument/semanticTokens/full", api: "semantic", wants: data},
		{lsp: "textDocument/inlayHint", api: "inlay", extra: `,"range":` + encode(whole), params: map[string]any{"range": whole}},
		{lsp: "textDocument/rangeFormatting", api: "format", extra: `,"options":{"tabSize":2,"insertSpaces":true},"range":` + encode(whole)},
		{lsp: "textDocument/codeAction", api: "actions", wants: actions, extra: `,"context":{"diagnostics":[]},"range":` + encode(whole)},
		{lsp: "textDocument/codeAction", api: "actions", wants: actions, extra: `,"context":{"diagnostics":[],"only":["source"]},"range":` + encode(whole), params: map[string]any{"only": []string{"source"}}},
	}
	for _, offset := range f.at {
		position := src.OffsetPosition(offset, text.UTF16)
		here := text.Range{Start: position, End: position}
		add := func(lsp, api, extra string, params map[string]any) {
			params["position"] = position
			all = append(all, pair{lsp: lsp, api: api, extra: `,"position":` + encode(position) + extra, params: params})
		}
		for method, name := range map[string]string{"hover": "hover", "completion": "complete", "documentHighlight": "highlight",
			"definition": "definition", "prepareRename": "renameable", "linkedEditingRange": "linked"} {
			add("textDocument/"+method, name, "", map[string]any{})
		}
		add("textDocument/references", "references", `,"context":{"includeDeclaration":true}`, map[string]any{"declared": true})
		add("textDocument/rename", "rename", `,"newName":"other"`, map[string]any{"newName": "other"})
		add("textDocument/onTypeFormatting", "enter", `,"ch":"\n","options":{"tabSize":2,"insertSpaces":true}`, map[string]any{})
		all = append(all,
			pair{lsp: "textDocument/codeAction", api: "actions", wants: actions, extra: `,"context":{"diagnostics":[]},"range":` + encode(here), params: map[string]any{"range": here}},
			pair{lsp: "textDocument/selectionRange", api: "selection", extra: `,"positions":[` + encode(position) + `]`, params: map[string]any{"positions": []any{position}}},
			pair{lsp: "textDocument/semanticTokens/range", api: "semantic", extra: `,"range":` + encode(text.Range{End: position}), params: map[string]any{"range": text.Range{End: position}}})
	}
	return all
}

// compare sends both requests, and then resolves what they left out.
// lensesBeforePlan leaves out the lens that names target and judge: the evaluator knows them after the first plan.
func lensesBeforePlan(answer any) any {
	list, _ := answer.([]any)
	if list == nil {
		return answer
	}
	return slices.DeleteFunc(list, func(lens any) bool { return strings.Contains(encode(lens), `"title":"Grades `) })
}

func compare(t *testing.T, e *lsptest.Editor, uri string, p pair, asked map[string]int) {
	t.Helper()
	params := map[string]any{"document": uri}
	for key, value := range p.params {
		params[key] = value
	}
	got, refusal := evaluate(t, p.api, params)
	raw, fault := e.AwaitResponse(e.StartRequest(p.lsp, `{"textDocument":{"uri":"`+uri+`"}`+p.extra+`}`))
	if fault != nil {
		if refusal != fault.Message {
			t.Errorf("%s of %s%s: %q, the server %q", p.api, uri, p.extra, refusal, fault.Message)
		}
		return
	}
	var want any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if p.wants != nil {
		want = p.wants(want)
	}
	if !reflect.DeepEqual(got, want) || refusal != "" {
		t.Fatalf("%s of %s%s:\n%s%s\nthe server:\n%s", p.api, uri, p.extra, encode(got), refusal, encode(want))
	}
	if list, ok := got.([]any); got != nil && (!ok || len(list) > 0) {
		asked[p.api]++
	}
	offered, _ := got.([]any)
	method, field := "codeAction/resolve", "edit"
	if p.api == "complete" {
		offered, _ = at(got, "items").([]any)
		method, field = "completionItem/resolve", "documentation"
		offered = offered[:min(len(offered), 4)]
	}
	for _, o := range offered {
		if data := at(o, "data"); data != nil {
			resolved(t, e, method, field, o, data)
		}
	}
}

// resolved compares the resolved data of an item or an action.
func resolved(t *testing.T, e *lsptest.Editor, method, field string, offered, data any) {
	t.Helper()
	got, refusal := evaluate(t, "resolve", map[string]any{"data": data})
	raw, fault := e.AwaitResponse(e.StartRequest(method, encode(offered)))
	if fault != nil {
		if refusal != fault.Message {
			t.Errorf("%s: %q, the server %q", encode(data), refusal, fault.Message)
		}
		return
	}
	var want any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(at(got, field), at(want, field)) || refusal != "" {
		t.Errorf("%s:\n%s%s\nthe server:\n%s", encode(data), encode(got), refusal, encode(want))
	}
}

// evaluate returns the evaluator's result, or the message of its error.
func evaluate(t *testing.T, method string, params map[string]any) (result any, refusal string) {
	t.Helper()
	reply := call(t, method, params)
	if fault := at(reply, "error"); fault != nil {
		if at(fault, "code") == api.BadParams {
			t.Fatalf("%s %v: %v", method, params, fault)
		}
		return nil, at(fault, "message").(string)
	}
	return reply["result"], ""
}
