package lens

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

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
