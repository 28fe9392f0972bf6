package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// Worst is at most n of what is found of the file among others, in order of
// place: of more the most severe, and of those more or less the first. Of a file
// that stands alone it costs little more than it gives.
func (a *Analysis) Worst(n int, others lint.Elsewhere) []diag.Diagnostic {
	v := a.settled()
	if len(others) > 0 || v.total() <= n {
		return worst(a.Among(others), n)
	}
	var q quota
	for _, d := range v.each {
		q[d.Severity]++
	}
	for _, s := range v.settled {
		q[v.told(s).Severity]++
	}
	q.share(n)
	found := make([]diag.Diagnostic, 0, n)
	for _, s := range v.settled {
		if d := v.told(s); q.takes(d.Severity) {
			found = append(found, d)
		}
	}
	for at, d := range v.each {
		if q.takes(d.Severity) {
			found = append(found, v.placed(at, *d))
		}
	}
	return lint.Sort(found)
}

// worst is [Analysis.Worst] of findings that are at hand.
func worst(found []diag.Diagnostic, n int) []diag.Diagnostic {
	if len(found) <= n {
		return found
	}
	var q quota
	for _, d := range found {
		q[d.Severity]++
	}
	q.share(n)
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return !q.takes(d.Severity) })
}

// quota is how many findings of each severity there are, and then how many of
// them are given.
type quota [diag.Hint + 1]int

// share gives the room for n to the most severe first.
func (q *quota) share(n int) {
	for s := range q {
		q[s] = min(q[s], n)
		n -= q[s]
	}
}

func (q *quota) takes(s diag.Severity) bool {
	q[s]--
	return q[s] >= 0
}

// each visits the findings of what stands around the pieces and of each piece,
// in spans of theirs.
func (v *view) each(yield func(start, *diag.Diagnostic) bool) {
	if v.around != nil {
		for i := range v.around.Found {
			if !yield(edge, &v.around.Found[i]) {
				return
			}
		}
	}
	for at, p := range v.loud() {
		for i := range p.done.Found {
			d := &p.done.Found[i]
			own := d.Span.Start < text.Far || v.form == listed // else it is the sidecar's
			if own && !yield(at, d) {
				return
			}
		}
	}
}
