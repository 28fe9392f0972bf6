package analysis

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// diagnostics are all findings, with spans of the file, in order.
func (cf *checkedFile) diagnostics() []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, f := range cf.sharedFindings() {
		found = append(found, *f.Diagnostic)
	}
	for b := range cf.blocks {
		cf.eachOwnFinding(b, allSeverities, func(f Finding) { found = append(found, f.DiagnosticInFile()) })
	}
	return lint.Sort(found)
}

// factDiagnostic is what is said of a claim.
func (cf *checkedFile) factDiagnostic(s lint.Resolution) diag.Diagnostic {
	claim := cf.fact(s.Fact)
	var first text.Span
	if s.First != nil {
		first = cf.fact(*s.First).Diagnostic.Span
	}
	return claim.Resolve(s, first)
}

// fact is one of a piece with spans and paths of the file.
func (cf *checkedFile) fact(at lint.FactIndex) lint.Fact {
	return cf.factAt(cf.startOf(at.Result), cf.entry(at.Result), at.Fact)
}

func (cf *checkedFile) factAt(at chunkStart, p *entry, n int) lint.Fact {
	c := p.result.Facts[n]
	c.Diagnostic = cf.diagnosticInFile(at, c.Diagnostic)
	if c.UnusedIgnore != nil {
		useless := cf.diagnosticInFile(at, *c.UnusedIgnore)
		c.UnusedIgnore = &useless
	}
	return c
}

// Dataset is what results of the file's cases are filed under, and whether the
// file says so itself.
func (a *Analysis) Dataset() (name string, isNamed bool) {
	a.Chunks(func(p *Chunk) bool {
		name = p.Suite.Name
		return false
	})
	return name, name != a.input.baseName()
}

// CaseIDs are the ids of the file's cases, to be held against other files'.
func (a *Analysis) CaseIDs() lint.CaseIDs {
	cf := a.checkedFile()
	ids := lint.CaseIDs{Source: a.Source()}
	ids.Dataset, ids.IsNamed = a.Dataset()
	for at, p := range cf.all() {
		for n := range p.result.Facts {
			ids.Facts = append(ids.Facts, cf.factAt(at, p, n))
		}
	}
	return ids
}

// ListCaseIDs are the ids of the file's cases, in the order of the text.
func (a *Analysis) ListCaseIDs() (names []string) {
	for _, p := range a.checkedFile().all() {
		for i := range p.result.Facts {
			if id, is := p.result.Facts[i].CaseID(); is {
				names = append(names, id)
			}
		}
	}
	return names
}

// HasSameCaseIDs reports that two analyses of a file have the same cases, by their
// ids. It may miss that, and costs nothing.
func (a *Analysis) HasSameCaseIDs(b *Analysis) bool {
	if b == nil {
		return false
	}
	cf, w := a.checkedFile(), b.checkedFile()
	return cf.factsID == w.factsID && cf.context.headerText == w.context.headerText
}

// DiagnosticsWithDuplicates is everything found of the file among others, which have some of its ids.
func (a *Analysis) DiagnosticsWithDuplicates(duplicates lint.Duplicates) []diag.Diagnostic {
	if len(duplicates) == 0 {
		return a.Diagnostics()
	}
	cf := a.checkedFile()
	var claims []lint.Fact
	for at, p := range cf.all() {
		for n, c := range p.result.Facts {
			if _, twice := duplicates[c.Key]; twice {
				claims = append(claims, cf.factAt(at, p, n))
			}
		}
	}
	return duplicates.Merge(claims, a.Diagnostics())
}

// diagnosticInFile is a finding of the piece that begins at, with spans and path of the file.
func (cf *checkedFile) diagnosticInFile(at chunkStart, d diag.Diagnostic) diag.Diagnostic {
	if cf.division.hasHeader() && at.index >= 0 && d.Span.Start < text.HeaderBase {
		d.Path = cf.key + "[" + strconv.Itoa(at.index) + "]" + strings.TrimPrefix(d.Path, "[0]")
	}
	return d.MapSpans(func(span text.Span) text.Span { return cf.fileSpan(at, span) })
}
