package lsp

import (
	"context"
	"fmt"

	"github.com/rubric-ls/rubric/core/run"
)

// methodRecords asks for what a document's cases last came to, whole.
const methodRecords = "rubric/records"

// recordsResult are records, each as the run that made it left it.
type recordsResult struct {
	Records []run.Record `json:"records"`
}

// caseRecords answers what a document's cases last came to, in the order of the text.
func caseRecords(_ context.Context, s *snapshot, p *documentParams) (*recordsResult, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, requestFailed(fmt.Errorf("`%s` is not open, or is no eval file", p.TextDocument.URI))
	}
	result := &recordsResult{Records: []run.Record{}}
	for _, c := range s.runnableSuite(d).Cases {
		if r := s.session.results.get(d.URI, c.ID); r != nil {
			result.Records = append(result.Records, r.Record)
		}
	}
	return result, nil
}
