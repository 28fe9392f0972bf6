package analysis

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// Finding is one of a file's findings as it was found: with the spans of its part,
// from where Spot places them in the file. For as long as the part stays as it is,
// so does the pointer.
type Finding struct {
	*diag.Diagnostic
	Spot
	source *text.Source // that the spans are of; nil for one with spans of the file
}

// At is where the finding is in the file.
func (f Finding) At() text.Span { return f.Place(f.Span) }

// InFile is the finding with spans and path of the file.
func (f Finding) InFile() diag.Diagnostic {
	if f.view == nil {
		return *f.Diagnostic
	}
	return f.view.placed(f.start, *f.Diagnostic)
}

// Alone reports whether all that the finding points to is in its part: nothing in
// it changes while the part does not, but for where that is.
func (f Finding) Alone() bool {
	far := func(n diag.Note) bool { return n.Span.Start >= text.Far }
	return f.view != nil && f.Span.Start < text.Far && !slices.ContainsFunc(f.Notes, far)
}

// Worst is at most n of what is found of the file among others, in order of place,
// and how many more there are. Of more than n it has those near some place, then
// the most severe, and of those more or less the first. Of a file that stands alone
// it costs little more than it gives.
func (a *Analysis) Worst(n int, near text.Span, others lint.Elsewhere) (found []Finding, more int) {
	v := a.settled()
	apart, blocks := v.found(a, others)
	q := tally(apart)
	for _, k := range blocks {
		for severity, count := range k.found {
			q[severity] += count
		}
	}
	total := q.total()
	isNear := func(Finding) bool { return false }
	take := func(f Finding) {
		if !isNear(f) && q.takes(f.Severity) {
			found = append(found, f)
		}
	}
	if total > n {
		found = v.near(near, apart, blocks)
		found = found[:min(n, len(found))]
		for _, f := range found {
			q[f.Severity]--
		}
		q.share(n - len(found))
		isNear = func(f Finding) bool { return touch(f.At(), near) }
	}
	for _, f := range apart {
		take(f)
	}
	for b := range blocks {
		v.own(b, q.open(), take)
	}
	return inOrder(found), max(total-n, 0)
}

// Within is what is found in or at some place of the file among others.
func (a *Analysis) Within(place text.Span, others lint.Elsewhere) []Finding {
	v := a.settled()
	apart, blocks := v.found(a, others)
	return inOrder(v.near(place, apart, blocks))
}

// found is what is found of the file among others, and the blocks with the rest.
func (v *view) found(a *Analysis, others lint.Elsewhere) (apart []Finding, rest []block) {
	if len(others) > 0 {
		return asTold(a.Among(others)), nil
	}
	return v.apart(), v.blocks
}

// near are the findings near some place.
func (v *view) near(place text.Span, apart []Finding, blocks []block) (found []Finding) {
	take := func(f Finding) {
		if touch(f.At(), place) {
			found = append(found, f)
		}
	}
	for _, f := range apart {
		take(f)
	}
	for b := range blocks {
		if v.starts[b].offset <= place.End && place.Start <= v.starts[b+1].offset {
			v.own(b, anySeverity, take)
		}
	}
	return found
}

func touch(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// own visits the findings of those of a block's pieces that have some of a severity,
// as far as they are in the block.
func (v *view) own(b int, wanted severities, visit func(Finding)) {
	k := &v.blocks[b]
	for _, at := range k.loud {
		if at.severities&wanted == noSeverity {
			continue // without a look at the piece, which is anywhere in memory
		}
		p := &k.pieces[at.piece]
		for i := range p.done.Found {
			if d := &p.done.Found[i]; d.Span.Start < text.Far {
				visit(Finding{d, Spot{v.starts[b].plus(at.start), v}, p.source})
			}
		}
	}
}

// apart are the findings that are in no piece, each once: of what stands around
// them, which pieces may find too, and of several pieces at once.
func (v *view) apart() []Finding {
	var told []diag.Diagnostic
	if v.around != nil {
		for _, d := range v.around.Found {
			told = append(told, v.placed(edge, d))
		}
	}
	for _, s := range v.settled {
		told = append(told, v.told(s))
	}
	for b, k := range v.blocks {
		for _, at := range k.far {
			for _, d := range k.pieces[at.piece].done.Found {
				if d.Span.Start >= text.Far && v.form.framed() { // else it is the sidecar's
					told = append(told, v.placed(v.starts[b].plus(at), d))
				}
			}
		}
	}
	return asTold(lint.Sort(told))
}

// asTold are findings that have the file's spans already.
func asTold(told []diag.Diagnostic) []Finding {
	found := make([]Finding, len(told))
	for i := range told {
		found[i] = Finding{Diagnostic: &told[i]}
	}
	return found
}

// inOrder are findings in order of place, as [lint.Sort] has them.
func inOrder(found []Finding) []Finding {
	sort.Stable(byPlace(found))
	return found
}

// byPlace is not slices.SortStableFunc's order, which would be another 10 kB of the WebAssembly module.
type byPlace []Finding

func (f byPlace) Len() int      { return len(f) }
func (f byPlace) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f byPlace) Less(i, j int) bool {
	x, y := f[i].At(), f[j].At()
	return cmp.Or(x.Start-y.Start, x.End-y.End, strings.Compare(f[i].Code, f[j].Code)) < 0
}

// quota is how many findings of each severity there are, and then how many of
// them are given.
type quota [diag.Hint + 1]int

func tally(found []Finding) (q quota) {
	for _, f := range found {
		q[f.Severity]++
	}
	return q
}

func (q *quota) total() (n int) {
	for _, count := range q {
		n += count
	}
	return n
}

// share gives the room for n to the most severe first.
func (q *quota) share(n int) {
	for s := range q {
		q[s] = min(q[s], n)
		n -= q[s]
	}
}

// open are the severities of which one can be taken.
func (q *quota) open() (open severities) {
	for s, count := range q {
		if count > 0 {
			open = open.with(diag.Severity(s))
		}
	}
	return open
}

// takes takes one of a severity, if there is one to be had.
func (q *quota) takes(s diag.Severity) bool {
	if q[s] == 0 {
		return false
	}
	q[s]--
	return true
}

// severities is a set of them.
type severities uint8

const (
	noSeverity  severities = 0
	anySeverity            = ^noSeverity
)

func (s severities) with(one diag.Severity) severities { return s | 1<<one }
