package grade

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/score"
)

// defaultAttempts is how often a judge is asked until its reply can be used.
const defaultAttempts = 3

var errNoJudge = errors.New("no judge was given to ask")

// askJudge puts q until the reply can be used, at most t.tries times, once for every
// sample. The error is the last one if no sample has any reply at all, or that of a
// recording without one; otherwise one without is a sample that grades nothing, and says
// why.
//
// Under the spec a judge that replied badly is told what was wrong, and one
// that could not answer is not asked again: retrying is the business of whoever
// knows why. The reference asks the very same thing again in both cases, unless
// there is no more to be asked; its later versions have the last bad reply put into form after that.
func (t task) askJudge(ctx context.Context, q judge.Question, decode func(string) DecodedReply) ([]DecodedReply, []Reply, error) {
	if t.ports.Judge == nil {
		return nil, nil, errNoJudge
	}
	var samples []DecodedReply
	var replies []Reply
	var failure error
	answered := false
	for q.Sample = range t.sampleCount() {
		d, sampleReplies, err := t.askSample(ctx, q, decode)
		replies = append(replies, sampleReplies...)
		d.sample = q.Sample
		if err != nil {
			failure = fmt.Errorf("the judge gave no answer: %w", err)
			if len(d.Problems) > 0 {
				failure = fmt.Errorf("%w; its reply before that could not be used: %s", failure, strings.Join(d.Problems, "; "))
			}
			if errors.Is(err, judge.ErrUnrecorded) { // a vote without it would not be the one that was recorded
				return nil, replies, failure
			}
			d = DecodedReply{Grades: ungradedGrades(t.grader.Criteria, failure.Error()), Problems: []string{failure.Error()}, judge: d.judge, sample: q.Sample}
		}
		answered = answered || err == nil
		samples = append(samples, d)
	}
	if !answered {
		return nil, replies, failure
	}
	return samples, replies, nil
}

func (t task) askSample(ctx context.Context, q judge.Question, decode func(string) DecodedReply) (DecodedReply, []Reply, error) {
	var d DecodedReply
	var replies []Reply
	var err error
	q.FirstUser = q.User
	q.Usable = func(reply string) bool { return len(decode(reply).Problems) == 0 }
	for q.Attempt = range t.attempts {
		var a judge.Answer
		if a, err = t.ports.Judge.Ask(ctx, q); err != nil {
			if a.Usage != (judge.Usage{}) { // it was refused or cut short, and paid for
				replies = append(replies, Reply{Answer: a, Attempt: q.Attempt, Sample: q.Sample, Problems: []string{err.Error()}})
			}
			if d.judge = a.Judge; t.isReference() && ctx.Err() == nil && !errors.Is(err, judge.ErrLimit) {
				continue
			}
			return d, replies, err
		}
		d = decode(a.Text)
		d.judge = a.Judge
		replies = append(replies, Reply{Answer: a, Attempt: q.Attempt, Sample: q.Sample, Problems: d.Problems})
		if len(d.Problems) == 0 {
			return d, replies, nil
		}
		if !t.isReference() {
			q.User = retryPrompt(q.FirstUser, d.Problems)
		}
	}
	if err != nil || !t.ports.Profile.IsV4OrLater() || t.attempts == 1 {
		return d, replies, err
	}
	q.Attempt, q.User = t.attempts, repairPrompt(replies[len(replies)-1].Text, d.Problems)
	if a, err := t.ports.Judge.Ask(ctx, q); err == nil {
		d = decode(a.Text)
		d.judge = a.Judge
		replies = append(replies, Reply{Answer: a, Attempt: q.Attempt, Sample: q.Sample, Problems: d.Problems})
	}
	return d, replies, nil
}

// looseReplyProblems names the first reply that the profile's reference accepts and the
// spec does not: its JSON does not stand alone, or has a key twice.
func (t task) looseReplyProblems(replies []Reply) []string {
	for _, r := range replies {
		if _, err := DecodeOneValue(r.Text); err != nil && t.isReference() && len(r.Problems) == 0 {
			return []string{fmt.Sprintf("profile `%s` accepts the reply of the judge, and `%s` does not: %s", t.ports.Profile, score.Spec, err)}
		}
	}
	return nil
}
