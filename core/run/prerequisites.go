package run

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// prerequisites are the cases of a run that others depend on, by id.
type prerequisites map[string]*prerequisite

// prerequisite is one such case.
type prerequisite struct {
	c      *rubric.Case  // nil until it comes, and so before what depends on it
	done   chan struct{} // closed when the case is done
	failed bool          // it was not run to its end; set before done is closed
}

// newPrerequisites returns the cases that cases of a suite depend on.
func newPrerequisites(cases []*rubric.Case) prerequisites {
	all := prerequisites{}
	for _, c := range cases {
		for _, id := range c.DependsOn {
			if all[id] == nil {
				all[id] = &prerequisite{done: make(chan struct{})}
			}
		}
	}
	return all
}

// WithDependencies returns the cases that selects accepts and those that they depend on, in the order of
// all. For the latter, neededBy has the case that depends on it, by id. AgentV refuses a selection
// without its dependencies.
func WithDependencies(all []*rubric.Case, selects func(*rubric.Case) bool) (selected []*rubric.Case, neededBy map[string]string) {
	neededBy = map[string]string{}
	byID, isSelected, open := map[string][]*rubric.Case{}, map[*rubric.Case]bool{}, []*rubric.Case(nil)
	for _, c := range all {
		byID[c.ID] = append(byID[c.ID], c)
		if selects(c) {
			isSelected[c], open = true, append(open, c)
		}
	}
	for ; len(open) > 0; open = open[1:] {
		for _, id := range open[0].DependsOn {
			for _, dep := range byID[id] {
				if !isSelected[dep] {
					isSelected[dep], neededBy[id], open = true, open[0].ID, append(open, dep)
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(c *rubric.Case) bool { return !isSelected[c] }), neededBy
}

// DependencyNotes says of the cases of [WithDependencies] why they are run.
func DependencyNotes(neededBy map[string]string) (notes []string) {
	for _, id := range slices.Sorted(maps.Keys(neededBy)) {
		notes = append(notes, fmt.Sprintf("the case `%s` is run too, because `%s` depends on it", id, neededBy[id]))
	}
	return notes
}

// order yields cases after those that they depend on. A case whose dependencies do not come, or that
// depends on itself, is yielded last.
func (p prerequisites) order(cases iter.Seq[*rubric.Case]) iter.Seq[*rubric.Case] {
	if len(p) == 0 {
		return cases
	}
	return func(yield func(*rubric.Case) bool) {
		var held []*rubric.Case
		isReady := func(c *rubric.Case) bool {
			return !slices.ContainsFunc(c.DependsOn, func(id string) bool { return p[id] != nil && p[id].c == nil })
		}
		give := func(c *rubric.Case) bool {
			if dep := p[c.ID]; dep != nil && dep.c == nil {
				dep.c = c
			}
			return yield(c)
		}
		for c := range cases {
			held = append(held, c)
			for i := slices.IndexFunc(held, isReady); i >= 0; i = slices.IndexFunc(held, isReady) {
				next := held[i]
				if held = slices.Delete(held, i, i+1); !give(next) {
					return
				}
			}
		}
		for _, c := range held {
			if !yield(c) {
				return
			}
		}
	}
}

// wait waits for the cases that c depends on. As in the reference, only those that could not be run to
// their end prevent c from running, and a low score does not.
func (p prerequisites) wait(ctx context.Context, c *rubric.Case) error {
	var failed []string
	for _, id := range c.DependsOn {
		dep := p[id]
		if dep == nil || dep.c == nil {
			return fmt.Errorf("skipped: it depends on the case `%s`, which is not run before it", id)
		}
		select {
		case <-dep.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if dep.failed && c.OnDependencyFailure != "run" {
			failed = append(failed, id)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("skipped: it depends on %s, which could not be run", diag.JoinList(diag.Backtick(failed), "and"))
	}
	return nil
}

func (p prerequisites) finish(c *rubric.Case, rec *Record) {
	if dep := p[c.ID]; dep != nil && dep.c == c {
		dep.failed = !rec.IsCompleted()
		close(dep.done)
	}
}

// IsCompleted reports whether a case was run to its end, so that those that depend on it run.
func (r *Record) IsCompleted() bool {
	return r != nil && r.Error == "" && r.Verdict != score.Ungraded && (r.Execution == nil || r.Execution.Status != "execution_error")
}

// RunAfter runs a case of a run whose cases come one by one, in the order of [InOrder]. Completed
// says of the cases before it whether they were run to their end.
func (r Runner) RunAfter(ctx context.Context, suite *rubric.Suite, c *rubric.Case, completed map[string]bool) *Record {
	before := newPrerequisites([]*rubric.Case{c})
	for id, dep := range before {
		if isCompleted, known := completed[id]; known {
			dep.c, dep.failed = c, !isCompleted
			close(dep.done)
		}
	}
	if err := before.wait(ctx, c); err != nil {
		return r.FailedRecord(ctx, suite, c, err)
	}
	return r.RunCase(ctx, suite, c, func(*GraderRecord) {})
}
