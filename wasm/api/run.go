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

// maxSamples is how often a judge may be asked for one judgement.
const maxSamples = 25

// runParams are a case, and what is known of what it needs from outside: the first
// call knows nothing, and each later one what the one before it has asked for.
type runParams struct {
	caseParams
	Submission *grade.Submission `json:"submission,omitempty"` // what is graded; without one the file's own expected output, or what was measured
	Target     string            `json:"target,omitempty"`     // as the record names it; `self` for the file's own
	Judge      string            `json:"judge,omitempty"`      // as the record names it; `offline`, which is asked here and now, by default
	// Answers are a judge's, by the keys of the questions; of a Replay the question that
	// has none was never recorded.
	Answers map[string]JudgeAnswer `json:"answers,omitempty"`
	Replay  bool                   `json:"replay,omitempty"`
	Samples int                    `json:"samples,omitempty"` // how often a judge is asked for each judgement; once by default
	// Printed is what graders have left behind that are WebAssembly, by their keys.
	Printed map[string]ProgramOutput `json:"printed,omitempty"`
	Profile score.Profile            `json:"profile,omitempty"`
	evaluationFiles
}

// RunResult is what a case has come to, with what it still needs: while questions or
// programs are open the record says of what waits for them that it is ungraded.
// Standing is the record's verdict, but unknown where something could not be judged.
type RunResult struct {
	Record  CaseRecord `json:"record"`
	Verdict string     `json:"standing"` // pass, borderline, fail or unknown
	// Items are the results of the criteria and metrics, and last that of the case.
	Items     []report.Item `json:"items"`
	Questions []Question    `json:"questions"`
	Programs  []Program     `json:"programs"`
}

// CaseRecord is one line of a result file, as `rubric run` writes it.
type CaseRecord struct{ run.Record }

// selfTarget is what records call the file's own expected output, as the command line does.
const selfTarget = "self (expected output)"

func runCase(p runParams) (RunResult, error) {
	profile, err := parseProfile(p.Profile)
	if err != nil {
		return RunResult{}, err
	}
	if p.Samples < 0 || p.Samples > maxSamples {
		return RunResult{}, failf(BadParams, "`samples` is %d, and can be 0 to %d", p.Samples, maxSamples)
	}
	d, err := p.findDocument()
	if err != nil {
		return RunResult{}, err
	}
	given := &ports{answers: p.Answers, replay: p.Replay, printed: p.Printed}
	runner := run.Runner{
		Target: p.newTarget(), TargetName: p.Target, Judge: given, JudgeName: p.Judge, Sandbox: given.runProgram, Schema: graderSchema,
		Profile: profile, Samples: p.Samples, EvalFile: path.Base(d.Source().Name),
	}
	if p.Target == "" && p.Submission == nil {
		runner.TargetName = selfTarget
	}
	if p.Judge == "" || p.Judge == offline.Name {
		runner.Judge, runner.JudgeName = offline.Judge{}, offline.Name
	}
	suite := d.Suite()
	if isMeasured(d.Analysis) {
		if suite, err = p.configureRunner(d, &runner); err != nil {
			return RunResult{}, err
		}
	}
	c, err := findInSuite(suite, p.Case)
	if err != nil {
		return RunResult{}, err
	}
	record := runner.RunCase(context.Background(), suite, c, func(*run.GraderRecord) {})
	if given.isComplete() && p.Document != "" {
		storeResult(p.Document, storedResult{run.NewStoredResult(*record, c), p.answerSource(d)})
	}
	return RunResult{CaseRecord{*record}, string(record.DisplayVerdict()), report.Items(*record), toQuestions(given.questions), append([]Program{}, given.programs...)}, nil
}

// newTarget answers with what was submitted.
func (p runParams) newTarget() run.Target {
	switch {
	case p.Submission != nil:
		return func(context.Context, *rubric.Case) (grade.Submission, error) { return *p.Submission, nil }
	case p.Target == "" || p.Target == selfTarget:
		return run.SelfTarget
	}
	return run.Recording{}.Respond
}
