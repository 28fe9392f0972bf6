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

func (f Finding) json() []byte {
	encoded, err := encode(f)
	if err != nil { // texts and numbers
		panic(err)
	}
	return encoded
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

// diagnose writes the findings as JSON, those of an open document that were there
// the last time as they were then.
func diagnose(p fileParams) (written, error) {
	d, err := p.find()
	return d.told, err
}

// told is what is wrong with a document, as JSON behind some bytes.
func (d document) told(before string) []byte {
	all := d.spoken.Begin(before)
	worst, more := d.Worst(assist.MostTold, text.Span{}, nil)
	if more > 0 {
		first := toRange(d.Analysis, text.Span{End: d.Offset(text.Position{Character: text.Far}, text.UTF16)})
		all.Add(nil, first, false, func() []byte {
			return Finding{Range: first, Severity: int(diag.Info), Code: assist.NotAllShown, Source: "rubric", Message: assist.LeftOut(more, 0)}.json()
		})
	}
	for _, found := range worst {
		at, of := d.RangeOf(found, text.UTF16), any(nil)
		if found.Alone() {
			of = found.Diagnostic
		}
		all.Add(of, at, len(found.Notes) == 0, func() []byte { return finding(d, found).json() })
	}
	return all.End()
}

func finding(d document, found analysis.Finding) Finding {
	out := Finding{
		Range: d.RangeOf(found, text.UTF16), Severity: int(found.Severity), // numbered as in the protocol
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
