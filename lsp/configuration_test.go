package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// nextCodes waits for the next diagnostics and returns their codes and severities.
func nextCodes(t *testing.T, e *lsptest.Editor) (all []string) {
	t.Helper()
	m := e.AwaitNext("diagnostics", func(m lsptest.Message) bool { return m.Method == "textDocument/publishDiagnostics" })
	var p lsptest.Published
	if err := json.Unmarshal(m.Params, &p); err != nil {
		t.Fatal(err)
	}
	for _, d := range p.Diagnostics {
		all = append(all, d.Code+" "+[]string{"", "error", "warning", "info", "hint"}[d.Severity])
	}
	return all
}

// TestSettingsPulled checks that the server asks for the settings, and asks again when they change.
func TestSettingsPulled(t *testing.T) {
	answers := make(chan string, 3)
	e := lsptest.Start(t, newServer(nil))
	e.Handle("workspace/configuration", func(params json.RawMessage) any {
		if string(params) != `{"items":[{"section":"rubric"}]}` {
			t.Errorf("asked for %s", params)
		}
		return <-answers
	})
	e.Initialize(`{"workspace":{"configuration":true,"didChangeConfiguration":{"dynamicRegistration":true}}}`)
	e.Await("a registration", func(m lsptest.Message) bool {
		return m.Method == "client/registerCapability" && strings.Contains(string(m.Params), `"section":"rubric"`)
	})
	e.Open(doc, hasOne)
	if got := nextCodes(t, e); !slices.Equal(got, []string{"unknown-key error"}) {
		t.Errorf("before there are settings: %v", got)
	}
	answers <- `[{"rules":{"unknown-key":"warning"}}]`
	if got := nextCodes(t, e); !slices.Equal(got, []string{"unknown-key warning"}) {
		t.Errorf("%v", got)
	}
	answers <- `[{"rules":{"unknown-key":"Off","unknown-kee":"error","missing-key":"bad"}}]`
	e.Notify("workspace/didChangeConfiguration", `{"settings":null}`)
	if got := nextCodes(t, e); len(got) != 0 {
		t.Errorf("%v", got)
	}
	e.Await("a fault told", func(m lsptest.Message) bool {
		return m.Method == "window/showMessage" && strings.Contains(string(m.Params), "there is no rule `unknown-kee`; did you mean `unknown-key`?")
	})
	e.Await("a fault told", func(m lsptest.Message) bool {
		return m.Method == "window/showMessage" && strings.Contains(string(m.Params), "the severity of `missing-key` is `bad`")
	})
	answers <- `[null]`
	e.Notify("workspace/didChangeConfiguration", `{"settings":null}`)
	if got := nextCodes(t, e); !slices.Equal(got, []string{"unknown-key error"}) {
		t.Errorf("without settings: %v", got)
	}
}

// TestSettingsPushed checks the settings of clients without workspace/configuration.
func TestSettingsPushed(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, hasOne)
	nextCodes(t, e)
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"yaml":{"a":1}}}`)
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"rules":{"unknown-key":"hint"}}}}`)
	if got := nextCodes(t, e); !slices.Equal(got, []string{"unknown-key hint"}) {
		t.Errorf("%v", got)
	}
}

// TestSilentClient checks that a client that answers no requests is still served.
func TestSilentClient(t *testing.T) {
	e := lsptest.Start(t, newServer(nil))
	e.Silence()
	e.Initialize(`{"workspace":{"configuration":true,"didChangeWatchedFiles":{"dynamicRegistration":true}}}`)
	e.Open(doc, hasOne)
	if found := e.AwaitDiagnostics(doc, 1); len(found) != 1 {
		t.Errorf("%v", found)
	}
	if status := e.Stop(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestFaultySettings checks that a faulty setting is shown under its name, and that the others count.
func TestFaultySettings(t *testing.T) {
	e := start(t, nil, "{}")
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"samples":1001,"workers":1.5,"allowExec":"maybe","judge":[],"target":7,"jugde":"x","rules":"off","trace":{"server":"off"}}}}`)
	for _, want := range []string{
		"rubric.samples must be from 1 to 1000, not 1001", "rubric.workers must be a whole number, not `1.5`",
		"rubric.allowExec must be `true` or `false`, not `maybe`", "rubric.target must be a text or a list of texts, not `7`",
		"rubric.rules must be an object of severities by rule id, not `off`",
		"there is no setting `rubric.jugde`; did you mean `judge`?",
	} {
		e.Await(want, func(m lsptest.Message) bool {
			return m.Method == "window/showMessage" && strings.Contains(string(m.Params), want)
		})
	}
}
