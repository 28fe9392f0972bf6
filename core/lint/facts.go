package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// Result is what the rules have to say of a text.
type Result struct {
	Diagnostics []diag.Diagnostic
	Facts       []Fact
	Summary     EvalsetSummary
}

// Fact is something that may be there once only. It is a finding if a claim of
// the same key stands before it, in this text or in another one.
//
// Of a tool it is the other way round: its name has to be in the supply of some
// text of the file. See undeclared-tool.
type Fact struct {
	Key               string
	IsTool            bool
	Diagnostic        diag.Diagnostic // without its note
	Note              string          // what is said of the claim before
	CrossFileSeverity diag.Severity   // how bad it is if the claim before is in another file
	// IsSilenced says that a comment asks not to be told, and Useless what is told
	// of that comment if there is no claim before; nil for nothing.
	IsSilenced   bool
	UnusedIgnore *diag.Diagnostic
}

// AddFact makes a claim; see the type for key and note.
func (p *Pass) AddFact(key string, span text.Span, note, format string, args ...any) {
	p.facts = append(p.facts, Fact{Key: key, Diagnostic: p.newDiagnostic(span, format, args...), Note: note, CrossFileSeverity: diag.Warning})
}

// silenceFacts looks for comments that ask not to be told of claims. Whether they are
// of use turns out once all claims are known.
func (p *Pass) silenceFacts() {
	severity, changed := p.Severities[unusedIgnore]
	p.rule = Find(unusedIgnore)
	for i, c := range p.facts {
		for _, comment := range p.ignoresFor(c.Diagnostic) {
			p.facts[i].IsSilenced = true
			if changed && severity == 0 {
				continue
			}
			useless := p.unusedIgnoreDiagnostic(comment, c.Diagnostic.Code)
			if changed {
				useless.Severity = severity
			}
			comment.usedFor[c.Diagnostic.Code] = true
			p.facts[i].UnusedIgnore = &useless
		}
	}
}

// Resolution is a claim of which something has to be said.
type Resolution struct {
	Fact       FactIndex
	First      *FactIndex // the claim of the same key before it, if that is so
	Suggestion string     // of a tool: the name that may be meant
	// IsUnusedIgnore says that it is no finding, and that its comment is of no use.
	IsUnusedIgnore bool
}

// FactIndex is where a claim is among some results: the number of its text, and its own
// among that text's claims.
type FactIndex struct{ Result, Fact int }

// ResolveFacts finds the claims that something has to be said of.
func ResolveFacts(results []*Result) (settled []Resolution) {
	first := map[[2]string]FactIndex{} // by rule and key
	var tools *toolIndex
	for i, r := range results {
		for j, c := range r.Facts {
			s := Resolution{Fact: FactIndex{i, j}}
			var faulty bool
			if c.IsTool {
				if tools == nil {
					tools = indexTools(results)
				}
				s.Suggestion, faulty = tools.checkTool(c.Key)
			} else {
				key := [2]string{c.Diagnostic.Code, c.Key}
				if before, seen := first[key]; seen {
					s.First, faulty = &FactIndex{before.Result, before.Fact}, true
				} else {
					first[key] = s.Fact
				}
			}
			s.IsUnusedIgnore = !faulty && c.UnusedIgnore != nil
			if faulty && !c.IsSilenced || s.IsUnusedIgnore {
				settled = append(settled, s)
			}
		}
	}
	return settled
}

// Resolve is what is said of a claim with the spans that it has here; first is that
// of the claim before it, where there is one.
func (f Fact) Resolve(s Resolution, first text.Span) diag.Diagnostic {
	if s.IsUnusedIgnore {
		return *f.UnusedIgnore
	}
	d := f.Diagnostic
	switch {
	case s.First != nil:
		d.Notes = append(slices.Clip(d.Notes), diag.Note{Span: first, Message: f.Note})
	case s.Suggestion != "":
		d.Message += "; did you mean `" + s.Suggestion + "`?"
		d.Fixes = []diag.Fix{{Title: "change to `" + s.Suggestion + "`", Edits: []text.Edit{{Span: d.Span, New: s.Suggestion}}}}
	}
	return d
}
