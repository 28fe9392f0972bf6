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
	Supply Supply
}

// Claim is something that may be there once only. It is a finding if a claim of
// the same key stands before it, in this text or in another one.
//
// Of a tool it is the other way round: its name has to be in the supply of some
// text of the file. See undeclared-tool.
type Claim struct {
	Key        string
	Tool       bool
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
		for _, comment := range p.ignoresOf(c.Diagnostic) {
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

// Settled is a claim of which something has to be said.
type Settled struct {
	Claim Place
	First *Place // the claim of the same key before it, if that is so
	Near  string // of a tool: the name that may be meant
	// Useless says that it is no finding, and that its comment is of no use.
	Useless bool
}

// Place is where a claim is among some results: the number of its text, and its own
// among that text's claims.
type Place struct{ Result, Claim int }

// Settle finds the claims that something has to be said of.
func Settle(results []*Result) (settled []Settled) {
	first := map[[2]string]Place{} // by rule and key
	var tools *toolbox
	for i, r := range results {
		for j, c := range r.Claims {
			s := Settled{Claim: Place{i, j}}
			var faulty bool
			if c.Tool {
				if tools == nil {
					tools = toolsOf(results)
				}
				s.Near, faulty = tools.lacks(c.Key)
			} else {
				key := [2]string{c.Diagnostic.Code, c.Key}
				if before, seen := first[key]; seen {
					s.First, faulty = &Place{before.Result, before.Claim}, true
				} else {
					first[key] = s.Claim
				}
			}
			s.Useless = !faulty && c.Useless != nil
			if faulty && !c.Silenced || s.Useless {
				settled = append(settled, s)
			}
		}
	}
	return settled
}

// Finding is what is said of a claim with the spans that it has here; first is that
// of the claim before it, where there is one.
func (c Claim) Finding(s Settled, first text.Span) diag.Diagnostic {
	if s.Useless {
		return *c.Useless
	}
	d := c.Diagnostic
	switch {
	case s.First != nil:
		d.Notes = append(slices.Clip(d.Notes), diag.Note{Span: first, Message: c.Note})
	case s.Near != "":
		d.Message += "; did you mean `" + s.Near + "`?"
		d.Fixes = []diag.Fix{{Title: "change to `" + s.Near + "`", Edits: []text.Edit{{Span: d.Span, New: s.Near}}}}
	}
	return d
}
