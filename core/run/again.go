package run

import (
	"context"
	"slices"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// AnswerStands reports whether what is ungraded in an earlier record of a case, with the
// [Mark] that this run's would have, can be graded by the answer in it, so that the
// target need not be asked again. It cannot where the target did not answer, and where a
// grader looks at what no record holds.
func (r Runner) AnswerStands(was *Record, c *rubric.Case) bool {
	graders := grade.Graders(c)
	if was.Measured() || len(was.Graders) != len(graders) {
		return false
	}
	for i, g := range graders {
		if !r.stands(was, i, g) && r.ports().Beyond(g) {
			return false
		}
	}
	return true
}

// stands reports whether what an earlier run's ith grader said need not be said again: it
// asks nobody, or has graded. Who was asked when a run was stopped may not have.
func (r Runner) stands(was *Record, i int, g *rubric.Grader) bool {
	return !r.ports().Asks(g) || was.Error == "" && was.Graders[i].graded()
}

// graded reports whether the grader has judged all that it was to judge.
func (g *GraderRecord) graded() bool {
	return g.Ungraded == "" && !g.Unreachable &&
		!slices.ContainsFunc(g.Grades, func(s score.Grade) bool { return s.Ungraded != "" })
}

// again is an earlier record of a case whose answer stands, nil if there is none.
func (r Runner) again(c *rubric.Case) *Record {
	if r.Earlier == nil {
		return nil
	}
	return r.Earlier(c)
}

// kept is what an earlier run's ith grader said, if that stands.
func (r Runner) kept(was *Record, i int, g *rubric.Grader) (said GraderRecord, ok bool) {
	if was == nil || !r.stands(was, i, g) {
		return said, false
	}
	return rescored(was.Graders[i:i+1], r.Profile)[0], true // no record holds a score unrounded
}

// remembered is a judge who is not asked again what an earlier record has a usable reply
// of his to: as one of several samples, or to a member of a composite.
func (r Runner) remembered(was *Record) judge.Judge {
	if was == nil || r.Judge == nil {
		return r.Judge
	}
	type question struct {
		Request
		sample int
	}
	replies := map[question]ReplyRecord{}
	each(was.Graders, func(g *GraderRecord) {
		for _, reply := range g.Replies {
			if g.Request != nil && len(reply.Problems) == 0 {
				replies[question{*g.Request, reply.Sample}] = reply
			}
		}
	})
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		reply, ok := replies[question{Request{System: q.System, User: q.User}, q.Sample}]
		if !ok {
			return r.Judge.Ask(ctx, q)
		}
		return judge.Answer{Text: reply.Text, Judge: reply.Judge, Model: reply.Model, Usage: reply.Usage, Kept: reply.Kept}, nil
	})
}
