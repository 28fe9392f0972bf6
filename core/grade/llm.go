package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// SampleScores is the detail of a free-form judgement with several samples.
type SampleScores struct {
	Judges []string  `json:"sample_judges,omitempty"` // the panel member of each score
	Scores []float64 `json:"sample_scores"`           // 0–1, in the order asked
}

// gradeLLM asks a judge about the grader's criteria, or for a free-form score.
func gradeLLM(ctx context.Context, t task) Outcome {
	converted, err := t.convertFiles(ctx)
	if err != nil {
		out := Outcome{Result: score.UngradedResult(err.Error()), Criteria: t.grader.Criteria, Err: err}
		if len(out.Criteria) > 0 {
			out.Result = score.Rubric(t.ports.Profile, out.Criteria, ungradedGrades(out.Criteria, err.Error()))
		}
		return out
	}
	t.submission = converted
	if len(t.grader.Criteria) > 0 {
		return gradeRubric(ctx, t)
	}
	q := Question(t.ports.Profile, t.evalCase, t.grader, t.submission)
	var problems []string
	if t.grader.Prompt != nil {
		text, err := t.promptText(ctx, t.grader.Prompt)
		switch {
		case err != nil && t.isAgentV() && !errors.Is(err, errNotAllowed):
			return Outcome{Result: score.PlainResult(0, nil, []string{err.Error()}, err.Error()), Err: err}
		case err != nil:
			return Outcome{Result: score.UngradedResult(err.Error()), Err: err}
		}
		if text != "" {
			q.User, problems = FillTemplate(text, graderVariables(t.evalCase, t.grader, t.submission))
		}
	}
	out := t.judgeFreeform(ctx, q)
	out.Problems = append(problems, out.Problems...)
	return out
}

// promptText returns the text of the grader's own prompt, which a program may write.
func (t task) promptText(ctx context.Context, p *rubric.Prompt) (string, error) {
	switch {
	case len(p.Script) > 0:
	case p.IsUnread() && (p.Text == "" || !t.isReference()):
		return "", fmt.Errorf("the prompt file `%s` was not read", p.Path)
	default:
		return p.Text, nil
	}
	stdin, err := t.encodeCodeInput(p.Config)
	if err != nil {
		return "", err
	}
	stdout, err := t.runProgram(ctx, Command{Argv: p.Script, Stdin: stdin})
	if err != nil {
		return "", fmt.Errorf("the prompt's script: %w", err)
	}
	return strings.TrimSpace(stdout), nil
}

func (t task) judgeFreeform(ctx context.Context, q judge.Question) Outcome {
	out := Outcome{Question: &q}
	samples, replies, err := t.askJudge(ctx, q, nil)
	out.Replies, out.Err, out.Problems = replies, err, t.looseReplyProblems(replies)
	out.Result = t.freeformResult(samples, err)
	return out
}

// freeformResult returns the sample with the median score. In the oldest version of the reference a
// reply that is not usable is a silent 0; see [task.rubricResultAgentV] for a judge without a reply.
func (t task) freeformResult(samples []DecodedReply, err error) score.Result {
	usable := slices.DeleteFunc(slices.Clone(samples), func(d DecodedReply) bool {
		return d.Score == nil || t.isReference() && len(d.Problems) > 0
	})
	n := len(samples)
	switch {
	case t.isAgentV() && len(usable) == 0:
		r := score.PlainResult(0, nil, nil, "")
		if err != nil {
			r.Ungraded = err.Error()
		} else {
			r.Ungraded = samples[0].Ungraded
		}
		return r
	case t.ports.Profile.IsV4OrLater() && len(usable) == 0:
		r := skippedResult(samples, err)
		if t.grader.IsFallback && !errors.Is(err, errNoJudge) {
			r = score.PlainResult(0, nil, r.Misses, "") // the reference does not notice that its own judge failed
		}
		return r
	case err != nil:
		return score.UngradedResult(err.Error())
	case 2*len(usable) <= n && !t.isReference():
		reason := "the reply is unusable"
		if n > 1 {
			reason = fmt.Sprintf("only %d of %d samples graded it", len(usable), n)
		}
		without := slices.IndexFunc(samples, func(d DecodedReply) bool { return d.Score == nil })
		declined := samples[without].Ungraded
		if n == 1 && declined != "" {
			return score.UngradedResult(declined)
		}
		return score.UngradedResult(reason + ": " + cmp.Or(declined, strings.Join(samples[without].Problems, "; ")))
	}
	return t.medianResult(usable, n)
}

