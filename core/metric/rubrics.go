package metric

import (
	"context"
	"errors"
	"fmt"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/judge"
)

func measureResponseQuality(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
	return measureRubrics(ctx, e, t, FinalResponseQuality, e.responseQualityQuestion)
}

func measureToolQuality(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
	return measureRubrics(ctx, e, t, ToolUseQuality, e.toolQualityQuestion)
}

// measureRubrics asks for a verdict on each of the turn's rubrics and lets the
// samples vote.
func measureRubrics(ctx context.Context, e evaluation, t turn, kind string, question func(Invocation, []Rubric) judge.Question) (InvocationResult, error) {
	rubrics, err := Effective(e.ports.Profile, kind, e.c.Rubrics, t.actual.Rubrics)
	if err != nil {
		return InvocationResult{}, err
	}
	q := question(t.actual, rubrics)
	q.Usable = func(reply string) bool {
		found, _ := Attach(e.ports.Profile, rubrics, ParseBlocks(e.ports.Profile, reply))
		return len(found) > 0
	}
	replies, err := e.ask(ctx, q, e.c.Judge.Times())
	if err != nil {
		return InvocationResult{Replies: replies}, err
	}
	samples := make([][]RubricScore, len(replies))
	for i := range replies {
		if e.v2() && replies[i].Text == "" {
			return InvocationResult{Replies: replies}, errors.New("the judge replied with nothing, which ADK 2.0 does not survive")
		}
		samples[i] = e.verdicts(&replies[i], rubrics)
	}
	r := InvocationResult{Rubrics: Vote(samples), Replies: replies}
	r.Score = MeanScore(r.Rubrics)
	r.Problems = append(untyped(t.actual.Rubrics), unjudged(rubrics, r.Rubrics)...)
	if r.Score == nil {
		r.Reason = "no reply of the judge has a verdict on any rubric"
	}
	return r, nil
}

// untyped says which rubrics of a turn are for no metric at all.
func untyped(rubrics []Rubric) []string {
	var problems []string
	for _, r := range rubrics {
		if r.Type == "" {
			problems = append(problems, fmt.Sprintf("the rubric `%s` has no type, so that no metric judges by it", r.ID))
		}
	}
	return problems
}

// unjudged says which rubrics the score leaves out.
func unjudged(rubrics []Rubric, judged []RubricScore) []string {
	have := map[string]bool{}
	for _, s := range judged {
		have[s.ID] = s.Score != nil
	}
	var problems []string
	for _, r := range rubrics {
		if !have[r.ID] {
			problems = append(problems, fmt.Sprintf("the judge gave no verdict on `%s`; the score leaves it out", r.ID))
		}
	}
	return problems
}

// verdicts are what one reply says of the rubrics, and notes what of it cannot
// be used.
func (e evaluation) verdicts(reply *Reply, rubrics []Rubric) []RubricScore {
	if reply.lexical() {
		return checked(reply.Text)
	}
	blocks := ParseBlocks(e.ports.Profile, reply.Text)
	if len(blocks) == 0 {
		reply.Problems = append(reply.Problems, "it has no blocks of `Property: `, `Rationale: ` and `Verdict: ` lines, as many of each")
	}
	found, problems := Attach(e.ports.Profile, rubrics, blocks)
	reply.Problems = append(reply.Problems, problems...)
	return found
}

// Attach gives each block to the rubric that it names: by its id, or else by the
// text of its property; of two rubrics with the same text, to the later one.
// Problems are blocks that name none, and verdicts that are not a plain yes or
// no. Under [V2] there are no ids.
func Attach(p Profile, rubrics []Rubric, blocks []Block) (found []RubricScore, problems []string) {
	byID, byText := map[string]bool{}, map[string]string{}
	for _, r := range rubrics {
		byID[r.ID] = true
		byText[Normalize(p, r.Text)] = r.ID
	}
	for _, b := range blocks {
		id, known := b.ID, b.ID != "" && byID[b.ID]
		if !known {
			id, known = byText[Normalize(p, b.Property)]
		}
		if !known {
			problems = append(problems, fmt.Sprintf("it names a rubric that was not asked for: `%s`", excerpt.Shorten(b.ID+" "+b.Property, quotable)))
			continue
		}
		if !b.plain() {
			problems = append(problems, fmt.Sprintf("its verdict on `%s` is `%s`, which counts as %s", id, excerpt.Shorten(b.Verdict, quotable), b.counted()))
		}
		found = append(found, RubricScore{ID: id, Score: b.Score, Rationale: b.Rationale})
	}
	return found, problems
}

// quotable is how many characters of a text a sentence quotes.
const quotable = 80
