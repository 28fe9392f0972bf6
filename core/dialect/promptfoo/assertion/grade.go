package assertion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// A call is one grading: everything that an assertion may use.
type call struct {
	*Assertion
	ctx     context.Context
	ports   grade.Ports
	sub     grade.Submission
	output  string         // the reply
	limit   float64        // the threshold, or the type's default; not a number if it is none
	spec    bool           // grade as the author meant
	sample  int            // index among several independent judgements
	outcome *grade.Outcome // receives questions and replies
}

// result is what promptfoo knows of an assertion.
type result struct {
	pass     bool
	score    float64
	reason   string
	named    map[string]float64 // scores that a script gives by name
	unusable bool               // the judge gave no usable reply
}

// A refusal is the reason why an assertion is ungraded, if no judge or program has failed.
type refusal struct{ error }

func refused(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// badReply is the fault of a judge, code or pattern that cannot be used. promptfoo counts it as a fail.
type badReply struct{ error }

// holds is a result of 1 or 0, which `not-` inverts, with the reason of a failure, then without its ` [not]`.
func (c *call) holds(pass bool, failure string, args ...any) (result, error) {
	not := " not"
	if c.Inverse {
		not = ""
	}
	return verdict(pass != c.Inverse, strings.Replace(failure, " [not]", not, 1), args...)
}

// verdict is a result of 1 or 0, with the reason of a failure.
func verdict(pass bool, failure string, args ...any) (result, error) {
	if pass {
		return result{pass: true, score: 1, reason: "it holds"}, nil
	}
	return result{reason: fmt.Sprintf(failure, args...)}, nil
}

// oneText is a check of a type whose `value` is a text.
func oneText(check func(*call, string) (result, error)) func(*call) (result, error) {
	return func(c *call) (result, error) {
		text, isText := c.Value.(string)
		if !isText {
			return result{}, refused("its `value` is not a text")
		}
		return check(c, text)
	}
}

// graded is a result with a score, which passes from the threshold on. `not-` inverts both.
func (c *call) graded(value float64, what string) (result, error) {
	r := result{pass: value >= c.limit != c.Inverse, score: value}
	if c.Inverse {
		r.score = 1 - value
	}
	r.reason = fmt.Sprintf("%s is %s, the threshold is %s", what, score.FormatNumber(value), score.FormatNumber(c.limit))
	return r, nil
}

// IsGate reports whether a case fails if g fails. Weights of 0 free assertions from that; promptfoo forgets sets.
func (a *Assertion) IsGate(profile score.Profile, g *rubric.Grader) bool {
	forgotten := profile == score.Promptfoo && g.Kind == rubric.AssertSet && a.Unweighed && !a.InSet && !a.Row.Thresholds
	return g.Required || forgotten
}

// Grade grades a submission by promptfoo's rules or, under [score.Spec], as the author meant.
func (a *Assertion) Grade(ctx context.Context, ports grade.Ports, c *rubric.Case, g *rubric.Grader, sub grade.Submission) grade.Outcome {
	if g.Kind == rubric.AssertSet {
		return a.gradeSet(ctx, ports, c, g, sub)
	}
	var out grade.Outcome
	k := &call{Assertion: a, ctx: ctx, ports: ports, sub: sub, output: sub.Answer, spec: ports.Profile != score.Promptfoo, outcome: &out}
	r, err := k.sampled()
	switch {
	case err != nil:
		out.Result = score.UngradedResult(err.Error())
		if out.Err == nil && !errors.As(err, new(refusal)) {
			out.Err = err
		}
	case r.unusable && k.spec:
		out.Result = score.UngradedResult(r.reason)
	default:
		out.Result = NewResult(r.pass, r.score, r.reason, Details{Metric: a.Metric, Scores: r.named})
	}
	if out.Criteria = g.Criteria; len(g.Criteria) == 1 {
		only := score.Grade{ID: g.Criteria[0].ID, Weight: 1, Required: g.Required, Ungraded: out.Result.Ungraded}
		if only.Ungraded == "" {
			only.Satisfied, only.Reasoning = new(out.Result.Verdict == score.Pass), r.reason
		}
		out.Result.Grades = []score.Grade{only}
	}
	return out
}

// sampled grades as often as the run asks for judgements. Of several, the first with the verdict of the most stands for
// all, with the mean of the scores, or one without a usable reply if most have none.
func (c *call) sampled() (result, error) {
	var unusable, passes, fails []result
	sum := 0.0 // what is unusable has a score of 0
	for c.sample = range max(1, c.ports.Samples) {
		r, err := c.grade()
		alike := &fails
		switch {
		case err != nil, c.typ.Kind() != rubric.LLMJudge:
			return r, err
		case r.unusable:
			alike = &unusable
		case r.pass:
			alike = &passes
		}
		*alike = append(*alike, r)
		sum += r.score
	}
	usable, most := len(passes)+len(fails), fails
	if len(passes) > len(fails) {
		most = passes
	}
	if usable <= len(unusable) {
		return unusable[0], nil
	}
	most[0].score = sum / float64(usable)
	return most[0], nil
}

// grade applies what is the same for all types.
func (c *call) grade() (result, error) {
	if c.limit, _ = Number(c.Threshold); c.Threshold == nil {
		c.limit = c.typ.threshold
	}
	switch why := c.Unsupported(); {
	case why != "":
		return result{}, refused("%s", why)
	case c.Fields["transform"] != nil:
		return result{}, refused("its `transform` is code, which is not run here")
	case c.typ.Group == Text && c.Value == "":
		return result{}, refused("its `value` is empty")
	case c.spec && c.Threshold == nil && c.typ.Has(NeverFails):
		return result{}, refused("it has no `threshold`, so every answer would pass")
	case c.spec && c.Threshold != nil && math.IsNaN(c.limit):
		return result{}, refused("its `threshold` is not a number")
	}
	r, err := c.typ.check(c)
	var bad badReply
	switch {
	case errors.As(err, &bad):
		r, err = result{reason: bad.Error(), unusable: true}, nil
	case err == nil && c.typ.Has(IgnoresNot) && c.Inverse && c.spec:
		r.pass, r.score = !r.pass, 1-score.Clamp(r.score)
	}
	if c.Unweighed && !c.spec {
		r.pass = true
	}
	return r, err
}

// Number returns a number, also one that is written as a text, or NaN.
func Number(value any) (n float64, ok bool) {
	switch value.(type) {
	case float64, string:
		n = javascript.Number(value)
		return n, !math.IsNaN(n) && value != ""
	}
	return math.NaN(), false
}

func (a *Assertion) gradeSet(ctx context.Context, ports grade.Ports, c *rubric.Case, g *rubric.Grader, sub grade.Submission) grade.Outcome {
	spec := ports.Profile != score.Promptfoo
	set := *g
	set.Members = slices.DeleteFunc(slices.Clone(g.Members), func(m *rubric.Grader) bool {
		return !spec && javascript.As[*Assertion](m.DialectData).typ.Group == Comparison // promptfoo never compares these
	})
	why := a.Invalid
	switch {
	case why != "":
	case a.InSet && !spec:
		why = "promptfoo knows no set in a set"
	case len(set.Members) == 0 && spec:
		why = "it has no assertions"
	case a.Threshold != nil && g.Threshold == nil && spec:
		why = "its `threshold` is not a number"
	}
	if why != "" {
		return grade.Outcome{Result: score.UngradedResult(why)}
	}
	out, parts := grade.GradeMembers(ctx, ports, c, &set, sub)
	own := NamedScores(parts)
	own.Metric = a.Metric
	if out.Result = combine(g.Threshold, parts, own); spec {
		out.Result = score.CombineSet(ports.Profile, g.Threshold, parts)
		out.Result.Details = own.orNil()
	}
	return out
}

// combine combines the members of a set like the assertions of a test. The last one that fails gives the reason.
func combine(threshold *float64, parts []score.WeightedResult, details Details) score.Result {
	r := result{pass: true, score: score.PlainMean(parts)}
	for _, p := range parts {
		switch {
		case p.Result.Ungraded != "":
			return score.UngradedResult("`" + p.Name + "` is ungraded: " + p.Result.Ungraded)
		case p.Result.Verdict == score.Fail:
			r.reason = cmp.Or(p.Result.Reasoning, strings.Join(p.Result.Misses, "; "))
		}
	}
	if r.pass = r.reason == ""; threshold != nil {
		r.pass = r.score >= *threshold
		r.reason = fmt.Sprintf("the mean is %s, at least %s is required", score.FormatNumber(r.score), score.FormatNumber(*threshold))
	}
	return NewResult(r.pass, r.score, r.reason, details)
}
