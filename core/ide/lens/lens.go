package lens

import (
	"fmt"

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
