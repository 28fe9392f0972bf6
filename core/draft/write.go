package draft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// Draft is the criteria of one case, and what writes them into its file.
type Draft struct {
	Case     *rubric.Case
	Criteria []Criterion
	Edits    []text.Edit // of the file; they only insert, and have been tried
	Notes    []string    // what was drafted and is left out or changed, and why; what the judge insists on
	Remarks  []string    // what the rules have to say of the rest
}

// For drafts criteria for a case of a file: see [Criteria] and [Write]; without a judge
// see [Stated].
func For(ctx context.Context, j judge.Judge, a *analysis.Analysis, c *rubric.Case) (Draft, error) {
	if j == nil {
		return Stated(a, c)
	}
	criteria, err := Criteria(ctx, j, a, c)
	if err != nil {
		return Draft{Case: c}, err
	}
	d, err := Write(a, c, criteria)
	if err == nil {
		d.Notes = append(d.Notes, wishes(d.Criteria)...)
	}
	return d, err
}

// Stated drafts the [Statements] of a case of a file.
func Stated(a *analysis.Analysis, c *rubric.Case) (Draft, error) {
	s, err := find(a, c)
	if err != nil {
		return Draft{Case: c}, err
	}
	d, err := Write(a, c, Statements(s.goal()))
	if err == nil {
		d.Notes = append(d.Notes, beyond(s.goal())...)
	}
	return d, err
}

// Write gives the edits that add criteria to a case of a file. Criteria that a
// rule finds a fault with are left out, or are required for nothing.
func Write(a *analysis.Analysis, c *rubric.Case, criteria []Criterion) (Draft, error) {
	d := Draft{Case: c, Criteria: criteria}
	s, err := find(a, c)
	if err != nil {
		return d, err
	}
	for len(d.Criteria) > 0 {
		edit, after, err := s.insert(a, d.Criteria)
		if err != nil {
			return d, err
		}
		at := writtenIn(after, c)
		bad, remarks := findings(a, after, at)
		if len(bad) == 0 {
			d.Edits = []text.Edit{edit}
			for _, r := range remarks {
				d.Remarks = append(d.Remarks, r.Message)
			}
			return d, nil
		}
		left, said := mended(d.Criteria, at.criteria, bad)
		if slices.Equal(left, d.Criteria) {
			return Draft{Case: c}, fmt.Errorf("no criteria were added to `%s`, since the file would have a fault with them: %s", c.ID, bad[0].Message)
		}
		d.Criteria, d.Notes = left, append(d.Notes, said...)
	}
	err = fmt.Errorf("nothing that can be checked was found in the expected outcome of `%s`", c.ID)
	if len(d.Notes) > 0 {
		err = fmt.Errorf("%w: %s", err, strings.Join(d.Notes, "; "))
	}
	return Draft{Case: c}, err
}

// insert is the first edit that can be made, in spans of the file, and the file
// after it.
func (s spot) insert(a *analysis.Analysis, criteria []Criterion) (text.Edit, *analysis.Analysis, error) {
	e := s.added(criteria)
	var refused error
	for _, edit := range s.edits(e, styleIn(a, s)) {
		after, err := s.try(a, edit, e, criteria)
		if err == nil {
			return s.placed(edit), after, nil
		}
		if refused == nil {
			refused = err
		}
	}
	return text.Edit{}, nil, refused
}

// written is where a case and its criteria are in a file after an edit.
type written struct {
	span     text.Span
	criteria []text.Span
}

// writtenIn finds a case that an edit began after; it is empty if there is none.
func writtenIn(after *analysis.Analysis, c *rubric.Case) (w written) {
	p := after.At(c.Span.Start)
	for _, now := range p.Suite.Cases {
		if span := p.Place(now.Span); span.Start == c.Span.Start && now.ID == c.ID && now.Rubric() != nil {
			w.span = span
			for _, k := range now.Rubric().Criteria {
				w.criteria = append(w.criteria, p.Place(k.Span))
			}
			return w
		}
	}
	return w
}

// holds reports whether a finding is about one of the criteria.
func (w written) holds(d diag.Diagnostic) bool {
	return slices.ContainsFunc(w.criteria, func(span text.Span) bool { return span.Contains(d.Span) })
}

// findings are those of kinds of which there are more than before: of the case,
// or else of all. Bad are those that are about a criterion itself, or that weigh
// enough by themselves; the rest is what a rubric of such weights and gates comes
// to, and hints.
func findings(before, after *analysis.Analysis, at written) (bad, remarks []diag.Diagnostic) {
	more := map[string]int{}
	for _, d := range before.Diagnostics() {
		more[d.Code]--
	}
	for _, d := range after.Diagnostics() {
		more[d.Code]++
	}
	all := slices.DeleteFunc(slices.Clone(after.Diagnostics()), func(d diag.Diagnostic) bool { return more[d.Code] <= 0 })
	own := slices.DeleteFunc(slices.Clone(all), func(d diag.Diagnostic) bool { return !at.span.Contains(d.Span) })
	if len(own) > 0 {
		all = own
	}
	for _, d := range all {
		if d.Severity <= diag.Warning || d.Severity == diag.Info && at.holds(d) {
			bad = append(bad, d)
		} else {
			remarks = append(remarks, d)
		}
	}
	return bad, remarks
}

// mended are the criteria without those that findings are about. One that a
// finding only refers to is required for nothing: the score can do without.
func mended(criteria []Criterion, at []text.Span, bad []diag.Diagnostic) (left []Criterion, notes []string) {
	if len(at) != len(criteria) {
		return criteria, nil
	}
	for i, c := range criteria {
		within := at[i].Contains
		about := func(d diag.Diagnostic) bool { return within(d.Span) }
		refers := func(d diag.Diagnostic) bool {
			return slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return within(n.Span) })
		}
		if at := slices.IndexFunc(bad, about); at >= 0 {
			notes = append(notes, fmt.Sprintf("`%s` is left out: %s", c.ID, bad[at].Message))
			continue
		}
		if at := slices.IndexFunc(bad, refers); at >= 0 && c.Required {
			notes = append(notes, fmt.Sprintf("`%s` is not required: %s", c.ID, bad[at].Message))
			c.Required = false
		}
		left = append(left, c)
	}
	return left, notes
}
