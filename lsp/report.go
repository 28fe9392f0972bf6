package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// methodReport asks for the report of what a document's cases last came to.
const methodReport = "rubric/report"

// reportResult is the report as a page of HTML, and what was spent on it.
type reportResult struct {
	HTML  string `json:"html"`
	Cases int    `json:"cases"`
	Stale int    `json:"stale"` // of the cases
	Usage usage  `json:"spent"`
}

// usage is what providers told of the tokens and the cost of some cases.
type usage struct {
	Input  int     `json:"input"`
	Output int     `json:"output"`
	USD    float64 `json:"usd,omitzero"` // as far as targets told
}

// writeReport answers what a document's cases last came to, in the order of the text.
func writeReport(_ context.Context, s *snapshot, p *documentParams) (*reportResult, error) {
	d, write := s.evalDocument(p.TextDocument.URI), s.session.server.Host.WriteReport
	switch {
	case d == nil:
		return nil, requestFailed(fmt.Errorf("`%s` is not open, or is no eval file", p.TextDocument.URI))
	case write == nil:
		return nil, requestFailed(errors.New("reports are not written here"))
	}
	var records []run.Record
	result := &reportResult{}
	for _, c := range s.runnableSuite(d).Cases {
		r := s.session.results.get(d.URI, c.ID)
		if r == nil {
			continue
		}
		record, _ := r.ForCase(c)
		records = append(records, record)
		result.Usage.add(record)
		if o, _ := r.outcome(c, s.resultInputs(d, c)); o.Stale {
			result.Stale++
		}
	}
	if len(records) == 0 {
		return nil, requestFailed(fmt.Errorf("no case of `%s` has been run", uri.Basename(d.URI)))
	}
	result.Cases = len(records)
	var page strings.Builder
	if err := write(&page, s.runnableSuite(d).Name, pathOf(d.URI), records); err != nil {
		return nil, err
	}
	result.HTML = page.String()
	return result, nil
}

// add adds what a case cost.
func (s *usage) add(r run.Record) {
	forEachGrader(r.Graders, func(g run.GraderRecord) {
		for _, reply := range g.Replies {
			s.addTokens(reply.Usage)
		}
		if g.Metric == nil {
			return
		}
		for _, turn := range g.Metric.Invocations {
			for _, reply := range turn.Replies {
				s.addTokens(reply.Usage)
			}
		}
	})
	if t := r.TraceSummary; t != nil {
		if t.TokenUsage != nil {
			s.addTokens(judge.Usage{Input: int(t.TokenUsage.Input), Output: int(t.TokenUsage.Output)})
		}
		if t.CostUSD != nil {
			s.USD += *t.CostUSD
		}
	}
}

func (s *usage) addTokens(u judge.Usage) { s.Input, s.Output = s.Input+u.Input, s.Output+u.Output }
