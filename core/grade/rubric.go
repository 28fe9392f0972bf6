package grade

import (
	"context"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/score"
)

// gradeRubric has a judge grade the grader's criteria.
func gradeRubric(ctx context.Context, t task) Outcome {
	q := Question(t.ports.Profile, t.c, t.g, t.sub)
	out := Outcome{Criteria: t.g.Criteria, Question: &q}
	samples, replies, err := t.ask(ctx, q, func(reply string) Decoded {
		return Decode(t.ports.Profile, t.g.Criteria, reply)
	})
	out.Replies, out.Err, out.Problems = replies, err, t.accepted(replies)
	n := t.times()
	switch {
	case t.agentv():
		out.Result = t.rubricAgentV(samples, err)
	case t.ports.Profile.Newer():
		out.Result = t.rubricNewer(samples, err)
	case err != nil:
		out.Result = score.Rubric(t.ports.Profile, t.g.Criteria, ungraded(t.g.Criteria, err.Error()))
	default:
		d := t.vote(samples, n)
		out.Result = score.Rubric(t.ports.Profile, t.g.Criteria, d.Grades)
		out.Result.Reasoning = d.Reasoning
	}
	return out
}

// rubricAgentV makes a judge that cannot be used a score of 0, as the reference
// does. Only one that did not answer at all is ungraded too: the numbers are
// the same, and a run can tell that its judge was away.
func (t task) rubricAgentV(samples []Decoded, err error) score.Result {
	var usable []Decoded
	for _, s := range samples {
		if len(s.Problems) == 0 {
			usable = append(usable, s)
		} else if err == nil {
			err = fmt.Errorf("the reply could not be used: %s", s.Problems[0])
		}
	}
	if len(usable) == 0 {
		r := score.Plain(0, nil, []string{fmt.Sprintf("evaluator `%s` failed: %v", t.g.Name, err)}, err.Error())
		if len(samples) == 0 {
			r.Ungraded = err.Error()
		}
		return r
	}
	d := t.vote(usable, len(usable))
	r := score.Rubric(score.AgentV, t.g.Criteria, d.Grades)
	r.Reasoning = d.Reasoning
	return r
}

// rubricNewer leaves ungraded what a judge could not be brought to judge, as the
// later versions of the reference do. A reply that gives a score of its own is
// taken at its word, whatever the criteria weigh.
func (t task) rubricNewer(samples []Decoded, err error) score.Result {
	var usable, own []Decoded
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
		return skipped(samples, err)
	case len(own) > 0:
		return t.median(own)
	}
	d := t.vote(usable, len(usable))
	r := score.Rubric(t.ports.Profile, t.g.Criteria, d.Grades)
	r.Reasoning = d.Reasoning
	return r
}

// skipped is the result of a judge without a usable reply; the reference lists
// that among what is amiss.
func skipped(samples []Decoded, err error) score.Result {
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
