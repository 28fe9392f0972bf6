package api

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

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
	if isMeasured(d.Analysis) {
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
