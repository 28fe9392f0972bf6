package analysis

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
)

// diagnostics returns all diagnostics with spans of the file, sorted: those of the header, of
// several chunks together, and of each chunk.
func (cf *checkedFile) diagnostics() (all []diag.Diagnostic) {
	if cf.headerResult != nil {
		for _, d := range cf.headerResult.Diagnostics {
			all = append(all, cf.diagnosticInFile(-1, d))
		}
	}
	for _, r := range cf.resolutions {
		var first text.Span
		if r.First != nil {
			first = cf.fact(*r.First).Diagnostic.Span
		}
		all = append(all, cf.fact(r.Fact).Resolve(r, first))
	}
	type key struct {
		text.Span
		code, message string
	}
	seen := map[key]bool{} // of the header
	for i, r := range cf.results {
		for _, d := range r.Diagnostics {
			if d.Span.Start >= text.HeaderBase {
				k := key{d.Span, d.Code, d.Message}
				if seen[k] || !cf.division.hasHeader() { // else it is one of the sidecar
					continue
				}
				seen[k] = true
			}
			all = append(all, cf.diagnosticInFile(i, d))
		}
	}
	return lint.Sort(all)
}

// diagnosticInFile converts a diagnostic of a chunk to spans and path of the file. The index -1
// stands for the header.
func (cf *checkedFile) diagnosticInFile(i int, d diag.Diagnostic) diag.Diagnostic {
	if cf.context.input.Paths && cf.division.hasHeader() && i >= 0 && d.Span.Start < text.HeaderBase {
		d.Path = cf.key + "[" + strconv.Itoa(i) + "]" + strings.TrimPrefix(d.Path, "[0]")
	}
	return d.MapSpans(func(span text.Span) text.Span { return cf.fileSpan(i, span) })
}

// fact returns a fact with spans and path of the file.
func (cf *checkedFile) fact(at lint.FactIndex) lint.Fact {
	f := cf.results[at.Result].Facts[at.Fact]
	f.Diagnostic = cf.diagnosticInFile(at.Result, f.Diagnostic)
	if f.UnusedIgnore != nil {
		unused := cf.diagnosticInFile(at.Result, *f.UnusedIgnore)
		f.UnusedIgnore = &unused
	}
	return f
}

// facts iterates over all facts, with spans of their chunks.
func (cf *checkedFile) facts() iter.Seq2[lint.FactIndex, *lint.Fact] {
	return func(yield func(lint.FactIndex, *lint.Fact) bool) {
		for i, r := range cf.results {
			for j := range r.Facts {
				if !yield(lint.FactIndex{Result: i, Fact: j}, &r.Facts[j]) {
					return
				}
			}
		}
	}
}

// Dataset returns the name under which results are stored, and whether the file sets it.
func (a *Analysis) Dataset() (name string, isNamed bool) {
	name = a.mainChunk().Suite.Name
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

// HasSameCaseIDs reports whether two versions of a file have the same case ids and the same header.
func (a *Analysis) HasSameCaseIDs(b *Analysis) bool {
	return b != nil && a.checkedFile().context.headerText == b.checkedFile().context.headerText && slices.Equal(a.ListCaseIDs(), b.ListCaseIDs())
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

// TopDiagnostics returns at most n diagnostics, sorted by position, and the number of the others.
// If there are more than n, it prefers those that touch near, then the most severe, then the
// first in the file.
func (a *Analysis) TopDiagnostics(n int, near text.Span, duplicates lint.Duplicates) (top []diag.Diagnostic, more int) {
	all := a.DiagnosticsWithDuplicates(duplicates)
	if len(all) <= n {
		return all, 0
	}
	rank := func(d diag.Diagnostic) int {
		if d.Span.Meets(near) {
			return 0
		}
		return int(d.Severity)
	}
	ranked := slices.Clone(all)
	generic.SortStable(ranked, func(a, b diag.Diagnostic) int { return cmp.Compare(rank(a), rank(b)) })
	return lint.Sort(ranked[:n]), len(all) - n
}

// DiagnosticsIn returns the diagnostics that touch a span, sorted by position.
func (a *Analysis) DiagnosticsIn(span text.Span, duplicates lint.Duplicates) []diag.Diagnostic {
	isElsewhere := func(d diag.Diagnostic) bool { return !d.Span.Meets(span) }
	return slices.DeleteFunc(slices.Clone(a.DiagnosticsWithDuplicates(duplicates)), isElsewhere)
}

// CountErrors returns the number of errors among all diagnostics.
func (a *Analysis) CountErrors() (n int) {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// RunErrors are the errors of a file that keep cases from running.
type RunErrors struct {
	File  []diag.Diagnostic            // outside all cases: no case runs
	Cases map[string][]diag.Diagnostic // inside a case, by its id: that case does not run

	all []*rubric.Case
}

// FindRunErrors divides the errors among found by the cases of a file. allCases returns a suite with
// every case, with spans of the file; it is called only if there are errors.
func FindRunErrors(allCases func() *rubric.Suite, found []diag.Diagnostic) RunErrors {
	errs := RunErrors{Cases: map[string][]diag.Diagnostic{}}
	found = slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	if len(found) > 0 {
		_ = diag.CatchPanic(func() { // found has a diagnostic about it, which is then one of the file
			errs.all = allCases().AllCases()
		})
	}
	for _, d := range found {
		inCase := false
		for _, c := range errs.all { // a test with several prompts is several cases
			if c.SourceFile == "" && c.Span.Contains(d.Span) {
				errs.Cases[c.ID], inCase = append(errs.Cases[c.ID], d), true
			}
		}
		if !inCase {
			errs.File = append(errs.File, d)
		}
	}
	return errs
}

// Blocking returns the errors that keep the cases that selects accepts from running, and those that these
// depend on, in order of the text.
func (e RunErrors) Blocking(selects func(*rubric.Case) bool) []diag.Diagnostic {
	blocking := slices.Clone(e.File)
	for _, id := range e.Faulty(selects) {
		blocking = append(blocking, e.Cases[id]...)
	}
	return lint.Sort(blocking)
}

// Faulty returns the ids of the cases with errors that selects accepts or that these depend on, sorted.
func (e RunErrors) Faulty(selects func(*rubric.Case) bool) (ids []string) {
	selected, _ := run.WithDependencies(e.all, selects)
	for _, c := range selected {
		if e.Cases[c.ID] != nil {
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// WithoutFaulty returns the cases that have no error.
func (e RunErrors) WithoutFaulty(cases []*rubric.Case) []*rubric.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c *rubric.Case) bool { return e.Cases[c.ID] != nil })
}

// Sidecar returns the analysis of the file with the settings of JSONL cases, or nil if there is
// none. Its errors keep all cases from running.
func (a *Analysis) Sidecar() *Analysis {
	if a.input.Sidecar == nil {
		return nil
	}
	in := *a.input
	in.Path, in.Text, in.Sidecar, in.HasCases, in.ForRun = strings.TrimSuffix(in.Path, path.Ext(in.Path))+".yaml", *in.Sidecar, nil, true, false
	return Of(in)
}
