package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// plan says what a run would do. Making one runs nothing.
type plan struct {
	Target    string        `json:"target"`
	Judge     string        `json:"judge"`
	Trusted   bool          `json:"trusted"` // the run is allowed
	Cases     []plannedCase `json:"cases"`
	Questions int           `json:"questions"` // to the judge, if it needs no second attempt
	Programs  int           `json:"programs"`  // graders that are programs; they run only where that is allowed
	Errors    []string      `json:"errors"`    // why cases cannot run
	Notes     []string      `json:"notes,omitempty"`
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
	settings := s.RunSettings
	_, err = s.permittedHost()
	result := &plan{Target: settings.Targets[0], Judge: configOf(settings, d).judge, Trusted: err == nil, Cases: []plannedCase{}, Errors: []string{}}
	reasons, err := s.caseErrors(d, cases)
	if err != nil {
		result.Errors, cases = append(result.Errors, err.Error()), nil
	}
	var runnable []*rubric.Case
	for _, c := range cases {
		if reasons[c.ID] == "" {
			result.addCase(c, settings.Samples*len(settings.Judges))
			runnable = append(runnable, c)
		}
	}
	if t := s.evaluation(d); t != nil {
		result.Target, result.Notes = t.targetName, t.messages()
		result.Questions = t.countQuestions(ctx, runnable, settings)
	}
	for _, id := range slices.Sorted(maps.Keys(reasons)) {
		result.Errors = append(result.Errors, fmt.Sprintf("`%s` is not run: %s", id, reasons[id]))
	}
	s.session.showMessage(protocol.MessageTypeInfo, result.summary())
	return result, nil
}

// addCase adds a case to the plan.
func (p *plan) addCase(c *rubric.Case, samples int) {
	planned := plannedCase{Case: c.ID, Graders: []plannedGrader{}}
	for _, g := range grade.GradersOf(c) {
		planned.Graders = append(planned.Graders, plannedGrader{g.Name, g.Kind, len(g.Criteria)})
		p.countGrader(g, samples)
	}
	p.Cases = append(p.Cases, planned)
}

func (p *plan) countGrader(g *rubric.Grader, samples int) {
	switch g.Kind {
	case rubric.LLMJudge:
		p.Questions += samples
	case rubric.CodeJudge:
		p.Programs++
	}
	for _, m := range g.Members {
		p.countGrader(m, samples)
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
