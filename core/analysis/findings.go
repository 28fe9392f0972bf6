package analysis

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// diagnostics are all findings, with spans of the file, in order.
func (v *view) diagnostics() (found []diag.Diagnostic) {
	if v.around != nil {
		for _, d := range v.around.Found {
			found = append(found, v.placed(-1, d))
		}
	}
	for i := range v.pieces {
		if v.pieces[i].plain {
			continue
		}
		for _, d := range v.pieces[i].done.Found {
			if d.Span.Start < text.Far || v.form == listed { // else it is the sidecar's
				found = append(found, v.placed(i, d))
			}
		}
	}
	for _, s := range v.settled {
		claim := v.pieces[s.Claim.Result].done.Claims[s.Claim.Claim]
		var first *text.Span
		if s.First != nil {
			span := v.place(s.First.Result, v.pieces[s.First.Result].done.Claims[s.First.Claim].Diagnostic.Span)
			first = &span
		}
		claim.Diagnostic = v.placed(s.Claim.Result, claim.Diagnostic)
		if claim.Useless != nil {
			useless := v.placed(s.Claim.Result, *claim.Useless)
			claim.Useless = &useless
		}
		found = append(found, claim.Finding(first))
	}
	return lint.Sort(found)
}

// placed is a finding of a piece with spans and path of the file.
func (v *view) placed(piece int, d diag.Diagnostic) diag.Diagnostic {
	if v.form == listed && piece >= 0 && d.Span.Start < text.Far {
		d.Path = v.key + "[" + strconv.Itoa(piece) + "]" + strings.TrimPrefix(d.Path, "[0]")
	}
	place := func(span text.Span) text.Span { return v.place(piece, span) }
	return d.Moved(place)
}
