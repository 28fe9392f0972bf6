// Package lens shows commands and results above cases.
package lens

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
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
	CancelCommand   = "rubric.cancelRun" // instead of a run, while it runs
	DryRunCommand   = "rubric.dryRun"    // for a case or the file
	GenerateCommand = "rubric.generateRubrics"
	MeasureCommand  = "rubric.measureRecording" // of the file, and no longer without a recording
	ChooseCommand   = "rubric.target.choose"    // of clients that let the user choose target and judge
)

// A Lens is a line of text above the code, with or without a command.
type Lens struct {
	Span    text.Span
	Title   string
	Command string // "" for plain text
	CaseID  string // argument of the command; "" for the file
	Record  string // likewise: a file of recorded conversations
	Job     string // likewise: that is cancelled
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

// gradingLens names target and judge.
func gradingLens(names *ide.RunNames, canChoose bool) Lens {
	l := Lens{Title: "Grades " + names.Label}
	if canChoose {
		l.Command = ChooseCommand
	}
	return l
}

// recordingLenses offers the recordings of an evalset.
func recordingLenses(recordings []ide.RecordingFile) (lenses []Lens) {
	for _, r := range recordings {
		if r.Measured {
			lenses = append(lenses, Lens{Title: "Stop measuring " + r.Name, Command: MeasureCommand})
		} else {
			lenses = append(lenses, Lens{Title: "Measure " + r.Name, Command: MeasureCommand, Record: r.Name})
		}
	}
	return lenses
}

// caseLenses returns the lenses of a case. drafts says whether criteria can be drafted for it.
func caseLenses(c *rubric.Case, drafts bool, results ide.Results) []Lens {
	lenses := runLenses(c.SelectionSpan, c.ID)
	if drafts {
		lenses = append(lenses, draftLens(c.SelectionSpan, c.ID))
	}
	if o, ran := results[c.ID]; ran {
		lenses = append(lenses, Lens{Span: c.SelectionSpan, Title: facts.Summarise(o)})
	}
	return lenses
}

func draftLens(head text.Span, id string) Lens {
	return Lens{Span: head, Title: "Generate rubrics", Command: GenerateCommand, CaseID: id}
}

func runLenses(head text.Span, id string) []Lens {
	return []Lens{
		{Span: head, Title: "Run case", Command: RunCaseCommand, CaseID: id},
		{Span: head, Title: "Dry run", Command: DryRunCommand, CaseID: id},
	}
}

// InRange returns the lenses within a span of a file, with the last results. It leaves out commands
// that the client does not execute.
func InRange(f *ide.File, within text.Span) []ide.CodeLens {
	results := f.Host.Outcomes()
	all := []ide.CodeLens{}
	for placement, d := range lensCache.EachIn(f.Analysis, within, false) {
		lenses := d.lenses(placement, results)
		if d.hasSuite && placement.ToFile(text.Span{}).Start == 0 && f.Host.Recordings != nil {
			lenses = append(recordingLenses(f.Host.Recordings()), lenses...)
		}
		if d.hasSuite && placement.ToFile(text.Span{}).Start == 0 && f.Host.RunNames != nil {
			if names := f.Host.RunNames(); names != nil {
				lenses = append(lenses, gradingLens(names, f.Client.CanChoose))
			}
		}
		for _, l := range lenses {
			l.Span = placement.ToFile(l.Span)
			if (l.Command == RunFileCommand || l.Command == RunCaseCommand) && f.Host.RunningJob != nil {
				if job := f.Host.RunningJob(l.CaseID); job != "" {
					l = Lens{Span: l.Span, Title: "Cancel run", Command: CancelCommand, Job: job}
				}
			}
			known := l.Command == "" || f.Client.HasCommand == nil || f.Client.HasCommand(l.Command)
			if known && l.Span.Start >= within.Start && l.Span.Start <= within.End {
				all = append(all, l.answer(f))
			}
		}
	}
	return all
}

// answer converts a lens. Its range is on one line.
func (l Lens) answer(f *ide.File) ide.CodeLens {
	out := ide.CodeLens{Range: f.SpanRange(l.Span), Command: ide.Command{Title: l.Title, Command: l.Command}}
	out.Range.End = text.Position{Line: out.Range.Start.Line, Character: max(out.Range.Start.Character, out.Range.End.Character)}
	if l.Command != "" {
		out.Command.Arguments = []any{ide.CommandTarget{URI: f.URI, Case: l.CaseID, Recorded: l.Record, Job: l.Job}}
	}
	return out
}

type lensData struct {
	hasSuite     bool           // the file has cases
	cases        []*rubric.Case // in spans of the chunk
	canDraft     map[*rubric.Case]bool
	skipped      []text.Span
	evalsetCases []evalsetCase // ADK cases, instead of cases
	metrics      []Lens        // of a configuration
}

var lensCache = analysis.NewChunkCache(collectLensData)

func collectLensData(p *analysis.Chunk) lensData {
	roles := []agentv.Role{agentv.Eval, agentv.EvalV4, agentv.Cases, agentv.TestList, agentv.ScenarioList}
	d := lensData{hasSuite: slices.Contains(roles, p.Role), canDraft: map[*rubric.Case]bool{}}
	if set, ok := facts.LowerEvalset(p); ok {
		d.hasSuite, d.evalsetCases = true, evalsetCases(p, set)
	}
	if p.ADK != nil && p.ADK.Role == adk.Config {
		for _, c := range draft.CasesIn(p) {
			if draft.CheckDraftableIn(p, c) == nil {
				d.metrics = append(d.metrics, draftLens(facts.FirstKeySpan(p.Tree.NodeAt(c.Span.Start)), c.ID))
			}
		}
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
	return append(lenses, d.metrics...)
}

// evalsetCase is a case of an evalset or of recorded results, as lenses show it.
type evalsetCase struct {
	id       string
	nameSpan text.Span
	summary  string
	turns    []Lens
	canDraft bool
}

func evalsetCases(p *analysis.Chunk, set adk.Set) (all []evalsetCase) {
	canDraft := map[string]bool{}
	for _, c := range draft.CasesIn(p) {
		canDraft[c.ID] = canDraft[c.ID] || draft.CheckDraftableIn(p, c) == nil
	}
	for _, c := range set.Cases {
		converted := evalsetCase{id: c.ID, nameSpan: facts.FirstKeySpan(c.Node), summary: facts.CaseSummary(c), canDraft: canDraft[c.ID]}
		for i, turn := range c.Conversation {
			converted.turns = append(converted.turns, Lens{Span: facts.FirstKeySpan(c.Turns[i]), Title: fmt.Sprintf("turn %d: %s", i+1, facts.TurnSummary(turn))})
		}
		all = append(all, converted)
	}
	return all
}

func (ec evalsetCase) lenses(results ide.Results) []Lens {
	lenses := runLenses(ec.nameSpan, ec.id)
	if ec.canDraft {
		lenses = append(lenses, draftLens(ec.nameSpan, ec.id))
	}
	if o, ran := results[ec.id]; ran {
		lenses = append(lenses, Lens{Span: ec.nameSpan, Title: facts.Summarise(o)})
	}
	lenses = append(lenses, Lens{Span: ec.nameSpan, Title: ec.summary})
	return append(lenses, ec.turns...)
}

// recordingCases returns the cases of recorded results; only the first one for each id.
func recordingCases(rec adk.Recording) (all []evalsetCase) {
	seen := map[string]bool{}
	for _, c := range rec.Cases {
		if !seen[c.ID] {
			seen[c.ID] = true
			all = append(all, evalsetCase{id: c.ID, nameSpan: facts.FirstKeySpan(c.Node), summary: facts.RecordedSummary(c)})
		}
	}
	return all
}
