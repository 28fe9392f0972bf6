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
	graders, ports := grade.Graders(c), r.ports()
	if was.Measured() || len(was.Graders) != len(graders) {
		return false
	}
	for i, g := range graders {
		if !was.stands(i, ports.Asks(g)) && ports.Beyond(g) {
			return false
		}
	}
	return true
}

// again is an earlier record of a case whose answer stands, nil if there is none.
func (r *Runner) again(c *rubric.Case) *Record {
	if r.Earlier == nil {
		return nil
	}
	return r.Earlier(c)
}

// stands reports whether what the ith grader said need not be said again: it asks nobody,
// or has graded. One that asks nobody any more may have been asking when a run was stopped.
func (r *Record) stands(i int, asks bool) bool {
	return !asks && !r.Graders[i].Unreachable || r.Graders[i].graded()
}

// graded reports whether the grader has judged all that it was to judge.
func (g *GraderRecord) graded() bool {
	return g.Ungraded == "" && !g.Unreachable &&
		!slices.ContainsFunc(g.Grades, func(s score.Grade) bool { return s.Ungraded != "" })
}

// remembered is a judge who is not asked again what the grader's record has a usable reply
// of his to: as one of several samples, or to a member of a composite. Members may ask the
// same: each reply is one opinion, and given once.
func (g *GraderRecord) remembered(j judge.Judge, given map[*ReplyRecord]bool) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		said := g.reply(q, given)
		if said == nil {
			return j.Ask(ctx, q)
		}
		given[said] = true
		return judge.Answer{Text: said.Text, Judge: said.Judge, Model: said.Model, Usage: said.Usage, Kept: said.Kept}, nil
	})
}

// heard takes in the replies of an earlier record that were not given again: they were
// paid for.
func (g *GraderRecord) heard(was *GraderRecord, given map[*ReplyRecord]bool) {
	var rest []ReplyRecord
	same := g.Request != nil && was.Request != nil && *g.Request == *was.Request
	for i, r := range was.Replies {
		if len(r.Problems) == 0 && !same {
			r.Problems = []string{"what was asked has changed since"}
		}
		if !given[&was.Replies[i]] {
			rest = append(rest, r)
		}
	}
	g.Replies = append(rest, g.Replies...)
	for i := range min(len(g.Members), len(was.Members)) {
		g.Members[i].heard(&was.Members[i], given)
	}
}

// reply is the first usable one to a question, of the members too, that was not given.
func (g *GraderRecord) reply(q judge.Question, given map[*ReplyRecord]bool) *ReplyRecord {
	if g.Request != nil && *g.Request == (Request{System: q.System, User: q.User}) {
		for i := range g.Replies {
			if r := &g.Replies[i]; r.Sample == q.Sample && len(r.Problems) == 0 && !given[r] {
				return r
			}
		}
	}
	for i := range g.Members {
		if r := g.Members[i].reply(q, given); r != nil {
			return r
		}
	}
	return nil
}
