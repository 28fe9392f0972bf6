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

// Samples is the detail of a free-form judgement that was asked for more than
// once.
type Samples struct {
	Judges []string  `json:"sample_judges,omitempty"` // of a panel, whose score each is
	Scores []float64 `json:"sample_scores"`           // 0–1, in the order asked
}

// gradeLLM asks a judge: about the grader's criteria, or for a free-form score.
func gradeLLM(ctx context.Context, t task) Outcome {
	if len(t.g.Criteria) > 0 {
		return gradeRubric(ctx, t)
	}
	q := Question(t.ports.Profile, t.c, t.g, t.sub)
	var problems []string
	if t.g.Prompt != nil {
		text, err := t.prompt(ctx, t.g.Prompt)
		if err != nil {
			return Outcome{Result: t.noPrompt(err), Err: err}
		}
		if text != "" {
			q.User, problems = fillIn(text, graderVariables(t.c, t.g, t.sub))
		}
	}
	out := t.judgeFreely(ctx, q)
	out.Problems = append(problems, out.Problems...)
	return out
}

// fillIn is a prompt with its variables filled in, and what is odd about it.
func fillIn(prompt string, values map[string]string) (text string, problems []string) {
	text, unknown := fill(prompt, values)
	for _, name := range unknown {
		problems = append(problems, fmt.Sprintf("the prompt's `{{ %s }}` is no variable and stays as it is", name))
	}
	return text, problems
}

// prompt is the text of the grader's own prompt; a program may write it.
func (t task) prompt(ctx context.Context, p *rubric.Prompt) (string, error) {
	switch {
	case len(p.Script) > 0:
	case p.Text == "" && p.Path != "":
		return "", fmt.Errorf("the prompt file `%s` was not read", p.Path)
	default:
		return p.Text, nil
	}
	stdin, err := t.payload(p.Config)
	if err != nil {
		return "", err
	}
	stdout, err := t.run(ctx, Command{Argv: p.Script, Stdin: stdin})
	if err != nil {
		return "", fmt.Errorf("the prompt's script: %w", err)
	}
	return strings.TrimSpace(stdout), nil
}

func (t task) noPrompt(err error) score.Result {
	if t.agentv() && !errors.Is(err, errNotAllowed) {
		return score.Plain(0, nil, []string{err.Error()}, err.Error())
	}
	return score.UngradedResult(err.Error())
}

// judgeFreely asks for a score of 0 to 1 with hits and misses.
func (t task) judgeFreely(ctx context.Context, q judge.Question) Outcome {
	out := Outcome{Question: &q}
	samples, replies, err := t.ask(ctx, q, func(reply string) Decoded { return Decode(t.ports.Profile, nil, reply) })
	out.Replies, out.Err, out.Problems = replies, err, t.accepted(replies)
	out.Result = t.freeform(samples, err)
	return out
}

// freeform is the sample with the median score. Under the reference's profile
// no usable reply is a silent 0; see [task.rubricAgentV] for no reply at all.
func (t task) freeform(samples []Decoded, err error) score.Result {
	usable := slices.DeleteFunc(slices.Clone(samples), func(d Decoded) bool {
		return d.Score == nil || t.reference() && len(d.Problems) > 0
	})
	n := t.times()
	switch {
	case t.agentv() && len(usable) == 0:
		r := score.Plain(0, nil, nil, "")
		if err != nil {
			r.Ungraded = err.Error()
		}
		return r
	case t.ports.Profile.Newer() && len(usable) == 0:
		return skipped(samples, err)
	case err != nil:
		return score.UngradedResult(err.Error())
	case 2*len(usable) <= n && !t.reference():
		reason := "the reply could not be used"
		if n > 1 {
			reason = fmt.Sprintf("only %d of %d samples graded it", len(usable), n)
		}
		without := slices.IndexFunc(samples, func(d Decoded) bool { return d.Score == nil })
		return score.UngradedResult(reason + ": " + strings.Join(samples[without].Problems, "; "))
	}
	return t.median(usable)
}

// median is the result of the sample with the median score, of two the lower.
func (t task) median(usable []Decoded) score.Result {
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
	r := d.own()
	if t.g.MinScore != nil && d.Pass != nil && median < *t.g.MinScore {
		r.Verdict = score.Fail
	}
	if n := t.times(); n > 1 {
		r.Details = Samples{Scores: scores, Judges: judges}
		if len(usable) < n {
			r.Reasoning = fmt.Sprintf("(only %d of %d samples graded it) %s", len(usable), n, r.Reasoning)
		}
	}
	return r
}
