package run

import (
	"context"
	"slices"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// CanReuseAnswer reports whether what is ungraded in an earlier record of a case, with the
// [Mark] that this run's would have, can be graded by the answer in it, so that the
// target need not be asked again. It cannot where the target did not answer, and where a
// grader looks at what no record holds.
func (r Runner) CanReuseAnswer(earlier *Record, c *rubric.Case) bool {
	graders, ports := grade.GradersOf(c), r.ports()
	if earlier.HasMetrics() || len(earlier.Graders) != len(graders) {
		return false
	}
	for i, g := range graders {
		if !earlier.canReuseGrader(i, ports.NeedsJudgeOrProgram(g)) && ports.ReadsBeyondAnswer(g) {
			return false
		}
	}
	return true
}

// earlierRecord is an earlier record of a case whose answer stands, nil if there is none.
func (r *Runner) earlierRecord(c *rubric.Case) *Record {
	if r.Earlier == nil {
		return nil
	}
	return r.Earlier(c)
}

// canReuseGrader reports whether what the ith grader said need not be said again: it asks nobody,
// or has graded. One that asks nobody any more may have been asking when a run was stopped.
func (r *Record) canReuseGrader(i int, asksJudge bool) bool {
	return !asksJudge && !r.Graders[i].Unreachable || r.Graders[i].isGraded()
}

// isGraded reports whether the grader has judged all that it was to judge.
func (g *GraderRecord) isGraded() bool {
	return g.Ungraded == "" && !g.Unreachable &&
		!slices.ContainsFunc(g.Grades, func(s score.Grade) bool { return s.Ungraded != "" })
}

// judgeWithReplies is a judge who is not asked again what the grader's record has a usable reply
// of his to: as one of several samples, or to a member of a composite. Members may ask the
// same: each reply is one opinion, and given once.
func (g *GraderRecord) judgeWithReplies(j judge.Judge, used map[*ReplyRecord]bool) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		reply := g.findReply(q, used)
		if reply == nil {
			return j.Ask(ctx, q)
		}
		used[reply] = true
		return judge.Answer{Text: reply.Text, Judge: reply.Judge, Model: reply.Model, Usage: reply.Usage, Cached: reply.Cached}, nil
	})
}

// addUnusedReplies takes in the replies of an earlier record that were not given again: they were
// paid for.
func (g *GraderRecord) addUnusedReplies(earlier *GraderRecord, used map[*ReplyRecord]bool) {
	var unused []ReplyRecord
	sameRequest := g.Request != nil && earlier.Request != nil && *g.Request == *earlier.Request
	for i, r := range earlier.Replies {
		if len(r.Problems) == 0 && !sameRequest {
			r.Problems = []string{"what was asked has changed since"}
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

// findReply is the first usable one to a question, of the members too, that was not given.
func (g *GraderRecord) findReply(q judge.Question, used map[*ReplyRecord]bool) *ReplyRecord {
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
