package lsp_test

import (
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestJudges checks the list of available judges before a run. Where nothing may run, it is only
// the offline judge.
func TestJudges(t *testing.T) {
	server := newServer(nil)
	server.Host.ListJudges = func() []string { return []string{"openai:MODEL"} }
	for options, want := range map[string]string{
		`"initializationOptions":{}`:                `{"judges":["offline","openai:MODEL"]}`,
		`"initializationOptions":{"trusted":false}`: `{"judges":["offline"]}`,
	} {
		e := lsptest.Start(t, server)
		e.Initialize(`{}`, options)
		if got := string(e.Request("rubric/judges", `{}`)); got != want {
			t.Errorf("%s: %s, want %s", options, got, want)
		}
	}
}
