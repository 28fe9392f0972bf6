package lsptest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Range is an interval in a document as the protocol has it.
type Range struct {
	Start, End Position
}

// Position is a zero-based place.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Diagnostic is a finding as an editor gets it.
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

// Published is a push of diagnostics.
type Published struct {
	URI         string
	Version     *int
	Diagnostics []Diagnostic
}

// Initialize starts the session with capabilities in JSON and gives the result.
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
		language = "jsonc" // as editors say that read past comments
	}
	e.Notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":%q,"version":1,"text":%s}}`, uri, language, e.encode(&body)))
}

// Change sends a document's next version; each change is the JSON of one.
func (e *Editor) Change(uri string, version int, changes ...string) {
	list := ""
	for i, c := range changes {
		if i > 0 {
			list += ","
		}
		list += c
	}
	e.Notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[%s]}`, uri, version, list))
}

// TextChange is a change that replaces a range by words.
func TextChange(line, start, end int, words string) string {
	encoded, err := json.Marshal(words)
	if err != nil { // a string
		panic(err)
	}
	return fmt.Sprintf(`{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},"text":%s}`, line, start, line, end, encoded)
}

// FullChange is a change to another text altogether.
func FullChange(body string) string {
	encoded, err := json.Marshal(body)
	if err != nil { // a string
		panic(err)
	}
	return `{"text":` + string(encoded) + `}`
}

// Close closes a document.
func (e *Editor) Close(uri string) {
	e.Notify("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri))
}

// AwaitDiagnostics waits for the push of one version of a document; version 0 is that
// of a closed one.
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

// recordPublish keeps a push of diagnostics.
func (e *Editor) recordPublish(m Message) {
	var p Published
	if err := json.Unmarshal(m.Params, &p); err != nil {
		e.t.Errorf("%s: %v", m.Params, err)
	}
	e.published = append(e.published, p)
}

// Codes are the codes of findings, in their order.
func Codes(found []Diagnostic) (codes []string) {
	for _, d := range found {
		codes = append(codes, d.Code)
	}
	return codes
}

// Stop ends the session as it should be ended, and gives the exit status.
func (e *Editor) Stop() int {
	e.t.Helper()
	e.Request("shutdown", nil)
	e.Notify("exit", nil)
	return e.AwaitExit()
}
