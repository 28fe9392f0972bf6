package grade

import (
	"context"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/score"
)

// gradeRubric has a judge grade the grader's criteria.
func gradeRubric(ctx context.Context, t task) Outcome {
	q := Question(t.ports.Profile, t.evalCase, t.grader, t.submission)
	out := Outcome{Criteria: t.grader.Criteria, Question: &q}
	samples, replies, err := t.askJudge(ctx, q, func(reply string) DecodedReply {
		return DecodeReply(t.ports.Profile, t.grader.Criteria, reply)
	})
	out.Replies, out.Err, out.Problems = replies, err, t.looseReplyProblems(replies)
	n := t.sampleCount()
	switch {
	case t.isAgentV():
		out.Result = t.rubricAgentV(samples, err)
	case t.ports.Profile.IsV4OrLater():
		out.Result = t.rubricAgentV4(samples, err)
	case err != nil:
		out.Result = score.Rubric(t.ports.Profile, t.grader.Criteria, ungradedGrades(t.grader.Criteria, err.Error()))
	default:
		d := t.voteOnGrades(samples, n)
		out.Result = score.Rubric(t.ports.Profile, t.grader.Criteria, d.Grades)
		out.Result.Reasoning = d.Reasoning
	}
	return out
}

// rubricAgentV makes a judge that cannot be used a score of 0, as the reference
// does. Only one that did not answer at all is ungraded too: the numbers are
// the same, and a run can tell that its judge was away.
func (t task) rubricAgentV(samples []DecodedReply, err error) score.Result {
	var usable []DecodedReply
	for _, s := range samples {
		if len(s.Problems) == 0 {
			usable = append(usable, s)
		} else if err == nil {
			err = fmt.Errorf("the reply could not be used: %s", s.Problems[0])
		}
	}
	if len(usable) == 0 {
		r := score.PlainResult(0, nil, []string{fmt.Sprintf("evaluator `%s` failed: %v", t.grader.Name, err)}, err.Error())
		if len(samples) == 0 {
			r.Ungraded = err.Error()
		}
		return r
	}
	d := t.voteOnGrades(usable, len(usable))
	r := score.Rubric(score.AgentV, t.grader.Criteria, d.Grades)
	r.Reasoning = d.Reasoning
	return r
}

// rubricAgentV4 leaves ungraded what a judge could not be brought to judge, as the
// later versions of the reference do. A reply that gives a score of its own is
// taken at its word, whatever the criteria weigh.
func (t task) rubricAgentV4(samples []DecodedReply, err error) score.Result {
	var usable, own []DecodedReply
	for _, s := range samples {
		if len(s.Problems) > 0 {
			continue
		}
		usable = append(usable, s)
		if s.Score != nil {
			own = append(own, s)
		}
	}
	switch {
	case len(usable) == 0:
		return skippedResult(samples, err)
	case len(own) > 0:
		return t.medianResult(own)
	}
	d := t.voteOnGrades(usable, len(usable))
	r := score.Rubric(t.ports.Profile, t.grader.Criteria, d.Grades)
	r.Reasoning = d.Reasoning
	return r
}

// skippedResult is the result of a judge without a usable reply; the reference lists
// that among what is amiss.
func skippedResult(samples []DecodedReply, err error) score.Result {
	reason := "no reply could be used"
	if len(samples) > 0 {
		reason += ": " + strings.Join(samples[len(samples)-1].Problems, "; ")
	} else if err != nil {
		reason = err.Error()
	}
	r := score.UngradedResult(reason)
	r.Misses = []string{reason}
	return r
}
