package api

import (
	"context"
	"path"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// mostSamples is how often a judge may be asked for one judgement.
const mostSamples = 25

// runParams are a case, and what is known of what it needs from outside: the first
// call knows nothing, and each later one what the one before it has asked for.
type runParams struct {
	caseParams
	Submission *grade.Submission `json:"submission,omitempty"` // what is graded; without one the file's own expected output, or what was measured
	Target     string            `json:"target,omitempty"`     // as the record names it; `self` for the file's own
	Judge      string            `json:"judge,omitempty"`      // as the record names it; `offline`, which is asked here and now, by default
	// Answers are a judge's, by the keys of the questions; of a Replay the question that
	// has none was never recorded.
	Answers map[string]Answered `json:"answers,omitempty"`
	Replay  bool                `json:"replay,omitempty"`
	Samples int                 `json:"samples,omitempty"` // how often a judge is asked for each judgement; once by default
	// Printed is what graders have left behind that are WebAssembly, by their keys.
	Printed map[string]Printed `json:"printed,omitempty"`
	Profile score.Profile      `json:"profile,omitempty"`
	trialFiles
}

// RunResult is what a case has come to, with what it still needs: while questions or
// programs are open the record says of what waits for them that it is ungraded.
// Standing is the record's verdict, but unknown where something could not be judged.
type RunResult struct {
	Record   CaseRecord `json:"record"`
	Standing string     `json:"standing"` // pass, borderline, fail or unknown
	// Items are the results of the criteria and metrics, and last that of the case.
	Items     []report.Item `json:"items"`
	Questions []Question    `json:"questions"`
	Programs  []Program     `json:"programs"`
}

// CaseRecord is one line of a result file, as `rubric run` writes it.
type CaseRecord struct{ run.Record }

// self is what records call the file's own expected output, as the command line does.
const self = "self (expected output)"

func runCase(p runParams) (RunResult, error) {
	profile, err := profileOf(p.Profile)
	if err != nil {
		return RunResult{}, err
	}
	if p.Samples < 0 || p.Samples > mostSamples {
		return RunResult{}, failf(BadParams, "`samples` is %d, and can be 0 to %d", p.Samples, mostSamples)
	}
	d, err := p.find()
	if err != nil {
		return RunResult{}, err
	}
	outside := &outside{answers: p.Answers, replay: p.Replay, printed: p.Printed}
	runner := run.Runner{
		Target: p.target(), TargetName: p.Target, Judge: outside, JudgeName: p.Judge, Sandbox: outside.run, Schema: ofGrader,
		Profile: profile, Samples: p.Samples, EvalFile: path.Base(d.Source().Name),
	}
	if p.Target == "" && p.Submission == nil {
		runner.TargetName = self
	}
	if p.Judge == "" || p.Judge == offline.Name {
		runner.Judge, runner.JudgeName = offline.Judge{}, offline.Name
	}
	suite := d.Suite()
	if isMeasured(d.Analysis) {
		if suite, err = p.measure(d, &runner); err != nil {
			return RunResult{}, err
		}
	}
	c, err := caseIn(suite, p.Case)
	if err != nil {
		return RunResult{}, err
	}
	record := runner.Case(context.Background(), suite, c, func(*run.GraderRecord) {})
	if outside.settled() && p.Document != "" {
		keepResult(p.Document, kept{run.Keep(*record, c), p.answeredBy(d)})
	}
	return RunResult{CaseRecord{*record}, string(record.Standing()), report.Items(*record), asQuestions(outside.questions), append([]Program{}, outside.programs...)}, nil
}

// target answers with what was submitted.
func (p runParams) target() run.Target {
	switch {
	case p.Submission != nil:
		return func(context.Context, *rubric.Case) (grade.Submission, error) { return *p.Submission, nil }
	case p.Target == "" || p.Target == self:
		return run.Self
	}
	return run.Recording{}.Respond
}
