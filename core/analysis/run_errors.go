package analysis

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

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
			suite := allCases()
			errs.all = slices.Concat(suite.Cases, suite.Skipped)
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
