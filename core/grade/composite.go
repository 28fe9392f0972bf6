package grade

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

const (
	// resultsVariable stands for the members' results in an aggregator's prompt.
	resultsVariable = "EVALUATOR_RESULTS_JSON"

	combineForm = "Several graders have looked at one submission. Weigh their results into one:\n\n" +
		"{{" + resultsVariable + "}}\n"
)

// gradeComposite grades by several graders and combines what they say.
//
// By the rules a member's failed gate fails the composite, and a member that is
// ungraded leaves it ungraded, however they are combined; only where members are
// counted a failed gate is a member that does not pass. The oldest version of the
// reference strips a member of its settings, so that one with a rubric is a
// free-form judge.
func gradeComposite(ctx context.Context, t task) Outcome {
	how := rubric.Aggregator{Type: "weighted_average"}
	if t.g.Combine != nil {
		how = *t.g.Combine
	}
	out, parts := t.members(ctx, func(g *rubric.Grader) float64 {
		if w, ok := how.Weights[g.Name]; ok {
			return w
		}
		return 1
	})
	out.Combine = how.Type
	switch how.Type {
	case "threshold":
		share := 1.0
		if how.Threshold != nil {
			share = *how.Threshold
		}
		out.Result = score.Count(t.ports.Profile, share, parts)
		return out
	case "code_judge":
		t.combineByCode(ctx, how, parts, &out)
	case "llm_judge":
		t.combineByJudge(ctx, how, parts, &out)
	default:
		out.Result = score.Combine(t.ports.Profile, parts)
	}
	if !t.reference() {
		keepGates(&out.Result, score.Combine(score.Spec, parts))
	}
	return out
}

// keepGates holds a combined result to the members' gates, and to what of them
// is ungraded.
func keepGates(r *score.Result, members score.Result) {
	r.Gates = members.Gates
	if r.Ungraded == "" {
		r.Ungraded = members.Ungraded
	}
	if r.Ungraded != "" || slices.ContainsFunc(r.Gates, func(g score.Gate) bool { return !g.Met }) {
		r.Verdict = score.Fail
	}
}

// combiner is the program that combines what members say.
func combiner(how rubric.Aggregator) []string { return []string{"sh", "-lc", how.Path} }

func (t task) combineByCode(ctx context.Context, how rubric.Aggregator, parts []score.Weighted, out *Outcome) {
	stdin := bytes.Join([][]byte{[]byte(`{"results":`), results(parts), []byte(`}`)}, nil)
	stdout, err := t.run(ctx, Command{Argv: combiner(how), Dir: how.Dir, Stdin: stdin})
	if err != nil {
		broken := t.broken(err)
		out.Result, out.Err = broken.Result, broken.Err
		return
	}
	out.Result = t.combined(stdout)
	var said struct {
		Verdict score.Verdict `json:"verdict"`
	}
	if json.Unmarshal([]byte(stdout), &said) == nil && out.Result.Ungraded == "" &&
		slices.Contains([]score.Verdict{score.Pass, score.Borderline, score.Fail}, said.Verdict) {
		out.Result.Verdict = said.Verdict
	}
}

// combined reads what a combining program printed; the newer dialects' programs
// print findings as a script of release 4 does, and always a score.
func (t task) combined(stdout string) score.Result {
	value, err := t.parse(stdout)
	said, ok := value.(map[string]any)
	if t.g.Assert == nil || err != nil || !ok {
		return t.verdictOf(stdout)
	}
	if !t.reference() {
		return t.scriptResult(said, score.Spec)
	}
	if _, scored := said["score"].(float64); !scored {
		said["score"] = 0.0
	}
	return t.scriptResult(said, score.AgentV4)
}

func (t task) combineByJudge(ctx context.Context, how rubric.Aggregator, parts []score.Weighted, out *Outcome) {
	template := how.Prompt
	if template == "" {
		template = combineForm
	}
	values := variables(t.c, t.sub)
	values[resultsVariable] = string(results(parts))
	q := Question(t.ports.Profile, t.c, &rubric.Grader{}, t.sub)
	q.User, out.Problems = fillIn(template, values)
	if t.reference() {
		t.tries = 1 // the reference takes what it gets
	}
	judged := t.judgeFreely(ctx, q)
	out.Result, out.Question, out.Replies = judged.Result, judged.Question, judged.Replies
	out.Problems = append(out.Problems, judged.Problems...)
	if judged.Err != nil {
		out.Err = judged.Err
	}
	if t.ports.Profile.Newer() && out.Result.Ungraded != "" {
		out.Result = score.Plain(0, nil, []string{out.Result.Ungraded}, "")
	}
}

// results are the members' results as one JSON object, in the members' order.
func results(parts []score.Weighted) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  " + pretty(p.Name) + ": " + indent(pretty(p.Result), "  "))
	}
	b.WriteString("\n}")
	return b.Bytes()
}