// medianResult returns the result of the sample with the median score, the lower one of two. n is the
// number of all samples.
func (t task) medianResult(usable []DecodedReply, n int) score.Result {
	var scores []float64
	var judges []string
	for _, d := range usable {
		scores = append(scores, *d.Score)
		if d.judge != "" {
			judges = append(judges, d.judge)
		}
	}
	sorted := slices.Sorted(slices.Values(scores))
	median := sorted[(len(sorted)-1)/2]
	d := usable[slices.Index(scores, median)]
	r := d.ownResult()
	if least := t.leastOwnScore(); least != nil && d.Pass != nil && median < *least {
		if r.Verdict = score.Fail; d.isBare {
			r.Hits, r.Misses = []string{}, append(r.Misses, r.Hits...)
		}
	}
	if n > 1 {
		r.Details = SampleScores{Scores: scores, Judges: judges}
		if len(usable) < n {
			r.Reasoning = fmt.Sprintf("(only %d of %d samples graded it) %s", len(usable), n, r.Reasoning)
		}
	}
	return r
}

// leastOwnScore returns the score that a reply with its own verdict needs to pass, or nil.
func (t task) leastOwnScore() *float64 {
	if least, ok := generic.OrZero(t.grader.Assert).Config["threshold"].(float64); ok {
		return &least
	}
	return t.grader.MinScore
}

var errNoJudge = errors.New("no judge is configured")

// askJudge asks q for every sample until the reply is usable, at most t.attempts times. It returns
// an error only if no sample has a reply, or if a recording lacks one. Otherwise a sample without a
// reply is ungraded, with the reason.
func (t task) askJudge(ctx context.Context, q judge.Question, criteria []*rubric.Criterion) ([]DecodedReply, []judge.Reply, error) {
	if t.ports = t.ports.ForGrader(t.grader); t.ports.Judge == nil {
		return nil, nil, errNoJudge
	}
	var samples []DecodedReply
	var replies []judge.Reply
	var failure error
	answered := false
	for q.Sample = range t.sampleCount() {
		d, sampleReplies, err := t.askSample(ctx, q, criteria)
		replies = append(replies, sampleReplies...)
		d.sample = q.Sample
		if err != nil {
			if failure = err; len(d.Problems) > 0 {
				failure = fmt.Errorf("%w; its previous reply is unusable: %s", failure, strings.Join(d.Problems, "; "))
			}
			if errors.Is(err, judge.ErrUnrecorded) { // a vote without it would differ from the recorded one
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

// askSample asks q for one sample. The reference's later versions finally ask for an unusable reply in the right
// form.
func (t task) askSample(ctx context.Context, q judge.Question, criteria []*rubric.Criterion) (d DecodedReply, replies []judge.Reply, err error) {
	read := func(a *judge.Answer) []string {
		d = DecodeReply(t.ports.Profile, criteria, a.Text)
		return d.Problems
	}
	q.Usable = func(reply string) bool { return len(DecodeReply(t.ports.Profile, criteria, reply).Problems) == 0 }
	a, replies, err := t.ports.AskUntilUsable(ctx, q, t.attempts, read)
	if d.judge = a.Judge; err != nil || len(d.Problems) == 0 || !t.ports.Profile.IsV4OrLater() || t.attempts == 1 {
		return d, replies, err
	}
	q.FirstUser, q.Attempt, q.User = q.User, t.attempts, repairPrompt(replies[len(replies)-1].Text, d.Problems)
	if a, err := t.ports.Judge.Ask(ctx, q); err == nil {
		replies = append(replies, a.ReplyTo(q, read(&a)))
		d.judge = a.Judge
	}
	return d, replies, nil
}

// looseReplyProblems reports the first reply that the profile's reference accepts and the spec
// rejects: its JSON has text around it, or a key twice.
func (t task) looseReplyProblems(replies []judge.Reply) []string {
	if !t.isReference() {
		return nil
	}
	for _, r := range replies {
		if _, err := DecodeOneValue(r.Text); err != nil && len(r.Problems) == 0 {
			return []string{fmt.Sprintf("profile `%s` accepts the reply of the judge, and `%s` does not: %s", t.ports.Profile, score.Spec, err)}
		}
	}
	return nil
}
