package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// CanReuseAnswer reports whether the answer in earlier, a record of c with the [RecordKey] of
// this run, suffices to grade what that record left ungraded. Then the target is not asked again.
// It does not suffice if the target gave no answer, or if a grader reads something that no record
// holds.
func (r Runner) CanReuseAnswer(earlier *Record, c *rubric.Case) bool {
	if r.Profile.IsReference() {
		c = c.AsReference()
	}
	graders, ports := grade.GradersOf(c), r.ports()
	if earlier.Trials == nil && r.canReuseConversation(earlier) {
		return true
	}
	if earlier.Trials != nil || earlier.HasMetrics() || c.Conversation != nil || len(earlier.Graders) != len(graders) {
		return false
	}
	for i, g := range graders {
		if !earlier.canReuseGrader(i, ports.NeedsJudgeOrProgram(g)) && ports.ReadsBeyondAnswer(g) {
			return false
		}
	}
	return true
}

// canReuseGrader reports whether the result of the ith grader can be reused: it graded everything,
// or it needs neither a judge nor a program. external says that the grader needs one now. When an
// earlier run was stopped, the grader may have needed one that was not reached.
func (r *Record) canReuseGrader(i int, external bool) bool {
	g := r.Graders[i]
	isOpen := g.Ungraded != "" || slices.ContainsFunc(g.Grades, func(s score.Grade) bool { return !isGraded(s) })
	return !g.Unreachable && (!external || !isOpen)
}

// judgeWithReplies returns a judge that answers from the usable replies in g before it asks j.
// Replies can be one of several samples, or belong to a member of a composite grader. Members may
// ask the same question, so each reply is used once; used records which ones were.
func (g *GraderRecord) judgeWithReplies(j judge.Judge, used map[*judge.Reply]bool) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		reply := g.findReply(q, used)
		if reply == nil {
			return j.Ask(ctx, q)
		}
		used[reply] = true
		return judge.Answer{Text: reply.Text, Judge: reply.Judge, Model: reply.Model, Usage: reply.Usage, Cached: reply.Cached}, nil
	})
}

// addUnusedReplies prepends the replies of an earlier record that were not used, because they
// were paid for.
func (g *GraderRecord) addUnusedReplies(earlier *GraderRecord, used map[*judge.Reply]bool) {
	var unused []judge.Reply
	sameRequest := g.Request != nil && earlier.Request != nil && *g.Request == *earlier.Request
	for i, r := range earlier.Replies {
		if len(r.Problems) == 0 && !sameRequest {
			r.Problems = []string{"the question has changed since"}
		}
		if !used[&earlier.Replies[i]] {
			unused = append(unused, r)
		}
	}
	g.Replies = append(unused, g.Replies...)
	for i := range min(len(g.Members), len(earlier.Members)) {
		g.Members[i].addUnusedReplies(&earlier.Members[i], used)
	}
}

// findReply returns the first usable reply to q in g and its members that was not used yet, or
// nil.
func (g *GraderRecord) findReply(q judge.Question, used map[*judge.Reply]bool) *judge.Reply {
	if g.Request != nil && *g.Request == (Request{System: q.System, User: q.User}) {
		for i := range g.Replies {
			if r := &g.Replies[i]; r.Sample == q.Sample && len(r.Problems) == 0 && !used[r] {
				return r
			}
		}
	}
	for i := range g.Members {
		if r := g.Members[i].findReply(q, used); r != nil {
			return r
		}
	}
	return nil
}

// RecordKey identifies what a record is about: the case as it was understood, the target, the
// judge and how they were asked. If a record has the key that a run would give to a case, the run
// does not need to repeat the case.
type RecordKey [16]byte

// Key returns the record's key.
func (r *Record) Key() RecordKey {
	key := fmt.Appendf(nil, "%q %q %q %q %q %q %d",
		r.Dataset, r.EvalID, r.CaseFingerprint, r.Target, r.Judge, r.Profile, max(1, r.Samples))
	if r.Prompt != "" {
		key = fmt.Appendf(key, " prompt %q %q", r.Prompt, r.PromptFingerprint)
	}
	if r.Trials != nil {
		key = fmt.Appendf(key, " %q %d", r.Trials.Strategy, r.Trials.Count)
	}
	sum := sha256.Sum256(key)
	return RecordKey(sum[:16])
}

// RecordKey returns the key of the record that the run would make of c.
func (r Runner) RecordKey(suite *rubric.Suite, c *rubric.Case) RecordKey {
	r = r.forCase(c)
	r.Profile = cmp.Or(r.Profile, score.Spec)
	rec, _ := r.newRecord(suite, c)
	return rec.Key()
}

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
