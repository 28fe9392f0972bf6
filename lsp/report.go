package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// methodReport returns a report of a document's last results.
const methodReport = "rubric/report"

// reportParams name a document. The page of many cases is large, so clients can do without it.
type reportParams struct {
	documentParams
	WithoutPage bool `json:"withoutPage"`
}

// reportResult is the report as an HTML page, with its cost.
type reportResult struct {
	HTML  string `json:"html,omitzero"`
	Cases int    `json:"cases"`
	Stale int    `json:"stale"` // number of cases with a stale result
	Usage usage  `json:"spent"`
}

// usage is the token usage and the cost of some cases, as far as they are known.
type usage struct {
	Input  int     `json:"input"`
	Output int     `json:"output"`
	USD    float64 `json:"usd,omitzero"`
}

// writeReport returns the report of a document's last results, in text order. For results of ADK that were not
// measured again, they are those in the file.
func writeReport(_ context.Context, s *snapshot, p *reportParams) (*reportResult, error) {
	d, err := s.openEvalFile(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	var records []run.Record
	spent := run.ModelUsage{}
	result, outcomes := &reportResult{}, s.openFile(d).Host.Outcomes()
	for _, c := range s.RunnableSuite(d).Cases {
		r := s.session.Results.Get(d.URI, c.ID)
		if r == nil {
			continue
		}
		record := r.Record
		if !p.WithoutPage {
			record, _ = r.ForCase(c)
		}
		records = append(records, record)
		spent.Add(record.JudgeUsage())
		spent.Add(record.TargetUsage())
		if outcomes[c.ID].Stale {
			result.Stale++
		}
	}
	if len(records) == 0 && d.ADK() == adk.Results {
		for _, record := range ide.RecordedResults(d.Analysis) {
			record.Target = s.Evaluation(d).Conversations().Source
			records = append(records, record)
		}
	}
	if len(records) == 0 {
		return nil, requestFailed(fmt.Errorf("no case of `%s` has been run", uri.Basename(d.URI)))
	}
	result.Cases, result.Usage = len(records), usage{spent.Input, spent.Output, spent.Cost}
	write := s.session.server.Host.WriteReport
	switch {
	case p.WithoutPage:
		return result, nil
	case write == nil:
		return nil, requestFailed(errors.New("this server does not write reports"))
	}
	var page strings.Builder
	if err := write(&page, s.RunnableSuite(d).Name, cache.PathOf(d.URI), records); err != nil {
		return nil, err
	}
	result.HTML = page.String()
	return result, nil
}

// methodRecords returns the full records of a document's last results.
const methodRecords = "rubric/records"

// recordsResult holds the records as lines of a result file. The protocol's own encoder writes empty
// values that those lines leave out.
type recordsResult struct {
	Records []protocol.LSPAny `json:"records"`
}

// caseRecords returns the last records of a document's cases, in text order.
func caseRecords(_ context.Context, s *snapshot, p *documentParams) (*recordsResult, error) {
	d, err := s.openEvalFile(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	result := &recordsResult{Records: []protocol.LSPAny{}}
	for _, c := range s.RunnableSuite(d).Cases {
		if r := s.session.Results.Get(d.URI, c.ID); r != nil {
			var line bytes.Buffer
			if err := r.Record.WriteLine(&line); err != nil {
				return nil, err
			}
			result.Records = append(result.Records, line.Bytes())
		}
	}
	return result, nil
}

// methodScore scores grades that the user types. The command rubric.score does the same for clients
// that cannot send other methods.
const methodScore = "rubric/score"

// scoreParams holds grades of a case, as a judge would return them.
type scoreParams struct {
	URI    uri.URI             `json:"uri"`
	Case   string              `json:"case"`
	Grades []grade.ManualGrade `json:"grades"`
}

// scoreResult is the score of the grades.
type scoreResult struct {
	grade.ManualResult
	Range text.Range `json:"range"` // of the case's heading
}

// scoreTyped scores typed grades. It asks no judge.
func scoreTyped(ctx context.Context, s *snapshot, p *scoreParams) (*scoreResult, error) {
	d, err := s.loadDocument(p.URI)
	if err != nil {
		return nil, err
	}
	cases, err := selectCases(d, s.RunnableSuite(d), p.Case, true)
	if err != nil {
		return nil, err
	}
	var result grade.ManualResult
	if e := s.Evaluation(d); e != nil {
		result, err = e.Conversations().ScoreManually(ctx, cases[0], p.Grades)
	} else {
		result, err = grade.ScoreManually(cases[0], p.Grades)
	}
	if err != nil {
		return nil, requestFailed(err)
	}
	return &scoreResult{result, s.SpanRange(d, cases[0].SelectionSpan)}, nil
}
