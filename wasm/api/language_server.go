package api

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/requests"
)

// lspParams are a request of the Language Server Protocol about an open document. Commands are the
// commands of lenses that the client executes.
type lspParams struct {
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params,omitempty"`
	Client   string          `json:"client,omitempty"` // the client's name
	Commands []string        `json:"commands,omitempty"`
}

// LanguageServerAnswer is the answer to a request of the Language Server Protocol.
type LanguageServerAnswer struct {
	Result any `json:"result"`
	// Closed is the document of the request if it is not open. Then the result is empty.
	Closed string `json:"closed,omitempty"`
	// Messages are messages to the user.
	Messages []string `json:"messages,omitempty"`
}

// answerRequest answers a request of the Language Server Protocol. The result of `initialize` are
// the capabilities.
func answerRequest(p lspParams) (answer LanguageServerAnswer, err error) {
	client := ide.Browser
	client.CanRetrigger = strings.HasPrefix(p.Client, "Visual Studio Code")
	client.HasCommand = func(name string) bool { return slices.Contains(p.Commands, name) }
	if p.Method == "initialize" {
		answer.Result = requests.Capabilities(&client)
		return answer, nil
	}
	i := slices.IndexFunc(requests.Routes(), func(r requests.Route) bool { return r.Method == p.Method })
	if i < 0 {
		return answer, failf(UnknownMethod, "there is no request `%s`", p.Method)
	}
	uri, ask, err := requests.Routes()[i].Bind(p.Params, json.Unmarshal)
	if err != nil {
		return answer, failf(BadParams, "the parameters do not fit this method")
	}
	openDocuments.Lock()
	d, open := openDocuments.byName[uri]
	openDocuments.Unlock()
	var f *ide.File
	switch {
	case !open:
		answer.Closed = uri
	case d.isEvalFile:
		f = d.file(&client)
		f.Host.ShowMessage = func(message string) { answer.Messages = append(answer.Messages, message) }
	}
	answer.Result, err = ask(f)
	return answer, err
}
