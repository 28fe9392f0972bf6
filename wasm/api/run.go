package api

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// runParams are a case with the answers of earlier calls. The first call has none; each later call
// adds what the previous result asked for.
type runParams struct {
	caseParams
	Submission *run.RecordedAnswer `json:"submission,omitempty"` // the answer to grade; without it, what the file records or expects
	Target     string              `json:"target,omitempty"`     // the target's name in the record; `self`, `echo:` and `mock:ANSWER` are run without a submission
	Judge      string              `json:"judge,omitempty"`      // the judge's name in the record; the default `offline` answers at once
	// Answers holds a judge's answers by question key. With Replay, a missing answer is an error,
	// because it was not recorded.
	Answers map[string]JudgeAnswer `json:"answers,omitempty"`
	Replay  bool                   `json:"replay,omitempty"`
	Samples int                    `json:"samples,omitempty"` // how often a judge is asked for each judgement; the default is once
	// Printed holds the outputs of WebAssembly graders by key.
	Printed map[string]ProgramOutput `json:"printed,omitempty"`
	Profile score.Profile            `json:"profile,omitempty"`
	// Threshold is the score from which the case passes; 0 means by its verdict.
	Threshold float64 `json:"threshold,omitempty"`
	// Completed has the cases of the same run that have ended, and whether each was run to its end. Without
	// it, the case runs by itself.
	Completed map[string]bool `json:"completed,omitempty"`
	evaluationFiles
}

// RunResult is the result of a case and what it still needs. While questions or programs remain,
// the criteria that wait for them are ungraded. Verdict is the verdict of the record.
type RunResult struct {
	Record  CaseRecord `json:"record"`
	Verdict string     `json:"standing"` // pass, borderline, fail or ungraded
	// Items are the results of the criteria and metrics, followed by that of the case.
	Items     []report.Item `json:"items"`
	Questions []Question    `json:"questions"`
	Programs  []Program     `json:"programs"`
	Completed bool          `json:"completed"` // the case was run to its end
}

// CaseRecord is one line of a result file, as `rubric run` writes it.
type CaseRecord struct{ run.Record }

func runCase(p runParams) (RunResult, error) {
	settings, err := p.settings()
	if err != nil {
		return RunResult{}, err
	}
	d, err := p.findDocument()
	if err != nil {
		return RunResult{}, err
	}
	file := run.File{Name: path.Base(d.Source().Name), Suite: d.Suite()}
	if d.ADK().IsMeasured() {
		if file, err = p.evaluationFile(d, file); err != nil {
			return RunResult{}, err
		}
	}
	written, err := findInSuite(file.Suite, p.Case)
	if err == nil {
		err = runError(d.Analysis, file.Suite, written.ID)
	}
	if err != nil {
		return RunResult{}, err
	}
	c := withoutEnvironment(file.Suite, written)
	if p.Submission != nil {
		c.Answer = nil
	}
	if p.Completed == nil {
		c.DependsOn = nil
	}
	given := &ports{answers: p.Answers, replay: p.Replay, printed: p.Printed}
	opened, err := run.Open(context.Background(), p.host(given, c), settings, file)
	if err != nil {
		return RunResult{}, failf(BadParams, "%s", err)
	}
	record := opened.RunAfter(context.Background(), file.Suite, c, p.Completed)
	if given.isComplete() && p.Document != "" {
		storeResult(p.Document, storedResult{run.NewStoredResult(*record, written), p.answerSource(d), p.Threshold})
	}
	return RunResult{CaseRecord{*record}, string(record.Verdict), report.Items(*record, settings.Threshold), toQuestions(given.questions), append([]Program{}, given.programs...), record.IsCompleted()}, nil
}

// settings returns the settings of the run. There is no time limit, because the caller answers
// between calls.
func (p runParams) settings() (s run.Settings, err error) {
	if p.Profile != "" {
		err = setOption(&s, "profile", string(p.Profile))
	}
	if err == nil && p.Samples != 0 {
		err = setOption(&s, "samples", p.Samples)
	}
	if err == nil && p.Threshold != 0 {
		err = setOption(&s, "threshold", p.Threshold)
	}
	s = s.WithDefaults()
	s.Timeout = 0
	switch {
	case p.Submission == nil && run.IsBuiltIn(p.Target):
		s.Targets = []string{p.Target}
	case p.Submission != nil || p.Target != "" && p.Target != run.SelfTargetLabel:
		s.Targets = []string{"given"} // of the host
	}
	if p.Judge != "" {
		s.Judges = []string{p.Judge}
	}
	return s, err
}

// setOption sets an option to the parameter of the same name.
func setOption(s *run.Settings, name string, value any) error {
	if err := run.FindOption(name).Set(s, "`"+name+"`", value); err != nil {
		return failf(BadParams, "%s", err)
	}
	return nil
}

