package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Preview says what a run of a file would do, for an editor. Making one runs nothing.
type Preview struct {
	Target    string           `json:"target"`
	Judge     string           `json:"judge"`
	Trusted   bool             `json:"trusted"` // the run is allowed
	Cases     []PreviewCase    `json:"cases"`
	Questions int              `json:"questions"`          // to a judge other than the offline one, if it needs no second attempt
	Cached    int              `json:"cached,omitempty"`   // of these, answered from the cache
	Cost      [2]float64       `json:"cost,omitzero"`      // in US dollars, lowest and highest, of the judge's priced questions
	Contacts  []PlannedContact `json:"contacts,omitempty"` // what target and judge would reach
	Programs  int              `json:"programs"`           // graders that are programs; they run only where that is allowed
	Errors    []string         `json:"errors"`             // why the run, or some cases, cannot run
	Skipped   []NotRun         `json:"skipped,omitempty"`  // the cases that have errors
	Notes     []string         `json:"notes,omitempty"`
}

// PreviewCase says what a run would do for one case.
type PreviewCase struct {
	Case    string          `json:"case"`
	Graders []PreviewGrader `json:"graders"`
}

// PreviewGrader says what a run would do for one grader.
type PreviewGrader struct {
	Name     string      `json:"name"`
	Type     rubric.Kind `json:"type"`
	Criteria int         `json:"criteria,omitempty"`
}

// AddCases adds cases, and returns those without an error. Faults are the errors by case id.
func (p *Preview) AddCases(cases []*rubric.Case, faults map[string]string) (runnable []*rubric.Case) {
	for _, c := range cases {
		if fault := faults[c.ID]; fault != "" {
			p.Skipped = append(p.Skipped, NotRun{c.ID, fault})
			p.Errors = append(p.Errors, fmt.Sprintf("`%s` is not run: %s", c.ID, fault))
			continue
		}
		planned := PreviewCase{Case: c.ID, Graders: []PreviewGrader{}}
		for _, g := range grade.GradersOf(c) {
			planned.Graders = append(planned.Graders, PreviewGrader{g.Name, g.Kind, len(g.Criteria)})
		}
		for g := range rubric.AllGraders(grade.GradersOf(c)) {
			if g.Kind == rubric.CodeJudge {
				p.Programs++
			}
		}
		p.Cases = append(p.Cases, planned)
		runnable = append(runnable, c)
	}
	return runnable
}

// AddRun adds who would answer and judge cases, how often and at what cost. The run is open for plan.
func (p *Preview) AddRun(ctx context.Context, plan *Plan, opened *Run, cases []*rubric.Case) {
	plan.AddCases(ctx, opened, slices.Values(cases), len(cases))
	p.Target, p.Judge = opened.TargetName, opened.JudgeName
	p.Questions, p.Cached, p.Cost, p.Contacts = plan.JudgeCalls+plan.Cached, plan.Cached, plan.Cost, plan.Contacts
	for _, c := range plan.NotRun {
		p.Notes = append(p.Notes, fmt.Sprintf("`%s` is not graded: %s", c.Case, c.Reason))
	}
}

// String returns the preview as one line.
func (p *Preview) String() string {
	if len(p.Cases) == 0 && len(p.Errors) > 0 {
		return p.Errors[0]
	}
	line := fmt.Sprintf("%s would be answered by `%s` and judged by `%s`: %s", diag.CountNoun(len(p.Cases), "case"), p.Target, p.Judge, diag.CountNoun(p.Questions, "question"))
	if p.Programs > 0 {
		line += ", " + diag.CountNoun(p.Programs, "program")
	}
	for _, more := range [][]string{p.Errors, p.Notes} {
		if len(more) > 0 {
			line += "; " + more[0]
		}
	}
	if !p.Trusted {
		line += "; nothing is run, because this workspace is not trusted"
	}
	return line
}
