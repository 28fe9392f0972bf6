package analysis

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// Finding is a diagnostic with spans of its chunk and the placement of the chunk. While the
// chunk does not change, the pointer stays the same.
type Finding struct {
	*diag.Diagnostic
	Placement
	source *text.Source // of the chunk; nil if the spans are those of the file
}

// SpanInFile returns the span in the file.
func (f Finding) SpanInFile() text.Span { return f.ToFile(f.Span) }

// DiagnosticInFile returns the diagnostic with spans and path of the file.
func (f Finding) DiagnosticInFile() diag.Diagnostic {
	if f.file == nil {
		return *f.Diagnostic
	}
	return f.file.diagnosticInFile(f.start, *f.Diagnostic)
}

// IsLocal reports whether all spans of the finding are in its chunk. While the chunk does
// not change, only its placement does.
func (f Finding) IsLocal() bool {
	inHeader := func(n diag.Note) bool { return n.Span.Start >= text.HeaderBase }
	return f.file != nil && f.Span.Start < text.HeaderBase && !slices.ContainsFunc(f.Notes, inHeader)
}

// diagnostics returns all diagnostics with spans of the file, sorted.
func (cf *checkedFile) diagnostics() (all []diag.Diagnostic) {
	for f := range cf.findings() {
		all = append(all, f.DiagnosticInFile())
	}
	return lint.Sort(all)
}

// findings iterates over the findings of the header, of several chunks together, and then of
// each chunk.
func (cf *checkedFile) findings() iter.Seq[Finding] {
	shared := cf.sharedDiagnostics()
	return func(yield func(Finding) bool) {
		for i := range shared {
			if !yield(Finding{Diagnostic: &shared[i]}) {
				return
			}
		}
		for start, e := range cf.all() {
			for i := range e.result.Diagnostics {
				if d := &e.result.Diagnostics[i]; d.Span.Start < text.HeaderBase && !yield(Finding{d, Placement{start, cf}, e.source}) {
					return
				}
			}
		}
	}
}

// sharedDiagnostics returns the diagnostics that belong to no single chunk, each once, with
// spans of the file.
func (cf *checkedFile) sharedDiagnostics() (all []diag.Diagnostic) {
	if cf.headerResult != nil {
		for _, d := range cf.headerResult.Diagnostics {
			all = append(all, cf.diagnosticInFile(headerStart, d))
		}
	}
	for _, r := range cf.resolutions {
		var first text.Span
		if r.First != nil {
			first = cf.fact(*r.First).Diagnostic.Span
		}
		all = append(all, cf.fact(r.Fact).Resolve(r, first))
	}
	if cf.division.hasHeader() { // else the diagnostics are those of the sidecar
		for start, e := range cf.all() {
			if !e.result.usesHeader {
				continue
			}
			for _, d := range e.result.Diagnostics {
				if d.Span.Start >= text.HeaderBase {
					all = append(all, cf.diagnosticInFile(start, d))
				}
			}
		}
	}
	return lint.Sort(all)
}

// diagnosticInFile converts a diagnostic of the chunk at start to spans and path of the file.
func (cf *checkedFile) diagnosticInFile(start chunkStart, d diag.Diagnostic) diag.Diagnostic {
	if cf.division.hasHeader() && start.index >= 0 && d.Span.Start < text.HeaderBase {
		d.Path = cf.key + "[" + strconv.Itoa(start.index) + "]" + strings.TrimPrefix(d.Path, "[0]")
	}
	return d.MapSpans(func(span text.Span) text.Span { return cf.fileSpan(start, span) })
}

// fact returns a fact with spans and path of the file.
func (cf *checkedFile) fact(at lint.FactIndex) lint.Fact {
	f := cf.entries[at.Result].result.Facts[at.Fact]
	f.Diagnostic = cf.diagnosticInFile(cf.starts[at.Result], f.Diagnostic)
	if f.UnusedIgnore != nil {
		unused := cf.diagnosticInFile(cf.starts[at.Result], *f.UnusedIgnore)
		f.UnusedIgnore = &unused
	}
	return f
}

// facts iterates over all facts, with spans of their chunks.
func (cf *checkedFile) facts() iter.Seq2[lint.FactIndex, *lint.Fact] {
	return func(yield func(lint.FactIndex, *lint.Fact) bool) {
		for i, e := range cf.entries {
			for j := range e.result.Facts {
				if !yield(lint.FactIndex{Result: i, Fact: j}, &e.result.Facts[j]) {
					return
				}
			}
		}
	}
}

