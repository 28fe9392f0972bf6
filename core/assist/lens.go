package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// The commands of lenses. All are given the file, and those of a case its id.
const (
	RunFile  = "rubric.runFile"
	RunCase  = "rubric.runCase"
	DryRun   = "rubric.dryRun" // of a case, or of the file
	Generate = "rubric.generateRubrics"
)

// Lens is a line above the text that says or does something.
type Lens struct {
	Span    text.Span
	Title   string
	Command string // "" for one that only says something
	Case    string // whose id the command is given, "" for the file's
}

// runnable is what can be run in a part.
type runnable struct {
	suite   bool           // it is of a file that has cases
	cases   []*rubric.Case // in spans of the part
	drafts  map[*rubric.Case]bool
	skipped []text.Span
	set     []setCase // of ADK's, instead of cases
}

var runnables = analysis.NewMemo(runnableIn)

func runnableIn(p *analysis.Part) runnable {
	r := runnable{suite: hasCases(p), drafts: map[*rubric.Case]bool{}}
	if set, ok := evalset(p); ok {
		r.suite, r.set = true, setCases(set)
	}
	if set, ok := recordings(p); ok {
		r.suite, r.set = true, recordedCases(set)
	}
	for _, c := range p.Suite.Cases {
		if own(p, c.Head.Start) {
			r.cases = append(r.cases, c)
			r.drafts[c] = draft.DeclinedIn(p, c) == nil
		}
	}
	for _, c := range p.Suite.Skipped {
		if own(p, c.Head.Start) {
			r.skipped = append(r.skipped, c.Head)
		}
	}
	return r
}

// Lenses are those of a part: above each of its cases, and, in the part that the
// file begins with, above the file.
func Lenses(p *analysis.Part, results Results) []Lens { return runnableIn(p).lenses(p.Spot, results) }

// LensesOf are those of all of a file, in spans of the file.
func LensesOf(a *analysis.Analysis, results Results) (lenses []Lens) {
	for spot, r := range runnables.Each(a) {
		for _, l := range r.lenses(spot, results) {
			l.Span = spot.Place(l.Span)
			lenses = append(lenses, l)
		}
	}
	return lenses
}

func (r runnable) lenses(at analysis.Spot, results Results) (lenses []Lens) {
	if r.suite && at.Place(text.Span{}).Start == 0 {
		lenses = fileLenses(results)
	}
	for _, c := range r.cases {
		lenses = append(lenses, caseLenses(c, r.drafts[c], results)...)
	}
	for _, head := range r.skipped {
		lenses = append(lenses, Lens{Span: head, Title: "not run: the runner skips this case"})
	}
	for _, c := range r.set {
		lenses = append(lenses, c.lenses(results)...)
	}
	return lenses
}

func fileLenses(results Results) []Lens {
	lenses := []Lens{{Title: "Run file", Command: RunFile}, {Title: "Dry run", Command: DryRun}}
	if len(results) == 0 {
		return lenses
	}
	passed, stale := 0, 0
	for _, o := range results {
		if o.Verdict == score.Pass {
			passed++
		}
		if o.Stale {
			stale++
		}
	}
	said := fmt.Sprintf("%d of %d passed", passed, len(results))
	if stale > 0 {
		said += fmt.Sprintf(", %d stale", stale)
	}
	return append(lenses, Lens{Title: said})
}

// caseLenses are those of a case, for which criteria may have to be drafted.
func caseLenses(c *rubric.Case, drafts bool, results Results) []Lens {
	lenses := runLenses(c.Head, c.ID)
	if drafts {
		lenses = append(lenses, Lens{Span: c.Head, Title: "Generate rubrics", Command: Generate, Case: c.ID})
	}
	if o, ran := results[c.ID]; ran {
		lenses = append(lenses, Lens{Span: c.Head, Title: o.words()})
	}
	return lenses
}

// runLenses are those that run a case.
func runLenses(head text.Span, id string) []Lens {
	return []Lens{
		{Span: head, Title: "Run case", Command: RunCase, Case: id},
		{Span: head, Title: "Dry run", Command: DryRun, Case: id},
	}
}

// hasCases reports whether a part is of a file that has cases to run.
func hasCases(p *analysis.Part) bool {
	switch p.Role {
	case agentv.Eval, agentv.Later, agentv.Cases, agentv.Listed, agentv.Scenarios:
		return true
	}
	return false
}
