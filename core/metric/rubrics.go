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
	rubrics, err := EffectiveRubrics(e.ports.Profile, kind, e.criterion.Rubrics, t.actual.Rubrics)
	if err != nil {
		return InvocationResult{}, err
	}
	q := question(t.actual, rubrics)
	q.Usable = func(reply string) bool {
		found, _ := MatchBlocks(e.ports.Profile, rubrics, ParseBlocks(e.ports.Profile, reply))
		return len(found) > 0
	}
	replies, err := e.askJudge(ctx, q, e.criterion.Judge.SampleCount())
	if err != nil {
		return InvocationResult{Replies: replies}, err
	}
	samples := make([][]RubricScore, len(replies))
	for i := range replies {
		if e.isV2() && replies[i].Text == "" {
			return InvocationResult{Replies: replies}, errors.New("the judge replied with nothing, which ADK 2.0 does not survive")
		}
		samples[i] = e.parseVerdicts(&replies[i], rubrics)
	}
	r := InvocationResult{Rubrics: Vote(samples), Replies: replies}
	r.Score = MeanScore(r.Rubrics)
	r.Problems = append(untypedProblems(t.actual.Rubrics), unjudgedProblems(rubrics, r.Rubrics)...)
	if r.Score == nil {
		r.Reason = "no reply of the judge has a verdict on any rubric"
	}
	return r, nil
}

// untypedProblems says which rubrics of a turn are for no metric at all.
func untypedProblems(rubrics []Rubric) []string {
	var problems []string
	for _, r := range rubrics {
		if r.Type == "" {
			problems = append(problems, fmt.Sprintf("the rubric `%s` has no type, so that no metric judges by it", r.ID))
		}
	}
	return problems
}

// unjudgedProblems says which rubrics the score leaves out.
func unjudgedProblems(rubrics []Rubric, judged []RubricScore) []string {
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

// parseVerdicts are what one reply says of the rubrics, and notes what of it cannot
// be used.
func (e evaluation) parseVerdicts(reply *Reply, rubrics []Rubric) []RubricScore {
	if reply.isOffline() {
		return parseOfflineReply(reply.Text)
	}
	blocks := ParseBlocks(e.ports.Profile, reply.Text)
	if len(blocks) == 0 {
		reply.Problems = append(reply.Problems, "it has no blocks of `Property: `, `Rationale: ` and `Verdict: ` lines, as many of each")
	}
	found, problems := MatchBlocks(e.ports.Profile, rubrics, blocks)
	reply.Problems = append(reply.Problems, problems...)
	return found
}

// MatchBlocks gives each block to the rubric that it names: by its id, or else by the
// text of its property; of two rubrics with the same text, to the later one.
// Problems are blocks that name none, and verdicts that are not a plain yes or
// no. Under [V2] there are no ids.
func MatchBlocks(p Profile, rubrics []Rubric, blocks []Block) (found []RubricScore, problems []string) {
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
			problems = append(problems, fmt.Sprintf("it names a rubric that was not asked for: `%s`", excerpt.Shorten(b.ID+" "+b.Property, maxQuoted)))
			continue
		}
		if !b.isPlain() {
			problems = append(problems, fmt.Sprintf("its verdict on `%s` is `%s`, which counts as %s", id, excerpt.Shorten(b.Verdict, maxQuoted), b.countedAs()))
		}
		found = append(found, RubricScore{ID: id, Score: b.Score, Rationale: b.Rationale})
	}
	return found, problems
}

// maxQuoted is how many characters of a text a sentence quotes.
const maxQuoted = 80
