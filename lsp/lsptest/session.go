package lsptest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Range is an LSP range.
type Range struct {
	Start, End Position
}

// Position is an LSP position.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Diagnostic is an LSP diagnostic.
type Diagnostic struct {
	Range           Range `json:"range"`
	Severity        int
	Code            string
	CodeDescription struct{ Href string }
	Source          string
	Message         string
	Tags            []int
	Related         []struct {
		Location struct {
			URI   string
			Range Range
		}
		Message string
	} `json:"relatedInformation"`
}

// Published holds the parameters of publishDiagnostics.
type Published struct {
	URI         string
	Version     *int
	Diagnostics []Diagnostic
}

// Initialize starts the session with JSON capabilities and returns the result. More are further
// members of the parameters.
func (e *Editor) Initialize(capabilities string, more ...string) json.RawMessage {
	e.t.Helper()
	params := `{"processId":null,"rootUri":null,"capabilities":` + capabilities
	for _, m := range more {
		params += "," + m
	}
	result := e.Request("initialize", params+"}")
	e.Notify("initialized", "{}")
	return result
}

// Open opens a document as version 1.
func (e *Editor) Open(uri, body string) {
	language := "yaml"
	if strings.HasSuffix(uri, ".json") {
		language = "jsonc" // the language of editors that accept comments
	}
	e.Notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":%q,"version":1,"text":%s}}`, uri, language, quote(body)))
}

// Change sends a document's next version. Each change is JSON.
func (e *Editor) Change(uri string, version int, changes ...string) {
	e.Notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[%s]}`, uri, version, strings.Join(changes, ",")))
}

// TextChange returns a change that replaces a part of one line.
func TextChange(line, start, end int, words string) string {
	return fmt.Sprintf(`{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},"text":%s}`, line, start, line, end, quote(words))
}

// FullChange returns a change that replaces the whole text.
func FullChange(body string) string { return `{"text":` + quote(body) + `}` }

// quote encodes a string as JSON.
func quote(s string) string {
	encoded, err := json.Marshal(s)
	if err != nil { // a string always encodes
		panic(err)
	}
	return string(encoded)
}

// Close closes a document.
func (e *Editor) Close(uri string) {
	e.Notify("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri))
}

// AwaitDiagnostics waits for the diagnostics of one version of a document. Version 0 stands for a
// closed document.
func (e *Editor) AwaitDiagnostics(uri string, version int) []Diagnostic {
	e.t.Helper()
	var found []Diagnostic
	seen := 0
	e.await(fmt.Sprintf("diagnostics of version %d", version), func() (Message, bool) {
		for ; seen < len(e.published); seen++ {
			p := e.published[seen]
			if p.URI == uri && (p.Version == nil && version == 0 || p.Version != nil && *p.Version == version) {
				found = p.Diagnostics
				return Message{Method: publishDiagnostics}, true
			}
		}
		return Message{}, false
	})
	return found
}

const publishDiagnostics = "textDocument/publishDiagnostics"

// recordPublish records pushed diagnostics.
func (e *Editor) recordPublish(m Message) {
	var p Published
	if err := json.Unmarshal(m.Params, &p); err != nil {
		e.t.Errorf("%s: %v", m.Params, err)
	}
	e.published = append(e.published, p)
}

// Codes returns the codes of diagnostics in order.
func Codes(found []Diagnostic) (codes []string) {
	for _, d := range found {
		codes = append(codes, d.Code)
	}
	return codes
}

// Stop shuts the session down and returns the exit status.
func (e *Editor) Stop() int {
	e.t.Helper()
	e.Request("shutdown", nil)
	e.Notify("exit", nil)
	return e.AwaitExit()
}
