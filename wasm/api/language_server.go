package api

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/lens"
	"github.com/rubric-ls/rubric/core/ide/requests"
)

// lspParams are a request of the Language Server Protocol about an open document.
type lspParams struct {
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params,omitempty"`
	Client   string          `json:"client,omitempty"`   // the client's name
	Commands []string        `json:"commands,omitempty"` // of lenses, that the client executes
}

// LanguageServerAnswer is the answer to a request of the Language Server Protocol: a result or an
// error.
type LanguageServerAnswer struct {
	Result any      `json:"result"`
	Error  *Failure `json:"error,omitempty"`
	// Closed is the document of the request if it is not open.
	Closed string `json:"closed,omitempty"`
	// Messages are messages to the user.
	Messages []string `json:"messages,omitempty"`
}

// answerRequest answers a request of the Language Server Protocol.
func answerRequest(p lspParams) (answer LanguageServerAnswer, err error) {
	client := ide.Browser
	client.CanRetrigger = strings.HasPrefix(p.Client, "Visual Studio Code")
	client.CanChoose = slices.Contains(p.Commands, lens.ChooseCommand)
	client.HasCommand = func(name string) bool { return slices.Contains(p.Commands, name) }
	uri, ask, err := p.bind(&client)
	if err != nil {
		return LanguageServerAnswer{Error: toFailure(err)}, nil
	}
	openDocuments.Lock()
	d, open := openDocuments.byName[uri]
	openDocuments.Unlock()
	var f *ide.File
	switch {
	case !open:
		answer.Closed = uri
	case d.isEvalFile || requests.AnswersHalfTyped(p.Method, d.Analysis):
		f = d.file(&client)
		f.Host.ShowMessage = func(message string) { answer.Messages = append(answer.Messages, message) }
	}
	if answer.Result, err = ask(f); err != nil {
		answer.Error = toFailure(err)
	}
	return answer, nil
}

// bind returns the document of a request and the question about it.
func (p lspParams) bind(client *ide.Client) (uri string, ask requests.Ask, err error) {
	switch p.Method {
	case "initialize":
		return "", func(*ide.File) (any, error) { return p.initialize(client) }, nil
	case "rubric/score":
		return p.bindScore()
	}
	all := requests.Routes()
	i := slices.IndexFunc(all, func(r requests.Route) bool { return r.Method == p.Method })
	if i < 0 {
		return "", nil, failf(UnknownMethod, "there is no request `%s`", p.Method)
	}
	if uri, ask, err = all[i].Bind(p.Params, json.Unmarshal); err != nil {
		return "", nil, errInvalidParams
	}
	return uri, ask, nil
}

var errInvalidParams = failf(BadParams, "the parameters do not fit this method")

// InitializeResult is the result of `initialize`.
type InitializeResult struct {
	Capabilities json.RawMessage `json:"capabilities"`
	ServerInfo   ServerInfo      `json:"serverInfo"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (p lspParams) initialize(client *ide.Client) (result InitializeResult, err error) {
	var params struct {
		Capabilities struct {
			General struct {
				PositionEncodings []string `json:"positionEncodings"`
			} `json:"general"`
		} `json:"capabilities"`
	}
	if p.Params != nil && json.Unmarshal(p.Params, &params) != nil {
		return result, errInvalidParams
	}
	own := `{"textDocumentSync":{"openClose":true,"change":2,"save":{}},`
	if params.Capabilities.General.PositionEncodings != nil { // others know only one
		own = `{"positionEncoding":"utf-16",` + own[1:]
	}
	return InitializeResult{append([]byte(own), requests.Capabilities(client)[1:]...), ServerInfo{"rubric", Version}}, nil
}

// bindScore binds a request for the score of grades that the user types.
func (p lspParams) bindScore() (uri string, ask requests.Ask, err error) {
	var params struct {
		URI    string              `json:"uri"`
		Case   string              `json:"case"`
		Grades []grade.ManualGrade `json:"grades"`
	}
	if err := json.Unmarshal(p.Params, &params); err != nil {
		return "", nil, errInvalidParams
	}
	return params.URI, func(*ide.File) (any, error) {
		return gradeTyped(gradeParams{caseParams{fileParams: fileParams{Document: params.URI}, Case: params.Case}, params.Grades})
	}, nil
}
