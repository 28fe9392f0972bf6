package lens

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// Commands of code lenses. Their arguments are the file and, for a case, its id.
const (
	RunFileCommand  = "rubric.runFile"
	RunCaseCommand  = "rubric.runCase"
	DryRunCommand   = "rubric.dryRun" // for a case or the file
	GenerateCommand = "rubric.generateRubrics"
)

// A Lens is a line of text above the code, with or without a command.
type Lens struct {
	Span    text.Span
	Title   string
	Command string // "" for plain text
	CaseID  string // argument of the command; "" for the file
}

type lensData struct {
	hasSuite     bool           // the file has cases
	cases        []*rubric.Case // in spans of the chunk
	canDraft     map[*rubric.Case]bool
	skipped      []text.Span
	evalsetCases []evalsetCase // ADK cases, instead of cases
}

var lensCache = analysis.NewChunkCache(collectLensData)

func collectLensData(p *analysis.Chunk) lensData {
	roles := []agentv.Role{agentv.Eval, agentv.EvalV4, agentv.Cases, agentv.TestList, agentv.ScenarioList}
	d := lensData{hasSuite: slices.Contains(roles, p.Role), canDraft: map[*rubric.Case]bool{}}
	if set, ok := facts.LowerEvalset(p); ok {
		d.hasSuite, d.evalsetCases = true, evalsetCases(set)
	}
	if set, ok := facts.LowerRecording(p); ok {
		d.hasSuite, d.evalsetCases = true, recordingCases(set)
	}
	for _, c := range p.Suite.Cases {
		if facts.IsOwnText(p, c.SelectionSpan.Start) {
			d.cases = append(d.cases, c)
			d.canDraft[c] = draft.CheckDraftableIn(p, c) == nil
		}
	}
	for _, c := range p.Suite.Skipped {
		if facts.IsOwnText(p, c.SelectionSpan.Start) {
			d.skipped = append(d.skipped, c.SelectionSpan)
		}
	}
	return d
}

// Lenses returns the lenses of a chunk: one group above each case and, in the first chunk, one above
// the file.
func Lenses(p *analysis.Chunk, results ide.Results) []Lens {
	return collectLensData(p).lenses(p.Placement, results)
}

func (d lensData) lenses(at analysis.Placement, results ide.Results) (lenses []Lens) {
	if d.hasSuite && at.ToFile(text.Span{}).Start == 0 {
		lenses = suiteLenses(results)
	}
	for _, c := range d.cases {
		lenses = append(lenses, caseLenses(c, d.canDraft[c], results)...)
	}
	for _, head := range d.skipped {
		lenses = append(lenses, Lens{Span: head, Title: "not run: the runner skips this case"})
	}
	for _, c := range d.evalsetCases {
		lenses = append(lenses, c.lenses(results)...)
	}
	return lenses
}

func suiteLenses(results ide.Results) []Lens {
	lenses := []Lens{{Title: "Run file", Command: RunFileCommand}, {Title: "Dry run", Command: DryRunCommand}}
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
	title := fmt.Sprintf("%d of %d passed", passed, len(results))
	if stale > 0 {
		title += fmt.Sprintf(", %d stale", stale)
	}
	return append(lenses, Lens{Title: title})
}

// caseLenses returns the lenses of a case. drafts says whether criteria can be drafted for it.
func caseLenses(c *rubric.Case, drafts bool, results ide.Results) []Lens {
	lenses := runLenses(c.SelectionSpan, c.ID)
	if drafts {
		lenses = append(lenses, Lens{Span: c.SelectionSpan, Title: "Generate rubrics", Command: GenerateCommand, CaseID: c.ID})
	}
	if o, ran := results[c.ID]; ran {
		lenses = append(lenses, Lens{Span: c.SelectionSpan, Title: facts.Summarise(o)})
	}
	return lenses
}

func runLenses(head text.Span, id string) []Lens {
	return []Lens{
		{Span: head, Title: "Run case", Command: RunCaseCommand, CaseID: id},
		{Span: head, Title: "Dry run", Command: DryRunCommand, CaseID: id},
	}
}
