package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// graded is an eval file with two cases. The reference answer of the first satisfies its first
// criterion and not its second.
const graded = `evalcases:
  - id: window
    expected_outcome: Names the refund window
    input: Can I send it back?
    expected_output: The refund window is 30 days.
    rubrics:
      - id: days
        expected_outcome: States that the refund window is 30 days
      - id: label
        expected_outcome: Offers a prepaid label
  - id: greeting
    expected_outcome: Greets the customer
    input: Hello
    expected_output: Good morning!
    rubrics:
      - id: greets
        expected_outcome: Says good morning
`

// everything are the capabilities of a client that shows results in every way.
const everything = `{"window":{"workDoneProgress":true},"workspace":{"applyEdit":true,"codeLens":{"refreshSupport":true},"inlayHint":{"refreshSupport":true},` +
	`"workspaceEdit":{"documentChanges":true,"changeAnnotationSupport":{}}},"experimental":{"rubric":{"ask":true}}}`

// notification is a rubric/results notification.
type notification struct {
	Job, URI, State, Message string
	Done, Total              int
	Results                  []struct {
		ID, State, Message string
		Score              *float64
	}
}

// running starts a session with a host and an open document that can run.
func running(t *testing.T, host lsp.Host, capabilities, settings string, more ...string) *lsptest.Editor {
	t.Helper()
	server := newServer(nil)
	server.Host = host
	e := lsptest.Start(t, server)
	e.Initialize(capabilities, more...)
	if settings != "" {
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
	}
	e.Open(doc, graded)
	return e
}

// command executes a command. More are further members of its argument.
func command(e *lsptest.Editor, name, more string) (json.RawMessage, *lsptest.Error) {
	return commandIn(e, doc, name, more)
}

// commandIn is command for another document.
func commandIn(e *lsptest.Editor, uri, name, more string) (json.RawMessage, *lsptest.Error) {
	return e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"`+name+`","arguments":[{"uri":"`+uri+`"`+more+`}]}`))
}

// begin executes a command that starts a job, and returns its id.
func begin(t *testing.T, e *lsptest.Editor, name, more string) string {
	t.Helper()
	return beginIn(t, e, doc, name, more)
}

func beginIn(t *testing.T, e *lsptest.Editor, uri, name, more string) string {
	t.Helper()
	raw, err := commandIn(e, uri, name, more)
	var answer struct{ Job string }
	if err != nil || json.Unmarshal(raw, &answer) != nil || answer.Job == "" {
		t.Fatalf("%s gives %s, %v", name, raw, err)
	}
	return answer.Job
}

// finish waits for a job's end. It returns the last state of each item, and all states in order.
func finish(t *testing.T, e *lsptest.Editor, job string) (end notification, states map[string]string, order []string) {
	t.Helper()
	return finishIn(t, e, doc, job)
}

func finishIn(t *testing.T, e *lsptest.Editor, uri, job string) (end notification, states map[string]string, order []string) {
	t.Helper()
	states = map[string]string{}
	e.AwaitNext("the end of "+job, func(m lsptest.Message) bool {
		if m.Method != "rubric/results" {
			return false
		}
		end = notification{}
		if err := json.Unmarshal(m.Params, &end); err != nil {
			t.Fatalf("%s: %v", m.Params, err)
		}
		if end.Job != job {
			return false
		}
		for _, r := range end.Results {
			name := strings.TrimPrefix(r.ID, uri+"#")
			states[name] = r.State
			order = append(order, name+" "+r.State)
		}
		return end.State != "running"
	})
	return end, states, order
}

func lenses(e *lsptest.Editor) string { return lensesIn(e, doc) }

func lensesIn(e *lsptest.Editor, uri string) string {
	var all []struct {
		Range   lsptest.Range
		Command struct{ Title, Command string }
	}
	e.RequestInto(&all, "textDocument/codeLens", `{"textDocument":{"uri":"`+uri+`"}}`)
	var lines []string
	for _, l := range all {
		lines = append(lines, fmt.Sprintf("%d %s %s", l.Range.Start.Line, l.Command.Title, l.Command.Command))
	}
	return strings.Join(lines, "\n")
}

func holds(t *testing.T, what, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s has no %q:\n%s", what, w, got)
		}
	}
}

const hintsOfAll = `{"textDocument":{"uri":"` + doc + `"},"range":{"start":{"line":0,"character":0},"end":{"line":40,"character":0}}}`

func hoverOn(e *lsptest.Editor, line, character int) string {
	return string(e.Request("textDocument/hover", at(line, character)))
}
