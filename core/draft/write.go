// Package draft proposes criteria for a case that has none, and writes them into its file.
//
// Criteria come from a judge's reply ([AskCriteria]), or without a judge from the statements of the
// case's expected outcome ([Statements]). [Write] inserts them in the notation of the file's version
// and in the file's own style.
//
// Every edit is verified before it is returned: the edited text is analysed again. If another value,
// comment or grader would change, the result is an error. Criteria that a rule objects to are left
// out, with a note.
//
// The package writes no file. Its edits only insert text, or replace an empty `rubrics`.
package draft

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/analysis/rewrite"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// A Draft is the proposed criteria of one case and the edits that write them.
type Draft struct {
	Case     *rubric.Case
	Criteria []Criterion
	Edits    []text.Edit // in spans of the file, verified
	Notes    []string    // criteria that were left out or changed and why, and unresolved soft problems
	Remarks  []string    // what rules say about the remaining criteria
}

// New drafts criteria for a case with [AskCriteria] and [Write], or with [FromOutcome] if j is nil.
func New(ctx context.Context, j judge.Judge, a *analysis.Analysis, c *rubric.Case) (Draft, error) {
	if j == nil {
		return FromOutcome(a, c)
	}
	criteria, err := AskCriteria(ctx, j, a, c)
	if err != nil {
		return Draft{Case: c}, err
	}
	d, err := Write(a, c, criteria)
	if err == nil {
		d.Notes = append(d.Notes, softProblems(d.Criteria)...)
	}
	return d, err
}

// FromOutcome drafts the [Statements] of a case.
func FromOutcome(a *analysis.Analysis, c *rubric.Case) (Draft, error) {
	ip, err := findInsertionPoint(a, c)
	if err != nil {
		return Draft{Case: c}, err
	}
	statements := Statements
	if ip.chunk.ADK != nil {
		statements = func(*rubric.Case) []Criterion { return ip.rubricStatements() }
	}
	d, err := Write(a, c, statements(ip.draftCase()))
	if err == nil {
		d.Notes = append(d.Notes, overflowNotes(ip.draftCase())...)
	}
	return d, err
}

// Write returns the edits that add criteria to a case of a file. Criteria that a rule flags are left
// out, or become optional.
func Write(a *analysis.Analysis, c *rubric.Case, criteria []Criterion) (Draft, error) {
	d := Draft{Case: c, Criteria: criteria}
	ip, err := findInsertionPoint(a, c)
	if err != nil {
		return d, err
	}
	d.Criteria = ip.toRubrics(d.Criteria)
	for len(d.Criteria) > 0 {
		edits, after, err := ip.insertCriteria(a, d.Criteria)
		if err != nil {
			return d, err
		}
		inserted := findInsertedCase(after, c)
		flagged, remarks := newFindings(a, after, inserted)
		if len(flagged) == 0 {
			d.Edits = edits
			for _, r := range remarks {
				d.Remarks = append(d.Remarks, r.Message)
			}
			return d, nil
		}
		remaining, notes := dropFlagged(d.Criteria, inserted.criteria, flagged)
		if slices.Equal(remaining, d.Criteria) {
			return Draft{Case: c}, fmt.Errorf("no criteria were added to `%s`, because a rule objects: %s", c.ID, flagged[0].Message)
		}
		d.Criteria, d.Notes = remaining, append(d.Notes, notes...)
	}
	err = fmt.Errorf("the expected outcome of `%s` contains nothing checkable", c.ID)
	if len(d.Notes) > 0 {
		err = fmt.Errorf("%w: %s", err, strings.Join(d.Notes, "; "))
	}
	return Draft{Case: c}, err
}

// insertCriteria returns the first candidate edit that verifies, in spans of the file, and the file
// after it.
func (ip insertionPoint) insertCriteria(a *analysis.Analysis, criteria []Criterion) ([]text.Edit, *analysis.Analysis, error) {
	e := ip.newEntry(criteria)
	var refused error
	for _, edit := range ip.candidateEdits(e, styleFor(a, ip)) {
		after, err := ip.tryEdit(a, edit, criteria)
		if err == nil {
			return rewrite.PlaceEdits(ip.chunk, []text.Edit{edit}), after, nil
		}
		refused = cmp.Or(refused, err)
	}
	return nil, nil, refused
}

// insertedCase is where a case and its new criteria are after an edit.
type insertedCase struct {
	span     text.Span
	criteria []text.Span
}

// findInsertedCase locates c after an edit behind its start. The result is empty if c was not found.
func findInsertedCase(after *analysis.Analysis, c *rubric.Case) (inserted insertedCase) {
	p := after.ChunkAt(c.Span.Start)
	for _, now := range readCases(p) {
		if span := p.ToFile(now.Span); span.Start == c.Span.Start && now.ID == c.ID && now.Rubric() != nil {
			inserted.span = span
			for _, k := range now.Rubric().Criteria {
				inserted.criteria = append(inserted.criteria, p.ToFile(k.Span))
			}
			return inserted
		}
	}
	return inserted
}

// readCases returns the cases of a chunk that a runner reads.
func readCases(p *analysis.Chunk) []*rubric.Case {
	if p.ADK != nil {
		return CasesIn(p)
	}
	return p.Suite.Cases
}

// isAboutCriterion reports whether a diagnostic is inside one of the criteria.
func (ic insertedCase) isAboutCriterion(d diag.Diagnostic) bool {
	return slices.ContainsFunc(ic.criteria, func(span text.Span) bool { return span.Contains(d.Span) })
}

// newFindings returns the diagnostics of rules that report more than before the edit: those in the
// case, or else all. Flagged ones are warnings and errors, and those about a criterion itself. The
// rest are remarks.
func newFindings(before, after *analysis.Analysis, inserted insertedCase) (flagged, remarks []diag.Diagnostic) {
	delta := map[string]int{}
	for _, d := range before.Diagnostics() {
		delta[d.Code]--
	}
	for _, d := range after.Diagnostics() {
		delta[d.Code]++
	}
	all := slices.DeleteFunc(slices.Clone(after.Diagnostics()), func(d diag.Diagnostic) bool { return delta[d.Code] <= 0 })
	own := slices.DeleteFunc(slices.Clone(all), func(d diag.Diagnostic) bool { return !inserted.span.Contains(d.Span) })
	if len(own) > 0 {
		all = own
	}
	for _, d := range all {
		if d.Severity <= diag.Warning || inserted.isAboutCriterion(d) {
			flagged = append(flagged, d)
		} else {
			remarks = append(remarks, d)
		}
	}
	return flagged, remarks
}

// dropFlagged removes the criteria that diagnostics are about. A criterion that a diagnostic only
// refers to becomes optional.
func dropFlagged(criteria []Criterion, at []text.Span, flagged []diag.Diagnostic) (remaining []Criterion, notes []string) {
	if len(at) != len(criteria) {
		return criteria, nil
	}
	for i, c := range criteria {
		within := at[i].Contains
		about := func(d diag.Diagnostic) bool { return within(d.Span) }
		refers := func(d diag.Diagnostic) bool {
			return slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return within(n.Span) })
		}
		if at := slices.IndexFunc(flagged, about); at >= 0 {
			notes = append(notes, fmt.Sprintf("`%s` is left out: %s", c.ID, flagged[at].Message))
			continue
		}
		if at := slices.IndexFunc(flagged, refers); at >= 0 && c.Required {
			notes = append(notes, fmt.Sprintf("`%s` is not required: %s", c.ID, flagged[at].Message))
			c.Required = false
		}
		remaining = append(remaining, c)
	}
	return remaining, notes
}
