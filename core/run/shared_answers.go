package run

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// SharedAnswers let several judges grade the same answers: the first run of the cases asks the target,
// and later ones take what it has answered. The zero value has no answers.
type SharedAnswers struct {
	mu    sync.Mutex
	given map[string][]sharedAnswer // several for a case with trials
}

type sharedAnswer struct {
	submission grade.Submission
	err        error
}

// Share makes a run use the answers. The run asks the target for those that are missing.
func (a *SharedAnswers) Share(r *Run) {
	r.WrapTargets(func(target Target) Target { return a.wrap(Timed(target, r.Clock)) })
}

func (a *SharedAnswers) wrap(target Target) Target {
	taken := map[string]int{} // by this run
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		key := answerKey(c)
		a.mu.Lock()
		n := taken[key]
		taken[key]++
		if n < len(a.given[key]) {
			answer := a.given[key][n]
			a.mu.Unlock()
			answer.submission.Shared = true
			return answer.submission, answer.err
		}
		a.mu.Unlock()
		sub, err := target(ctx, c)
		if ctx.Err() == nil {
			a.add(key, sharedAnswer{sub, err})
		}
		return sub, err
	}
}

// AddRecord adds the answer of an earlier record that r has reused, unless graders read more of an
// answer than records hold.
func (a *SharedAnswers) AddRecord(r Runner, c *rubric.Case, rec *Record) {
	if r.Profile.IsReference() {
		c = c.AsReference()
	}
	if rec.Error != "" || rec.Trials != nil || rec.HasMetrics() || c.Conversation != nil || slices.ContainsFunc(grade.GradersOf(c), r.ports().ReadsBeyondAnswer) {
		return
	}
	key := answerKey(c)
	a.mu.Lock()
	known := len(a.given[key]) > 0
	a.mu.Unlock()
	if !known {
		a.add(key, sharedAnswer{submission: grade.Submission{Answer: rec.CandidateAnswer, Trace: rec.TraceSummary, AnsweredBy: rec.AnsweredBy}})
	}
}

func (a *SharedAnswers) add(key string, answer sharedAnswer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.given == nil {
		a.given = map[string][]sharedAnswer{}
	}
	a.given[key] = append(a.given[key], answer)
}

// answerKey identifies what the target is asked. The turns of a conversation differ by their questions.
func answerKey(c *rubric.Case) string { return fmt.Sprintf("%q %q", c.ID, c.Question) }