// host returns a host whose target of c, judge and sandbox are what the caller gives.
func (p runParams) host(given *ports, c *rubric.Case) run.Host {
	target := run.Recording{}.Respond
	switch {
	case p.Submission != nil && c.Conversation != nil:
		target = func(context.Context, *rubric.Case) (grade.Submission, error) {
			return grade.Submission{}, errors.New("a conversation in turns needs a target that answers each turn; one answer was given")
		}
	case p.Submission != nil:
		target = func(_ context.Context, c *rubric.Case) (grade.Submission, error) { return p.Submission.To(c) }
	}
	return run.Host{
		OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
			return run.OpenedTarget{Target: target, Name: p.Target}, nil
		},
		OpenJudge: func(_ context.Context, _, name string) (run.OpenedJudge, error) {
			return run.OpenedJudge{Judge: given, Names: strings.Split(name, run.PanelSeparator)}, nil
		},
		Sandbox: func(string) (grade.Exec, func()) { return given.runProgram, func() {} },
		Schema:  graderSchema,
	}
}

// reportParams are records of cases. Document is the open document that they belong to, if any.
type reportParams struct {
	Document string       `json:"document,omitempty"`
	Name     string       `json:"name,omitempty"`
	Path     string       `json:"path,omitempty"`
	Records  []CaseRecord `json:"records"`
}

// ReportResult is the page that `rubric run --format html` writes, and its totals. Stale is how
// many records belong to cases that the document no longer has in that form.
type ReportResult struct {
	HTML   string        `json:"html"`
	Totals report.Totals `json:"totals"`
	Stale  int           `json:"stale"`
}

func writeReport(p reportParams) (ReportResult, error) {
	var records []run.Record
	page := report.Page{}
	for _, r := range p.Records {
		records = append(records, r.Record)
		if r.Judge == offline.Name {
			page.Notice = offline.Notice
		}
	}
	suite := report.Suite{Name: p.Name, Path: p.Path, Records: records}
	page.Suites = []report.Suite{suite}
	result := ReportResult{Totals: report.CountTotals(suite.Records)}
	if p.Document != "" {
		d, err := fileParams{Document: p.Document}.findDocument()
		if err != nil {
			return ReportResult{}, err
		}
		for _, r := range p.Records {
			if c := d.Suite().Case(r.EvalID); !d.ADK().IsMeasured() && (c == nil || withoutEnvironment(d.Suite(), c).Fingerprint() != r.CaseFingerprint) {
				result.Stale++
			}
		}
	}
	var html strings.Builder
	if err := page.Write(&html); err != nil {
		return ReportResult{}, err
	}
	result.HTML = html.String()
	return result, nil
}

// orderParams name the cases to run.
type orderParams struct {
	fileParams
	Cases []string `json:"cases"`
}

// RunOrder are the cases to run, those that others depend on first. Notes say which cases are added because
// others depend on them, and which ones cannot be graded. Needed are the cases that others depend on; `run` wants to
// know of no other whether it has completed.
type RunOrder struct {
	Cases  []string `json:"cases"`
	Needed []string `json:"needed"`
	Notes  []string `json:"notes"`
}

func orderCases(d document, p orderParams) (RunOrder, error) {
	if d.ADK().IsMeasured() {
		return RunOrder{Cases: p.Cases, Needed: []string{}, Notes: []string{}}, nil
	}
	cases, neededBy := run.WithDependencies(d.Suite().Cases, func(c *rubric.Case) bool { return slices.Contains(p.Cases, c.ID) })
	result := RunOrder{Cases: []string{}, Needed: []string{}, Notes: append([]string{}, run.DependencyNotes(neededBy)...)}
	fault := caseErrors(d.Analysis, d.Suite)
	for c := range run.InOrder(&rubric.Suite{Cases: cases}, slices.Values(cases)) {
		if neededBy[c.ID] != "" && fault(c.ID) != "" {
			continue // what depends on it says so
		}
		result.Cases, result.Needed = append(result.Cases, c.ID), append(result.Needed, c.DependsOn...)
		if why := withoutEnvironment(d.Suite(), c).Unreadable; why != "" {
			result.Notes = append(result.Notes, fmt.Sprintf("`%s` is not graded: %s", c.ID, why))
		}
	}
	return result, nil
}

// withoutEnvironment returns a copy of a case with the defaults of variables of the environment. Here is no
// environment, so that a case whose variables have none cannot run.
func withoutEnvironment(suite *rubric.Suite, c *rubric.Case) *rubric.Case {
	filled := *c
	missing := v4.FillEnvironment(suite, &filled, func(string) (agentv.Variable, bool) { return agentv.Variable{}, false })
	if len(missing) > 0 {
		filled.Unreadable = fmt.Sprintf("it needs %s of the environment, and there is none here", diag.JoinList(diag.Backtick(missing), "and"))
	}
	return &filled
}
