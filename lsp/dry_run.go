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

// plan is what a run would do; nothing of it is done.
type plan struct {
	Target    string    `json:"target"`
	Judge     string    `json:"judge"`
	Trusted   bool      `json:"trusted"` // whether it could be run
	Cases     []planned `json:"cases"`
	Questions int       `json:"questions"` // to the judge, if every reply can be used
	Programs  int       `json:"programs"`  // that files name as graders; run only where that is allowed
	Errors    []string  `json:"errors"`    // what keeps cases from being run
	Notes     []string  `json:"notes,omitempty"`
}

// planned is what a run would do for one case.
type planned struct {
	Case    string        `json:"case"`
	Graders []plannedPart `json:"graders"`
}

// plannedPart is what a run would do for one grader.
type plannedPart struct {
	Name     string      `json:"name"`
	Type     rubric.Kind `json:"type"`
	Criteria int         `json:"criteria,omitzero"`
}

// dryRun answers what a run of a file or a case would do, and shows it in a line.
func dryRun(ctx context.Context, at *Snapshot, p *target) (*plan, error) {
	d, err := at.file(p.URI)
	if err != nil {
		return nil, err
	}
	cases, err := d.chosenIn(at.suite(d), p.Case, false)
	if err != nil {
		return nil, err
	}
	way := at.Running
	_, err = at.allowed()
	made := &plan{Target: way.Target, Judge: way.Judge, Trusted: err == nil, Cases: []planned{}, Errors: []string{}}
	why, err := at.faults(d, cases)
	if err != nil {
		made.Errors, cases = append(made.Errors, err.Error()), nil
	}
	var left []*rubric.Case
	for _, c := range cases {
		if why[c.ID] == "" {
			made.add(c, way.Samples)
			left = append(left, c)
		}
	}
	if t := at.trial(d); t != nil {
		made.Target, made.Notes = t.speaker, t.said()
		made.Questions = t.questions(ctx, left, way)
	}
	for _, id := range slices.Sorted(maps.Keys(why)) {
		made.Errors = append(made.Errors, fmt.Sprintf("`%s` is not run: %s", id, why[id]))
	}
	at.session.show(protocol.MessageTypeInfo, made.line())
	return made, nil
}

// add adds a case to the plan.
func (p *plan) add(c *rubric.Case, samples int) {
	one := planned{Case: c.ID, Graders: []plannedPart{}}
	for _, g := range grade.Graders(c) {
		one.Graders = append(one.Graders, plannedPart{g.Name, g.Kind, len(g.Criteria)})
		p.count(g, samples)
	}
	p.Cases = append(p.Cases, one)
}

func (p *plan) count(g *rubric.Grader, samples int) {
	switch g.Kind {
	case rubric.LLMJudge:
		p.Questions += samples
	case rubric.CodeJudge:
		p.Programs++
	}
	for _, m := range g.Members {
		p.count(m, samples)
	}
}

// line is the plan in one line.
func (p *plan) line() string {
	if len(p.Cases) == 0 && len(p.Errors) > 0 {
		return p.Errors[0]
	}
	said := fmt.Sprintf("%s would be answered by `%s` and judged by `%s`: %s", counted(len(p.Cases), "case"), p.Target, p.Judge, counted(p.Questions, "question"))
	if p.Programs > 0 {
		said += ", " + counted(p.Programs, "program")
	}
	for _, more := range [][]string{p.Errors, p.Notes} {
		if len(more) > 0 {
			said += "; " + more[0]
		}
	}
	if !p.Trusted {
		said += "; " + errNotTrusted.Error()
	}
	return said
}

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
