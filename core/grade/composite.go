package grade

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

const (
	// resultsVariable is the variable for the members' results in an aggregator's prompt.
	resultsVariable = "EVALUATOR_RESULTS_JSON"

	combinePrompt = "Several graders have looked at one submission. Weigh their results into one:\n\n" +
		"{{" + resultsVariable + "}}\n"
)

// gradeComposite grades by several graders and combines their results.
//
// By the rules a member's failed gate fails the composite, and an ungraded member leaves it
// ungraded, however they are combined. Only when passes are counted, a failed gate is just a member
// that does not pass. The oldest version of the reference strips members of their settings: one
// with a rubric becomes a free-form judge.
func gradeComposite(ctx context.Context, t task) Outcome {
	combine := rubric.Aggregator{Type: "weighted_average"}
	if t.grader.Combine != nil {
		combine = *t.grader.Combine
	}
	out, parts := t.gradeMembers(ctx)
	out.Combine = combine.Type
	if out.isUnusable {
		return out
	}
	switch combine.Type {
	case "threshold":
		share := 1.0
		if combine.Threshold != nil {
			share = *combine.Threshold
		}
		out.Result = score.CombineByCount(t.ports.Profile, share, parts)
		return out
	case "code_judge":
		t.combineByCode(ctx, combine, parts, &out)
	case "llm_judge":
		t.combineByJudge(ctx, combine, parts, &out)
	default:
		out.Result = score.Combine(t.ports.Profile, nil, parts)
	}
	if !t.isReference() {
		applyMemberGates(&out.Result, score.Combine(score.Spec, nil, parts))
	}
	return out
}

// applyMemberGates applies the members' gates and ungraded reasons to a combined result.
func applyMemberGates(r *score.Result, members score.Result) {
	r.Gates = members.Gates
	r.Ungraded = cmp.Or(r.Ungraded, members.Ungraded)
	switch {
	case slices.ContainsFunc(r.Gates, score.Gate.Failed):
		r.SetVerdict(score.Fail)
	case r.Ungraded != "":
		r.SetVerdict(score.Ungraded)
	}
}

func combinerArgv(combine rubric.Aggregator) []string { return []string{"sh", "-lc", combine.Path} }

func (t task) combineByCode(ctx context.Context, combine rubric.Aggregator, parts []score.WeightedResult, out *Outcome) {
	stdin := []byte(`{"results":` + t.encodeResults(parts) + `}`)
	stdout, err := t.runProgram(ctx, Command{Argv: combinerArgv(combine), Dir: combine.Dir, Stdin: stdin})
	if err != nil {
		broken := t.programFailure(err)
		out.Result, out.Err = broken.Result, broken.Err
		return
	}
	out.Result = t.parseCombined(stdout)
	var output struct {
		Verdict score.Verdict `json:"verdict"`
	}
	if json.Unmarshal([]byte(stdout), &output) == nil && out.Result.Ungraded == "" &&
		slices.Contains([]score.Verdict{score.Pass, score.Borderline, score.Fail}, output.Verdict) {
		out.Result.Verdict = output.Verdict
	}
}

// parseCombined reads the output of a combining program. In the later dialects it prints findings
// like a script of release 4, and always a score.
func (t task) parseCombined(stdout string) score.Result {
	value, err := t.parseOutput(stdout)
	output, ok := value.(map[string]any)
	if t.grader.Assert == nil || err != nil || !ok {
		return t.parseCodeResult(stdout)
	}
	if !t.isReference() {
		return t.scriptResult(output, score.Spec)
	}
	if _, scored := output["score"].(float64); !scored {
		output["score"] = 0.0
	}
	return t.scriptResult(output, score.AgentV4)
}

func (t task) combineByJudge(ctx context.Context, combine rubric.Aggregator, parts []score.WeightedResult, out *Outcome) {
	template := combine.Prompt
	if rubric.LooksLikeFile(template) && !t.isReference() {
		out.Err = fmt.Errorf("the prompt file `%s` was not read", template)
		out.Result = score.UngradedResult(out.Err.Error())
		return
	}
	values := caseVariables(t.evalCase, t.submission)
	values[resultsVariable] = t.encodeResults(parts)
	q := Question(t.ports.Profile, t.evalCase, &rubric.Grader{}, t.submission)
	q.User, out.Problems = FillTemplate(cmp.Or(template, combinePrompt), values)
	if t.isReference() {
		t.attempts = 1 // the reference does not retry here
	}
	judged := t.judgeFreeform(ctx, q)
	out.Result, out.Question, out.Replies = judged.Result, judged.Question, judged.Replies
	out.Problems = append(out.Problems, judged.Problems...)
	out.Err = cmp.Or(judged.Err, out.Err)
	if t.ports.Profile.IsV4OrLater() && out.Result.Ungraded != "" {
		out.Result = score.PlainResult(0, nil, []string{out.Result.Ungraded}, "")
	}
}

// encodeResults encodes the members' results as one JSON object, in the members' order. The
// reference gives a member that it skips a score of 0.
func (t task) encodeResults(parts []score.WeightedResult) string {
	var members []string
	for _, p := range parts {
		if p.Result.Score == nil && t.isReference() {
			p.Result.Score = new(0.0)
		}
		members = append(members, "\n  "+IndentJSON(p.Name)+": "+indent(IndentJSON(p.Result), "  "))
	}
	return "{" + strings.Join(members, ",") + "\n}"
}

func gradeSet(ctx context.Context, t task) Outcome {
	if len(t.grader.Members) == 0 {
		return Outcome{Result: score.UngradedResult("it has no members")}
	}
	out, parts := t.gradeMembers(ctx)
	out.Combine = string(rubric.AssertSet)
	if out.isUnusable {
		return out
	}
	out.Result = score.CombineSet(t.ports.Profile, t.grader.Threshold, parts)
	return out
}

// gradeTurn grades a turn, or a whole conversation, as a case with the members as its graders. A
// turn without members is graded by nothing.
func gradeTurn(ctx context.Context, t task) Outcome {
	out, parts := t.gradeMembers(ctx)
	out.Result = score.CombineTurn(t.ports.Profile, t.evalCase.PassAt(t.isReference()), parts)
	return out
}

func (t task) gradeMembers(ctx context.Context) (Outcome, []score.WeightedResult) {
	var out Outcome
	parts := make([]score.WeightedResult, len(t.grader.Members))
	for i, g := range t.grader.Members {
		m := Grade(ctx, t.ports, t.evalCase, t.withoutSettings(g), t.submission)
		m.Weight = t.grader.MemberWeight(g)
		parts[i] = score.WeightedResult{Name: m.Name, Weight: m.Weight, Result: m.Result}
		out.Members = append(out.Members, m)
		out.Err = cmp.Or(out.Err, m.Err)
		if m.isUnusable && t.isReference() && !out.isUnusable {
			out.isUnusable, out.Result = true, t.missingData(fmt.Sprintf("`%s`: %s", m.Name, m.Result.Misses[0]))
		}
	}
	return out, parts
}

// withoutSettings returns a member as it is graded. The oldest version of the reference removes its
// settings, and the later ones ignore the `negate` of a member of a composite or a set.
func (t task) withoutSettings(g *rubric.Grader) *rubric.Grader {
	switch kind := normalizedKind(t.grader); {
	case t.isAgentV() && g.Kind == rubric.LLMJudge:
		return &rubric.Grader{Name: g.Name, Kind: g.Kind, Weight: g.Weight}
	case t.isReference() && g.Negate && (kind == rubric.Composite || kind == rubric.AssertSet):
		member := *g
		member.Negate = false
		return &member
	}
	return g
}
