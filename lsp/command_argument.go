package lsp

import (
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// commandArgument is the file, case or criterion that a command applies to: the only argument of most
// commands.
type commandArgument struct {
	URI       uri.URI `json:"uri"`
	Case      string  `json:"case,omitzero"`
	Grader    string  `json:"grader,omitzero"`
	Criterion string  `json:"criterion,omitzero"`
	Recorded  string  `json:"recorded,omitzero"` // a file of recorded conversations next to an evalset
	// Samples overrides how often the judge is asked for each judgement; 0 means as the settings
	// say.
	Samples int `json:"samples,omitzero"`
	// Settings, if present, are the client's settings, which may be newer than those that it has sent.
	Settings settings `json:"settings,omitzero"`
}

// loadDocument returns the document of a command's argument, from the open documents or from disk.
func (s *snapshot) loadDocument(u uri.URI) (*cache.Document, error) {
	d, err := s.LoadDocument(u)
	if err != nil {
		return nil, requestFailed(err)
	}
	return d, nil
}

// selectCases returns the case of suite with an id, or all cases if id is "" and single is not set.
func selectCases(d *cache.Document, suite *rubric.Suite, id string, single bool) ([]*rubric.Case, error) {
	cases := suite.Cases
	if id == "" && !single {
		if len(cases) == 0 {
			return nil, requestFailed(fmt.Errorf("`%s` has no cases to run", uri.Basename(d.URI)))
		}
		return cases, nil
	}
	if c := suite.Case(id); c != nil {
		return []*rubric.Case{c}, nil
	}
	return nil, requestFailed(fmt.Errorf("there is no case `%s`%s", id, spell.DidYouMean(id, suite.CaseIDs())))
}

// requestFailed is the error of a request that was understood but cannot be carried out.
func requestFailed(err error) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%v", err)
}

// openEvalFile returns an open eval file, or an error for the user.
func (s *snapshot) openEvalFile(u uri.URI) (*cache.Document, error) {
	if d := s.EvalDocument(u); d != nil {
		return d, nil
	}
	return nil, requestFailed(fmt.Errorf("`%s` is not open or is not an eval file", u))
}

// documentParams names a document.
type documentParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
}

// jobStarted is the result of a command that started a job.
type jobStarted struct {
	Job string `json:"job"`
}