// Dataset returns the name under which results are stored, and whether the file sets it.
func (a *Analysis) Dataset() (name string, isNamed bool) {
	a.Chunks(func(c *Chunk) bool {
		name = c.Suite.Name
		return false
	})
	return name, name != a.input.baseName()
}

// CaseIDs returns the case ids for comparison with other files.
func (a *Analysis) CaseIDs() lint.CaseIDs {
	cf := a.checkedFile()
	ids := lint.CaseIDs{Source: a.Source()}
	ids.Dataset, ids.IsNamed = a.Dataset()
	for at := range cf.facts() {
		ids.Facts = append(ids.Facts, cf.fact(at))
	}
	return ids
}

// ListCaseIDs returns the case ids in text order.
func (a *Analysis) ListCaseIDs() (ids []string) {
	for _, f := range a.checkedFile().facts() {
		if id, ok := f.CaseID(); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// HasSameCaseIDs reports whether two versions of a file have the same case ids. It is cheap
// and may return false although they have.
func (a *Analysis) HasSameCaseIDs(b *Analysis) bool {
	if b == nil {
		return false
	}
	x, y := a.checkedFile(), b.checkedFile()
	return x.factsID == y.factsID && x.context.headerText == y.context.headerText
}

// DiagnosticsWithDuplicates returns all diagnostics, including those for case ids that other
// files have too.
func (a *Analysis) DiagnosticsWithDuplicates(duplicates lint.Duplicates) []diag.Diagnostic {
	if len(duplicates) == 0 {
		return a.Diagnostics()
	}
	cf := a.checkedFile()
	var facts []lint.Fact
	for at, f := range cf.facts() {
		if _, found := duplicates[f.Key]; found {
			facts = append(facts, cf.fact(at))
		}
	}
	return duplicates.Merge(facts, a.Diagnostics())
}

// TopFindings returns at most n findings, sorted by position, and the number of the others.
// If there are more than n, it prefers those that touch near, then the most severe, then the
// first in the file.
func (a *Analysis) TopFindings(n int, near text.Span, duplicates lint.Duplicates) (found []Finding, more int) {
	all := a.findingsWith(duplicates)
	var counts [diag.Hint + 1]int // findings to return, by severity
	total := 0
	for f := range all {
		counts[f.Severity]++
		total++
	}
	isTaken := func(Finding) bool { return false }
	if total > n {
		isTaken = func(f Finding) bool { return touches(f.SpanInFile(), near) }
		for f := range all {
			if len(found) < n && isTaken(f) {
				found = append(found, f)
				counts[f.Severity]--
			}
		}
		room := n - len(found)
		for s := range counts {
			counts[s] = min(counts[s], room)
			room -= counts[s]
		}
	}
	for f := range all {
		if counts[f.Severity] > 0 && !isTaken(f) {
			counts[f.Severity]--
			found = append(found, f)
		}
	}
	return sortFindings(found), max(total-n, 0)
}

// FindingsIn returns the findings that touch a span, sorted by position.
func (a *Analysis) FindingsIn(span text.Span, duplicates lint.Duplicates) (found []Finding) {
	for f := range a.findingsWith(duplicates) {
		if touches(f.SpanInFile(), span) {
			found = append(found, f)
		}
	}
	return sortFindings(found)
}

// findingsWith iterates over all findings, including duplicate case ids.
func (a *Analysis) findingsWith(duplicates lint.Duplicates) iter.Seq[Finding] {
	if len(duplicates) == 0 {
		return a.checkedFile().findings()
	}
	diagnostics := a.DiagnosticsWithDuplicates(duplicates)
	return func(yield func(Finding) bool) {
		for i := range diagnostics {
			if !yield(Finding{Diagnostic: &diagnostics[i]}) {
				return
			}
		}
	}
}

func touches(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

func sortFindings(found []Finding) []Finding {
	slices.SortStableFunc(found, func(f, g Finding) int {
		x, y := f.SpanInFile(), g.SpanInFile()
		return cmp.Or(x.Start-y.Start, x.End-y.End, strings.Compare(f.Code, g.Code))
	})
	return found
}
