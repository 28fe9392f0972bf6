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
	Placement
	source *text.Source // that the spans are of; nil for one with spans of the file
}

// SpanInFile is where the finding is in the file.
func (f Finding) SpanInFile() text.Span { return f.ToFile(f.Span) }

// DiagnosticInFile is the finding with spans and path of the file.
func (f Finding) DiagnosticInFile() diag.Diagnostic {
	if f.view == nil {
		return *f.Diagnostic
	}
	return f.view.diagnosticInFile(f.start, *f.Diagnostic)
}

// IsLocal reports whether all that the finding points to is in its part: nothing in
// it changes while the part does not, but for where that is.
func (f Finding) IsLocal() bool {
	inHeader := func(n diag.Note) bool { return n.Span.Start >= text.HeaderBase }
	return f.view != nil && f.Span.Start < text.HeaderBase && !slices.ContainsFunc(f.Notes, inHeader)
}

// TopFindings is at most n of what is found of the file among others, in order of place,
// and how many more there are. Of more than n it has those near some place, then
// the most severe, and of those more or less the first. Of a file that stands alone
// it costs little more than it gives.
func (a *Analysis) TopFindings(n int, place text.Span, duplicates lint.Duplicates) (found []Finding, more int) {
	cf := a.checkedFile()
	shared, blocks := cf.findings(a, duplicates)
	counts := countSeverities(shared)
	for _, blk := range blocks {
		for severity, count := range blk.counts {
			counts[severity] += count
		}
	}
	total := counts.total()
	isNear := func(Finding) bool { return false }
	take := func(f Finding) {
		if !isNear(f) && counts.take(f.Severity) {
			found = append(found, f)
		}
	}
	if total > n {
		found = cf.findingsNear(place, shared, blocks)
		found = found[:min(n, len(found))]
		for _, f := range found {
			counts[f.Severity]--
		}
		counts.limit(n - len(found))
		isNear = func(f Finding) bool { return touches(f.SpanInFile(), place) }
	}
	for _, f := range shared {
		take(f)
	}
	for b := range blocks {
		cf.eachOwnFinding(b, counts.remaining(), take)
	}
	return sortFindings(found), max(total-n, 0)
}

// FindingsIn is what is found in or at some place of the file among others.
func (a *Analysis) FindingsIn(place text.Span, duplicates lint.Duplicates) []Finding {
	cf := a.checkedFile()
	shared, blocks := cf.findings(a, duplicates)
	return sortFindings(cf.findingsNear(place, shared, blocks))
}

// findings is what is found of the file among others, and the blocks with the rest.
func (cf *checkedFile) findings(a *Analysis, duplicates lint.Duplicates) (shared []Finding, rest []block) {
	if len(duplicates) > 0 {
		return findingsInFile(a.DiagnosticsWithDuplicates(duplicates)), nil
	}
	return cf.sharedFindings(), cf.blocks
}

// findingsNear are the findings near some place.
func (cf *checkedFile) findingsNear(place text.Span, shared []Finding, blocks []block) (found []Finding) {
	take := func(f Finding) {
		if touches(f.SpanInFile(), place) {
			found = append(found, f)
		}
	}
	for _, f := range shared {
		take(f)
	}
	for b := range blocks {
		if cf.starts[b].offset <= place.End && place.Start <= cf.starts[b+1].offset {
			cf.eachOwnFinding(b, allSeverities, take)
		}
	}
	return found
}

func touches(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// eachOwnFinding visits the findings of those of a block's pieces that have some of a severity,
// as far as they are in the block.
func (cf *checkedFile) eachOwnFinding(b int, severities severitySet, visit func(Finding)) {
	blk := &cf.blocks[b]
	for _, at := range blk.withDiagnostics {
		if at.severities&severities == noSeverity {
			continue // without a look at the piece, which is anywhere in memory
		}
		p := &blk.entries[at.index]
		for i := range p.result.Diagnostics {
			if d := &p.result.Diagnostics[i]; d.Span.Start < text.HeaderBase {
				visit(Finding{d, Placement{cf.starts[b].add(at.chunkStart), cf}, p.source})
			}
		}
	}
}

// sharedFindings are the findings that are in no piece, each once: of what stands around
// them, which pieces may find too, and of several pieces at once.
func (cf *checkedFile) sharedFindings() []Finding {
	var diagnostics []diag.Diagnostic
	if cf.headerResult != nil {
		for _, d := range cf.headerResult.Diagnostics {
			diagnostics = append(diagnostics, cf.diagnosticInFile(headerStart, d))
		}
	}
	for _, s := range cf.resolutions {
		diagnostics = append(diagnostics, cf.factDiagnostic(s))
	}
	for b, blk := range cf.blocks {
		for _, at := range blk.withHeaderDiagnostics {
			for _, d := range blk.entries[at.index].result.Diagnostics {
				if d.Span.Start >= text.HeaderBase && cf.division.hasHeader() { // else it is the sidecar's
					diagnostics = append(diagnostics, cf.diagnosticInFile(cf.starts[b].add(at), d))
				}
			}
		}
	}
	return findingsInFile(lint.Sort(diagnostics))
}

// findingsInFile are findings that have the file's spans already.
func findingsInFile(diagnostics []diag.Diagnostic) []Finding {
	found := make([]Finding, len(diagnostics))
	for i := range diagnostics {
		found[i] = Finding{Diagnostic: &diagnostics[i]}
	}
	return found
}

// sortFindings are findings in order of place, as [lint.Sort] has them.
func sortFindings(found []Finding) []Finding {
	sort.Stable(byPosition(found))
	return found
}

// byPosition is not slices.SortStableFunc's order, which would be another 10 kB of the WebAssembly module.
type byPosition []Finding

func (b byPosition) Len() int      { return len(b) }
func (b byPosition) Swap(i, j int) { b[i], b[j] = b[j], b[i] }
func (b byPosition) Less(i, j int) bool {
	cc, y := b[i].SpanInFile(), b[j].SpanInFile()
	return cmp.Or(cc.Start-y.Start, cc.End-y.End, strings.Compare(b[i].Code, b[j].Code)) < 0
}

// severityCounts is how many findings of each severity there are, and then how many of
// them are given.
type severityCounts [diag.Hint + 1]int

func countSeverities(found []Finding) (counts severityCounts) {
	for _, f := range found {
		counts[f.Severity]++
	}
	return counts
}

func (c *severityCounts) total() (n int) {
	for _, count := range c {
		n += count
	}
	return n
}

// limit gives the room for n to the most severe first.
func (c *severityCounts) limit(n int) {
	for s := range c {
		c[s] = min(c[s], n)
		n -= c[s]
	}
}

// remaining are the severities of which one can be taken.
func (c *severityCounts) remaining() (open severitySet) {
	for s, count := range c {
		if count > 0 {
			open = open.with(diag.Severity(s))
		}
	}
	return open
}

// take takes one of a severity, if there is one to be had.
func (c *severityCounts) take(s diag.Severity) bool {
	if c[s] == 0 {
		return false
	}
	c[s]--
	return true
}

// severitySet is a set of them.
type severitySet uint8

const (
	noSeverity    severitySet = 0
	allSeverities             = ^noSeverity
)

func (s severitySet) with(one diag.Severity) severitySet { return s | 1<<one }
