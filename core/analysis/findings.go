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
		claim := v.claim(s.Claim)
		var first *text.Span
		if s.First != nil {
			span := v.place(s.First.Result, v.pieces[s.First.Result].done.Claims[s.First.Claim].Diagnostic.Span)
			first = &span
		}
		found = append(found, claim.Finding(first))
	}
	return lint.Sort(found)
}

// claim is one of a piece with spans and paths of the file.
func (v *view) claim(at lint.Place) lint.Claim {
	c := v.pieces[at.Result].done.Claims[at.Claim]
	c.Diagnostic = v.placed(at.Result, c.Diagnostic)
	if c.Useless != nil {
		useless := v.placed(at.Result, *c.Useless)
		c.Useless = &useless
	}
	return c
}

// CaseIDs are the ids of the file's cases, to be held against other files'.
func (a *Analysis) CaseIDs() lint.CaseIDs {
	v := a.settled()
	ids := lint.CaseIDs{Source: a.Source()}
	a.Parts(func(p *Part) bool {
		ids.Dataset = p.Suite.Name
		return false
	})
	ids.Named = ids.Dataset != a.input.stem()
	for i := range v.pieces {
		for j := range v.pieces[i].done.Claims {
			ids.Claims = append(ids.Claims, v.claim(lint.Place{Result: i, Claim: j}))
		}
	}
	return ids
}

// placed is a finding of a piece with spans and path of the file.
func (v *view) placed(piece int, d diag.Diagnostic) diag.Diagnostic {
	if v.form == listed && piece >= 0 && d.Span.Start < text.Far {
		d.Path = v.key + "[" + strconv.Itoa(piece) + "]" + strings.TrimPrefix(d.Path, "[0]")
	}
	place := func(span text.Span) text.Span { return v.place(piece, span) }
	return d.Moved(place)
}
