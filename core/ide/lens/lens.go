// Package lens shows commands and results above cases.
package lens

import (
	"fmt"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/naming"
	"github.com/rubric-ls/rubric/core/ide/navigation"
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
	ResultsCommand  = "rubric.results"          // shows the results of a file
	CaseCommand     = "rubric.case"             // shows a case with its last result
	ChooseCommand   = "rubric.target.choose"    // lets the user choose target and judge
)

// clientCommands are commands of clients that declare them by CanChoose. Others show the title only.
var clientCommands = []string{ResultsCommand, CaseCommand, ChooseCommand}

// A Lens is a line of text above the code, with or without a command.
type Lens struct {
	Span    text.Span
	Title   string
	Command string // "" for plain text
	CaseID  string // argument of the command; "" for the file
	Record  string // likewise: a file of recorded conversations
	Job     string // likewise: that is cancelled
}

// resultsLens counts the last results of a file, whose cases that can run are given.
func resultsLens(results ide.Results, cases []*rubric.Case) Lens {
	ids := map[string]bool{}
	for _, c := range cases {
		ids[c.ID] = true
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
	if notRun := len(ids) - len(results); notRun > 0 {
		title += fmt.Sprintf(", %d not run", notRun)
	}
	return Lens{Title: title, Command: ResultsCommand}
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

// InRange returns the lenses within a span of a file, with the last results. It leaves out commands
// that the client does not execute.
func InRange(f *ide.File, within text.Span) []ide.CodeLens {
	results := f.Host.Outcomes()
	all := []ide.CodeLens{}
	others := sync.OnceValue(f.Host.OtherFiles)
	for placement, d := range lensCache.EachIn(f.Analysis, within, false) {
		lenses := d.lenses(results)
		isTop := d.hasSuite && placement.ToFile(text.Span{}).Start == 0
		if isTop {
			top := []Lens{{Title: "Run file", Command: RunFileCommand}, {Title: "Dry run", Command: DryRunCommand}}
			if len(results) > 0 {
				top = append(top, resultsLens(results, f.Host.Suite().Cases))
			}
			lenses = append(top, lenses...)
		}
		if isTop && f.Host.Recordings != nil {
			lenses = append(recordingLenses(f.Host.Recordings()), lenses...)
		}
		if isTop && d.recorded && f.Client.CanChoose {
			lenses = append([]Lens{{Title: "Show results", Command: ResultsCommand}}, lenses...)
		}
		if isTop && f.Host.RunNames != nil {
			if names := f.Host.RunNames(); names != nil {
				lenses = append(lenses, Lens{Title: "Grades " + names.Label, Command: ChooseCommand})
			}
		}
		for _, target := range d.targets {
			if at := placement.ToFile(target).Start; at >= within.Start && at <= within.End {
				lenses = append(lenses, Lens{Span: target, Title: diag.CountNoun(navigation.CountReferences(f, at, others()), "reference")})
			}
		}
		for _, l := range lenses {
			l.Span = placement.ToFile(l.Span)
			if (l.Command == RunFileCommand || l.Command == RunCaseCommand) && f.Host.RunningJob != nil {
				if job := f.Host.RunningJob(l.CaseID); job != "" {
					l = Lens{Span: l.Span, Title: "Cancel run", Command: CancelCommand, Job: job}
				}
			}
			if !f.Client.CanChoose && slices.Contains(clientCommands, l.Command) {
				l.Command = ""
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
	hasSuite bool // the file has cases
	recorded bool // they are results of ADK
	cases    []caseHead
	more     []Lens      // of cases that are skipped, and of metrics
	targets  []text.Span // the names that a targets file defines
}

// caseHead is what lenses show of a case before it has run. Spans are those of the chunk.
type caseHead struct {
	id       string
	span     text.Span
	canDraft bool   // criteria can be drafted for it
	below    []Lens // of an evalset: its summary and its turns
}

var lensCache = analysis.NewChunkCache(collectLensData)

func collectLensData(p *analysis.Chunk) lensData {
	roles := []agentv.Role{agentv.Eval, agentv.EvalV4, agentv.Cases, agentv.TestList, agentv.ScenarioList}
	d := lensData{hasSuite: slices.Contains(roles, p.Role) || dialect.IsOtherSuite(p.Role)}
	if set, ok := facts.LowerEvalset(p); ok {
		d.hasSuite, d.cases = true, evalsetCases(p, set)
	}
	if set, ok := facts.LowerRecording(p); ok {
		d.hasSuite, d.recorded, d.cases = true, true, recordingCases(set)
	}
	for _, c := range p.Suite.Cases {
		if facts.IsOwnText(p, c.SelectionSpan.Start) {
			d.cases = append(d.cases, caseHead{id: c.ID, span: c.SelectionSpan, canDraft: draft.CheckDraftableIn(p, c) == nil})
		}
	}
	for _, c := range p.Suite.Skipped {
		if facts.IsOwnText(p, c.SelectionSpan.Start) {
			d.more = append(d.more, Lens{Span: c.SelectionSpan, Title: "not run: the runner skips this case"})
		}
	}
	if p.Role == agentv.Targets {
		naming.VisitNames(p, func(name naming.Name, use naming.Use) {
			if name.Kind == naming.TargetName && use.IsDeclaration {
				d.targets = append(d.targets, use.Span)
			}
		})
	}
	if p.ADK != nil && p.ADK.Role == adk.Config {
		for _, c := range draft.CasesIn(p) {
			if draft.CheckDraftableIn(p, c) == nil {
				d.more = append(d.more, draftLens(p.Tree.NodeAt(c.Span.Start).FirstKeySpan(), c.ID))
			}
		}
	}
	return d
}

func draftLens(head text.Span, id string) Lens {
	return Lens{Span: head, Title: "Generate rubrics", Command: GenerateCommand, CaseID: id}
}

// lenses returns the lenses of a chunk, one group above each case.
func (d lensData) lenses(results ide.Results) (lenses []Lens) {
	for _, c := range d.cases {
		lenses = append(lenses,
			Lens{Span: c.span, Title: "Run case", Command: RunCaseCommand, CaseID: c.id},
			Lens{Span: c.span, Title: "Dry run", Command: DryRunCommand, CaseID: c.id})
		if c.canDraft {
			lenses = append(lenses, draftLens(c.span, c.id))
		}
		if o, ran := results[c.id]; ran {
			lenses = append(lenses, Lens{Span: c.span, Title: facts.Summarise(o), Command: CaseCommand, CaseID: c.id})
		}
		lenses = append(lenses, c.below...)
	}
	return append(lenses, d.more...)
}

func evalsetCases(p *analysis.Chunk, set adk.Set) (all []caseHead) {
	canDraft := map[string]bool{}
	for _, c := range draft.CasesIn(p) {
		canDraft[c.ID] = canDraft[c.ID] || draft.CheckDraftableIn(p, c) == nil
	}
	for _, c := range set.Cases {
		head := c.Node.FirstKeySpan()
		below := []Lens{{Span: head, Title: facts.CaseSummary(c)}}
		for i, turn := range c.Conversation {
			below = append(below, Lens{Span: c.Turns[i].FirstKeySpan(), Title: fmt.Sprintf("turn %d: %s", i+1, facts.TurnSummary(turn))})
		}
		all = append(all, caseHead{c.ID, head, canDraft[c.ID], below})
	}
	return all
}

// recordingCases returns the cases of recorded results; only the first one for each id.
func recordingCases(rec adk.Recording) (all []caseHead) {
	seen := map[string]bool{}
	for _, c := range rec.Cases {
		if !seen[c.ID] {
			seen[c.ID] = true
			head := c.Node.FirstKeySpan()
			all = append(all, caseHead{id: c.ID, span: head, below: []Lens{{Span: head, Title: facts.RecordedSummary(c)}}})
		}
	}
	return all
}
