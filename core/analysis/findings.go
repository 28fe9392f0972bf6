package analysis

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// diagnostics are all findings, with spans of the file, in order.
func (v *view) diagnostics() []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, f := range v.apart() {
		found = append(found, *f.Diagnostic)
	}
	for b := range v.blocks {
		v.own(b, anySeverity, func(f Finding) { found = append(found, f.InFile()) })
	}
	return lint.Sort(found)
}

// told is what is said of a claim.
func (v *view) told(s lint.Settled) diag.Diagnostic {
	claim := v.claim(s.Claim)
	var first text.Span
	if s.First != nil {
		first = v.claim(*s.First).Diagnostic.Span
	}
	return claim.Finding(s, first)
}

// claim is one of a piece with spans and paths of the file.
func (v *view) claim(at lint.Place) lint.Claim {
	return v.claimOf(v.start(at.Result), v.at(at.Result), at.Claim)
}

func (v *view) claimOf(at start, p *piece, n int) lint.Claim {
	c := p.done.Claims[n]
	c.Diagnostic = v.placed(at, c.Diagnostic)
	if c.Useless != nil {
		useless := v.placed(at, *c.Useless)
		c.Useless = &useless
	}
	return c
}

// Dataset is what results of the file's cases are filed under, and whether the
// file says so itself.
func (a *Analysis) Dataset() (name string, said bool) {
	a.Parts(func(p *Part) bool {
		name = p.Suite.Name
		return false
	})
	return name, name != a.input.stem()
}

// CaseIDs are the ids of the file's cases, to be held against other files'.
func (a *Analysis) CaseIDs() lint.CaseIDs {
	v := a.settled()
	ids := lint.CaseIDs{Source: a.Source()}
	ids.Dataset, ids.Named = a.Dataset()
	for at, p := range v.all() {
		for n := range p.done.Claims {
			ids.Claims = append(ids.Claims, v.claimOf(at, p, n))
		}
	}
	return ids
}

// CaseNames are the ids of the file's cases, in the order of the text.
func (a *Analysis) CaseNames() (names []string) {
	for _, p := range a.settled().all() {
		for i := range p.done.Claims {
			if id, is := p.done.Claims[i].CaseID(); is {
				names = append(names, id)
			}
		}
	}
	return names
}

// SameCaseIDs reports that two analyses of a file have the same cases, by their
// ids. It may miss that, and costs nothing.
func (a *Analysis) SameCaseIDs(b *Analysis) bool {
	if b == nil {
		return false
	}
	v, w := a.settled(), b.settled()
	return v.claimed == w.claimed && v.context.text == w.context.text
}

// Among is everything found of the file among others, which have some of its ids.
func (a *Analysis) Among(others lint.Elsewhere) []diag.Diagnostic {
	if len(others) == 0 {
		return a.Diagnostics()
	}
	v := a.settled()
	var claims []lint.Claim
	for at, p := range v.all() {
		for n, c := range p.done.Claims {
			if _, twice := others[c.Key]; twice {
				claims = append(claims, v.claimOf(at, p, n))
			}
		}
	}
	return others.Found(claims, a.Diagnostics())
}

// placed is a finding of the piece that begins at, with spans and path of the file.
func (v *view) placed(at start, d diag.Diagnostic) diag.Diagnostic {
	if v.form.framed() && at.piece >= 0 && d.Span.Start < text.Far {
		d.Path = v.key + "[" + strconv.Itoa(at.piece) + "]" + strings.TrimPrefix(d.Path, "[0]")
	}
	return d.Moved(func(span text.Span) text.Span { return v.place(at, span) })
}
