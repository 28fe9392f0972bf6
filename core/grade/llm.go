package grade

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// SampleScores is the detail of a free-form judgement that was asked for more than
// once.
type SampleScores struct {
	Judges []string  `json:"sample_judges,omitempty"` // of a panel, whose score each is
	Scores []float64 `json:"sample_scores"`           // 0–1, in the order asked
}

// gradeLLM asks a judge: about the grader's criteria, or for a free-form score.
func gradeLLM(ctx context.Context, t task) Outcome {
	if len(t.grader.Criteria) > 0 {
		return gradeRubric(ctx, t)
	}
	q := Question(t.ports.Profile, t.evalCase, t.grader, t.submission)
	var problems []string
	if t.grader.Prompt != nil {
		text, err := t.promptText(ctx, t.grader.Prompt)
		if err != nil {
			return Outcome{Result: t.promptFailure(err), Err: err}
		}
		if text != "" {
			q.User, problems = fillPrompt(text, graderVariables(t.evalCase, t.grader, t.submission))
		}
	}
	out := t.judgeFreeform(ctx, q)
	out.Problems = append(problems, out.Problems...)
	return out
}

// fillPrompt is a prompt with its variables filled in, and what is odd about it.
func fillPrompt(prompt string, values map[string]string) (text string, problems []string) {
	text, unknown := fillTemplate(prompt, values)
	for _, name := range unknown {
		problems = append(problems, fmt.Sprintf("the prompt's `{{ %s }}` is no variable and stays as it is", name))
	}
	return text, problems
}

// promptText is the text of the grader's own prompt; a program may write it.
func (t task) promptText(ctx context.Context, p *rubric.Prompt) (string, error) {
	switch {
	case len(p.Script) > 0:
	case p.Text == "" && p.Path != "":
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

func (t task) promptFailure(err error) score.Result {
	if t.isAgentV() && !errors.Is(err, errNotAllowed) {
		return score.PlainResult(0, nil, []string{err.Error()}, err.Error())
	}
	return score.UngradedResult(err.Error())
}

// judgeFreeform asks for a score of 0 to 1 with hits and misses.
func (t task) judgeFreeform(ctx context.Context, q judge.Question) Outcome {
	out := Outcome{Question: &q}
	samples, replies, err := t.askJudge(ctx, q, func(reply string) DecodedReply { return DecodeReply(t.ports.Profile, nil, reply) })
	out.Replies, out.Err, out.Problems = replies, err, t.looseReplyProblems(replies)
	out.Result = t.freeformResult(samples, err)
	return out
}

// freeformResult is the sample with the median score. Under the reference's profile
// no usable reply is a silent 0; see [task.rubricAgentV] for no reply at all.
func (t task) freeformResult(samples []DecodedReply, err error) score.Result {
	usable := slices.DeleteFunc(slices.Clone(samples), func(d DecodedReply) bool {
		return d.Score == nil || t.isReference() && len(d.Problems) > 0
	})
	n := t.sampleCount()
	switch {
	case t.isAgentV() && len(usable) == 0:
		r := score.PlainResult(0, nil, nil, "")
		if err != nil {
			r.Ungraded = err.Error()
		}
		return r
	case t.ports.Profile.IsV4OrLater() && len(usable) == 0:
		return skippedResult(samples, err)
	case err != nil:
		return score.UngradedResult(err.Error())
	case 2*len(usable) <= n && !t.isReference():
		reason := "the reply could not be used"
		if n > 1 {
			reason = fmt.Sprintf("only %d of %d samples graded it", len(usable), n)
		}
		without := slices.IndexFunc(samples, func(d DecodedReply) bool { return d.Score == nil })
		return score.UngradedResult(reason + ": " + strings.Join(samples[without].Problems, "; "))
	}
	return t.medianResult(usable)
}

// medianResult is the result of the sample with the median score, of two the lower.
func (t task) medianResult(usable []DecodedReply) score.Result {
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
	if t.grader.MinScore != nil && d.Pass != nil && median < *t.grader.MinScore {
		r.Verdict = score.Fail
	}
	if n := t.sampleCount(); n > 1 {
		r.Details = SampleScores{Scores: scores, Judges: judges}
		if len(usable) < n {
			r.Reasoning = fmt.Sprintf("(only %d of %d samples graded it) %s", len(usable), n, r.Reasoning)
		}
	}
	return r
}
