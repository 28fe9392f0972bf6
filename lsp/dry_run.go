package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// plan says what a run would do. Making one runs nothing.
type plan struct {
	Target    string               `json:"target"`
	Judge     string               `json:"judge"`
	Trusted   bool                 `json:"trusted"` // the run is allowed
	Cases     []plannedCase        `json:"cases"`
	Questions int                  `json:"questions"`          // to a judge other than the offline one, if it needs no second attempt
	Cached    int                  `json:"cached,omitzero"`    // of these, answered from the cache
	Cost      [2]float64           `json:"cost,omitzero"`      // in US dollars, lowest and highest, of the judge's priced questions
	Contacts  []run.PlannedContact `json:"contacts,omitempty"` // what target and judge would reach
	Programs  int                  `json:"programs"`           // graders that are programs; they run only where that is allowed
	Errors    []string             `json:"errors"`             // why cases cannot run
	Notes     []string             `json:"notes,omitempty"`
}

// plannedCase says what a run would do for one case.
type plannedCase struct {
	Case    string          `json:"case"`
	Graders []plannedGrader `json:"graders"`
}

// plannedGrader says what a run would do for one grader.
type plannedGrader struct {
	Name     string      `json:"name"`
	Type     rubric.Kind `json:"type"`
	Criteria int         `json:"criteria,omitzero"`
}

// dryRun returns what a run of a file or a case would do, and shows a summary.
func dryRun(ctx context.Context, s *snapshot, p *commandTarget) (*plan, error) {
	d, err := s.loadDocument(p.URI)
	if err != nil {
		return nil, err
	}
	cases, err := d.selectCases(s.runnableSuite(d), p.Case, false)
	if err != nil {
		return nil, err
	}
	host, err := s.permittedHost()
	req := runRequest{doc: d, evaluation: s.evaluation(d), settings: s.RunSettings, client: s.client}
	config := configOf(req.settings, d)
	result := &plan{Target: config.target, Judge: config.judge, Trusted: err == nil, Cases: []plannedCase{}, Errors: []string{}}
	reasons, err := s.caseErrors(d, cases)
	if err != nil {
		result.Errors, cases = append(result.Errors, err.Error()), nil
	}
	var runnable []*rubric.Case
	for _, c := range cases {
		if reasons[c.ID] == "" {
			result.addCase(c)
			runnable = append(runnable, c)
		}
	}
	result.Notes = req.notes()
	if err := s.planCases(ctx, host, req, runnable, result); err != nil {
		result.Errors = append(result.Errors, err.Error())
	}
	for _, id := range slices.Sorted(maps.Keys(reasons)) {
		result.Errors = append(result.Errors, fmt.Sprintf("`%s` is not run: %s", id, reasons[id]))
	}
	s.session.showMessage(protocol.MessageTypeInfo, result.summary())
	return result, nil
}

// planCases adds who would answer and judge the cases, and how often and at what cost.
func (s *snapshot) planCases(ctx context.Context, host Host, req runRequest, cases []*rubric.Case, p *plan) error {
	planned := &run.Plan{}
	opened, err := s.openRun(ctx, host, req, s.runnableSuite(req.doc), planned)
	if err != nil {
		return err
	}
	defer opened.Close()
	planned.AddCases(ctx, opened, slices.Values(cases), len(cases))
	p.Target, p.Judge = opened.TargetName, opened.JudgeName
	p.Questions, p.Cached, p.Cost, p.Contacts = planned.JudgeCalls+planned.Cached, planned.Cached, planned.Cost, planned.Contacts
	for _, c := range planned.NotRun {
		p.Notes = append(p.Notes, fmt.Sprintf("`%s` is not graded: %s", c.Case, c.Reason))
	}
	return nil
}

// addCase adds a case to the plan.
func (p *plan) addCase(c *rubric.Case) {
	planned := plannedCase{Case: c.ID, Graders: []plannedGrader{}}
	for _, g := range grade.GradersOf(c) {
		planned.Graders = append(planned.Graders, plannedGrader{g.Name, g.Kind, len(g.Criteria)})
		p.countPrograms(g)
	}
	p.Cases = append(p.Cases, planned)
}

func (p *plan) countPrograms(g *rubric.Grader) {
	if g.Kind == rubric.CodeJudge {
		p.Programs++
	}
	for _, m := range g.Members {
		p.countPrograms(m)
	}
}

// summary returns the plan as one line.
func (p *plan) summary() string {
	if len(p.Cases) == 0 && len(p.Errors) > 0 {
		return p.Errors[0]
	}
	line := fmt.Sprintf("%s would be answered by `%s` and judged by `%s`: %s", plural(len(p.Cases), "case"), p.Target, p.Judge, plural(p.Questions, "question"))
	if p.Programs > 0 {
		line += ", " + plural(p.Programs, "program")
	}
	for _, more := range [][]string{p.Errors, p.Notes} {
		if len(more) > 0 {
			line += "; " + more[0]
		}
	}
	if !p.Trusted {
		line += "; " + errNotTrusted.Error()
	}
	return line
}

// plural returns a count with its noun.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
