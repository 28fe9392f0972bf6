package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// Finding is a diagnostic of the Language Server Protocol.
type Finding struct {
	Range              text.Range       `json:"range"`
	Severity           int              `json:"severity"`
	Code               string           `json:"code"`
	CodeDescription    CodeDescription  `json:"codeDescription,omitzero"`
	Source             string           `json:"source"`
	Message            string           `json:"message"`
	Tags               []int            `json:"tags,omitempty"`
	RelatedInformation []RelatedFinding `json:"relatedInformation,omitempty"`
}

// CodeDescription is where a rule is explained.
type CodeDescription struct {
	Href string `json:"href"`
}

// RelatedFinding is a second place of a finding.
type RelatedFinding struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

func diagnose(p fileParams) ([]Finding, error) {
	d, err := p.find()
	if err != nil {
		return nil, err
	}
	all := []Finding{}
	worst, more := d.Worst(assist.MostTold, text.Span{}, nil)
	if more > 0 {
		first := text.Span{End: d.Offset(text.Position{Character: text.Far}, text.UTF16)}
		all = append(all, Finding{
			Range: toRange(d.Analysis, first), Severity: int(diag.Info), Code: assist.NotAllShown, Source: "rubric", Message: assist.LeftOut(more, 0),
		})
	}
	for _, found := range worst {
		all = append(all, finding(d, found))
	}
	return all, nil
}

func finding(d document, found analysis.Finding) Finding {
	out := Finding{
		Range: toRange(d.Analysis, found.At()), Severity: int(found.Severity), // numbered as in the protocol
		Code: found.Code, CodeDescription: CodeDescription{lint.PageAddress(found.Code)}, Source: "rubric", Message: found.Message,
	}
	for _, n := range found.Notes {
		at := Location{d.name, toRange(d.Analysis, found.Place(n.Span))}
		if n.Source != nil {
			at = Location{d.openedAs(n.Source.Name), n.Source.SpanRange(n.Span, text.UTF16)}
		}
		out.RelatedInformation = append(out.RelatedInformation, RelatedFinding{at, n.Message})
	}
	for _, t := range found.Tags {
		out.Tags = append(out.Tags, int(t)) // numbered as in the protocol
	}
	return out
}
