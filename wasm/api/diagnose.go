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

func (f Finding) encode() []byte {
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
func diagnose(p fileParams) (resultWriter, error) {
	d, err := p.findDocument()
	return d.encodeDiagnostics, err
}

// encodeDiagnostics is what is wrong with a document, as JSON behind some bytes.
func (d document) encodeDiagnostics(before string) []byte {
	list := d.diagnosticCache.NewList(before)
	worst, more := d.TopFindings(assist.MaxDiagnostics, text.Span{}, nil)
	if more > 0 {
		first := toRange(d.Analysis, text.Span{End: d.Offset(text.Position{Character: text.HeaderBase}, text.UTF16)})
		list.Add(nil, first, false, func() []byte {
			return Finding{Range: first, Severity: int(diag.Info), Code: assist.TruncatedCode, Source: "rubric", Message: assist.TruncatedMessage(more, 0)}.encode()
		})
	}
	for _, finding := range worst {
		rng, key := d.RangeOf(finding, text.UTF16), any(nil)
		if finding.IsLocal() {
			key = finding.Diagnostic
		}
		list.Add(key, rng, len(finding.Notes) == 0, func() []byte { return toFinding(d, finding).encode() })
	}
	return list.End()
}

func toFinding(d document, f analysis.Finding) Finding {
	out := Finding{
		Range: d.RangeOf(f, text.UTF16), Severity: int(f.Severity), // numbered as in the protocol
		Code: f.Code, CodeDescription: CodeDescription{lint.PageURL(f.Code)}, Source: "rubric", Message: f.Message,
	}
	for _, n := range f.Notes {
		location := Location{d.name, toRange(d.Analysis, f.ToFile(n.Span))}
		if n.Source != nil {
			location = Location{d.documentName(n.Source.Name), n.Source.SpanRange(n.Span, text.UTF16)}
		}
		out.RelatedInformation = append(out.RelatedInformation, RelatedFinding{location, n.Message})
	}
	for _, t := range f.Tags {
		out.Tags = append(out.Tags, int(t)) // numbered as in the protocol
	}
	return out
}
