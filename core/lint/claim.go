package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// Result is what the rules have to say of a text.
type Result struct {
	Found  []diag.Diagnostic
	Claims []Claim
}

// Claim is something that may be there once only. It is a finding if a claim of
// the same key stands before it, in this text or in another one.
type Claim struct {
	Key        string
	Diagnostic diag.Diagnostic // without its note
	Note       string          // what is said of the claim before
	Elsewhere  diag.Severity   // how bad it is if the claim before is in another file
	// Silenced says that a comment asks not to be told, and Useless what is told
	// of that comment if there is no claim before; nil for nothing.
	Silenced bool
	Useless  *diag.Diagnostic
}

// Claim makes a claim; see the type for key and note.
func (p *Pass) Claim(key string, span text.Span, note, format string, args ...any) {
	p.claims = append(p.claims, Claim{Key: key, Diagnostic: p.diagnostic(span, format, args...), Note: note, Elsewhere: diag.Warning})
}

// silence looks for comments that ask not to be told of claims. Whether they are
// of use turns out once all claims are known.
func (p *Pass) silence() {
	severity, changed := p.Severities[unusedIgnore]
	p.rule = Find(unusedIgnore)
	for i, c := range p.claims {
		for _, comment := range p.ignores {
			if !comment.speaksOf(p, c.Diagnostic) {
				continue
			}
			p.claims[i].Silenced = true
			if changed && severity == 0 {
				continue
			}
			useless := p.useless(comment, c.Diagnostic.Code)
			if changed {
				useless.Severity = severity
			}
			comment.used[c.Diagnostic.Code] = true
			p.claims[i].Useless = &useless
		}
	}
}

// Settled is a claim and the one before it, by the number of their text and
// among its claims. First is nil where there is none before, and the claim's
// comment is of no use.
type Settled struct {
	Claim Place
	First *Place
}

// Place is where a claim is among some results.
type Place struct{ Result, Claim int }

// Settle finds the claims that something has to be said of.
func Settle(results []*Result) (settled []Settled) {
	first := map[string]Place{}
	for i, r := range results {
		for j, c := range r.Claims {
			key, here := c.Diagnostic.Code+" "+c.Key, Place{i, j}
			before, seen := first[key]
			if !seen {
				first[key] = here
			}
			switch {
			case seen && !c.Silenced:
				settled = append(settled, Settled{here, &before})
			case !seen && c.Useless != nil:
				settled = append(settled, Settled{here, nil})
			}
		}
	}
	return settled
}

// Finding is what is said of a claim, whose spans and the one before are as
// given.
func (c Claim) Finding(first *text.Span) diag.Diagnostic {
	if first == nil {
		return *c.Useless
	}
	d := c.Diagnostic
	d.Notes = append(slices.Clip(d.Notes), diag.Note{Span: *first, Message: c.Note})
	return d
}
