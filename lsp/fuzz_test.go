package lsp_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	features "github.com/rubric-ls/rubric/core/ide/requests"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// requests returns the parameters of every request. AT stands for a position, RANGE for a range and
// DOC for a document.
func requests() map[string]string {
	all := map[string]string{}
	for _, r := range features.Routes() {
		all[r.Method] = `{"textDocument":DOC,"position":AT,"positions":[AT,AT],"range":RANGE,"newName":"b","ch":"\n",` +
			`"context":{"diagnostics":[],"includeDeclaration":true},"options":{"tabSize":2,"insertSpaces":true}}`
	}
	maps.Copy(all, map[string]string{
		"initialize":                             `{"processId":null,"rootUri":null,"capabilities":{}}`,
		"shutdown":                               `null`,
		"completionItem/resolve":                 `{"label":"x","data":{"uri":"` + doc + `","topic":"case"}}`,
		"codeAction/resolve":                     `{"title":"x","data":{"uri":"` + doc + `","version":1,"rule":"unknown-key","span":RANGE}}`,
		"workspace/willRenameFiles":              `{"files":[{"oldUri":"` + doc + `","newUri":"file:///evals/b/a.eval.yaml"}]}`,
		"workspace/symbol":                       `{"query":"a"}`,
		"textDocument/semanticTokens/full/delta": `{"textDocument":DOC,"previousResultId":"1"}`,
		"textDocument/diagnostic":                `{"textDocument":DOC}`,
		"workspace/executeCommand":               `{"command":"rubric.runFile","arguments":[{"uri":"` + doc + `"}]}`,
		"workspace/diagnostic":                   `{"previousResultIds":[]}`,
	})
	return all
}

// FuzzSession makes edits and sends requests at random positions. No response may be an internal
// error, and the session must go on.
func FuzzSession(f *testing.F) {
	f.Add([]byte("\x00\x10\x20\x30\x01\x11\x21\x31\x02\x12\x22\x32\x03\x13\x23\x33"))
	f.Add([]byte(strings.Repeat("\x01\x02\x03\xff\x05\x06\x07\x08\x02\x00\x00\x00", 10)))
	f.Add([]byte("\x04\xff\xff\xff\x03\xff\xff\xff\x02\xff\xff\xff\x01\xff\xff\xff\x00\xff\xff\xff"))
	words := []string{"", "x", "\n", "- ", "😀", "\r", ": ", "evalcases:\n", "{", "\"", "&a ", "*a", "    rubrics:\n      - ", "\t"}
	all := requests()
	delete(all, "initialize")
	delete(all, "shutdown")
	methods := slices.Sorted(maps.Keys(all))
	f.Fuzz(func(t *testing.T, script []byte) {
		e := lsptest.Start(t, newServer(newFolder(nil)))
		e.Initialize(`{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"e"}]`)
		e.Open(doc, hasOne)
		var asked []int
		for version := 2; len(script) >= 4 && version < 60; version++ {
			what, a, b, c := script[0], int(script[1]), int(script[2]), script[3]
			script = script[4:]
			at := fmt.Sprintf(`{"line":%d,"character":%d}`, a%12, b)
			span := fmt.Sprintf(`{"start":%s,"end":{"line":%d,"character":%d}}`, at, a%12+int(c)%3, int(c))
			switch what % 8 {
			case 0, 1, 2, 3:
				e.Change(doc, version, fmt.Sprintf(`{"range":%s,"text":%q}`, span, words[int(c)%len(words)]))
			case 4:
				e.Close(doc)
				e.Open(doc, hasOne)
			default:
				method := methods[int(c)%len(methods)]
				params := strings.NewReplacer("DOC", `{"uri":"`+doc+`"}`, "RANGE", span, "AT", at).Replace(all[method])
				asked = append(asked, e.StartRequest(method, params))
			}
		}
		for _, id := range asked {
			if _, err := e.AwaitResponse(id); err != nil && err.Code == -32603 {
				t.Error(err)
			}
		}
		e.Stop()
	})
}
