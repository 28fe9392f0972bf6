package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// poll is a client with reports on a workspace that waits for changes, as partial results.
type poll struct {
	*lsptest.Editor
	folder *lsptest.Folder
	known  string // result ids as JSON
}

func startPoll(t *testing.T) *poll {
	p := &poll{folder: lsptest.NewFolder(map[string]string{"/evals/a.eval.yaml": hasOne, "/evals/b.eval.yaml": hasOne})}
	p.Editor = start(t, p.folder, `{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	var first struct{ Items []fileReport }
	p.RequestInto(&first, "workspace/diagnostic", `{"previousResultIds":[]}`)
	var ids []string
	for _, r := range first.Items {
		ids = append(ids, fmt.Sprintf(`{"uri":%q,"value":%q}`, r.URI, r.ResultID))
	}
	p.known = "[" + strings.Join(ids, ",") + "]"
	return p
}

// ask sends the request and checks that it is not answered at once.
func (p *poll) ask(t *testing.T) (id int) {
	t.Helper()
	id = p.StartRequest("workspace/diagnostic", `{"previousResultIds":`+p.known+`,"partialResultToken":"p"}`)
	p.Request("workspace/symbol", `{"query":""}`)
	for _, m := range p.Messages() {
		if string(m.ID) == fmt.Sprint(id) {
			t.Fatalf("it is answered at once: %s", m.Result)
		}
	}
	return id
}

// TestLongPoll checks that the request is answered after a change on disk or in an editor.
func TestLongPoll(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*poll)
		want   string
	}{
		{"on disk", func(p *poll) {
			p.folder.Write("/evals/a.eval.yaml", strings.Replace(hasOne, "outcme", "outcome", 1))
			p.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/a.eval.yaml","type":2}]}`)
		}, "[a.eval.yaml full [] b.eval.yaml unchanged []]"},
		{"gone", func(p *poll) {
			p.folder.Remove("/evals/b.eval.yaml")
			p.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/b.eval.yaml","type":3}]}`)
		}, "[a.eval.yaml unchanged [] b.eval.yaml full []]"},
		{"in an editor", func(p *poll) {
			p.Open("file:///evals/b.eval.yaml", strings.Replace(hasOne, "outcme", "outcome", 1))
		}, "[a.eval.yaml unchanged [] b.eval.yaml full []]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startPoll(t)
			id := p.ask(t)
			c.change(p)
			m := p.Await("a piece", func(m lsptest.Message) bool { return m.Method == "$/progress" })
			var piece struct{ Value struct{ Items []fileReport } }
			if err := json.Unmarshal(m.Params, &piece); err != nil || fmt.Sprint(piece.Value.Items) != c.want {
				t.Errorf("%s", m.Params)
			}
			if rest, err := p.AwaitResponse(id); err != nil || string(rest) != `{"items":[]}` {
				t.Errorf("%s %v", rest, err)
			}
		})
	}
}

// TestLongPollEnds checks that the request can be cancelled and does not delay shutdown.
func TestLongPollEnds(t *testing.T) {
	p := startPoll(t)
	given := p.ask(t)
	p.Notify("$/cancelRequest", fmt.Sprintf(`{"id":%d}`, given))
	if _, err := p.AwaitResponse(given); err == nil || err.Code != -32800 {
		t.Errorf("%v", err)
	}
	pending := p.ask(t)
	p.Request("shutdown", nil)
	if rest, err := p.AwaitResponse(pending); err != nil || !strings.HasPrefix(string(rest), `{"items":[`) {
		t.Errorf("%s %v", rest, err)
	}
	p.Notify("exit", nil)
	if status := p.AwaitExit(); status != 0 {
		t.Errorf("status %d", status)
	}
}
