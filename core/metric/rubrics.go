package metric

import (
	"context"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/judge"
)

// judgedAtLastTurn is the reason of the turns that a judge of the whole conversation leaves out.
const judgedAtLastTurn = "the conversation is judged as a whole, with its last turn"

// measureTrajectoryQuality judges the whole conversation by the rubrics of its last turn.
func measureTrajectoryQuality(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
	if t.index+1 < len(e.conversation.Actual) {
		return InvocationResult{Reason: judgedAtLastTurn}, nil
	}
	return rubricMeasure(WholeTrajectory, evaluation.trajectoryQualityQuestion)(ctx, e, t)
}

// rubricMeasure returns a function that asks for a verdict on each of a turn's rubrics of a type, and
// lets the samples vote.
func rubricMeasure(kind string, question func(evaluation, Invocation, []Rubric) judge.Question) measureFunc {
	return func(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
		rubrics, err := EffectiveRubrics(e.ports.Profile, kind, e.criterion.Rubrics, t.actual.Rubrics)
		if err != nil {
			return InvocationResult{}, err
		}
		q := question(e, t.actual, rubrics)
		q.Usable = func(reply string) bool {
			found, _ := MatchBlocks(e.ports.Profile, rubrics, ParseBlocks(e.ports.Profile, reply))
			return len(found) > 0
		}
		r, err := e.voteOnRubrics(ctx, q, e.criterion.Judge.SampleCount(), func(reply *judge.Reply) []RubricScore {
			return e.parseVerdicts(reply, rubrics)
		})
		if err != nil {
			return r, err
		}
		for i, s := range r.Rubrics {
			if k := slices.IndexFunc(rubrics, func(of Rubric) bool { return of.ID == s.ID }); k >= 0 {
				r.Rubrics[i].Text = rubrics[k].Text
			}
		}
		r.Problems = untypedProblems(t.actual.Rubrics)
		unjudged := unjudgedRubrics(rubrics, r.Rubrics)
		if len(unjudged) > 0 && isOffline(r.Replies[0]) { // the decided ones would count as all of them
			return r, nil
		}
		r.Score = MeanScore(r.Rubrics)
		if len(unjudged) > 0 {
			r.Err = fmt.Errorf("the judge gave no verdict on %s", diag.JoinList(diag.Backtick(unjudged), "and"))
			r.Problems = append(r.Problems, r.Err.Error()+"; the score leaves "+diag.Plural(len(unjudged), "it", "them")+" out")
		}
		if r.Score == nil {
			r.Reason = "no reply of the judge has a verdict on any rubric"
		}
		return r, nil
	}
}

// untypedProblems reports the rubrics of a turn that belong to no metric.
func untypedProblems(rubrics []Rubric) (problems []string) {
	for _, r := range rubrics {
		if r.Type == "" {
			problems = append(problems, fmt.Sprintf("the rubric `%s` has no type, so that no metric judges by it", r.ID))
		}
	}
	return problems
}

// unjudgedRubrics returns the ids of the rubrics that the score leaves out.
func unjudgedRubrics(rubrics []Rubric, judged []RubricScore) (ids []string) {
	for _, r := range rubrics {
		if !slices.ContainsFunc(judged, func(s RubricScore) bool { return s.ID == r.ID && s.Score != nil }) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// parseVerdicts returns one reply's verdicts on the rubrics, and adds to the reply's problems.
func (e evaluation) parseVerdicts(reply *judge.Reply, rubrics []Rubric) []RubricScore {
	if isOffline(*reply) {
		return offlineVerdicts(rubrics, reply.Text)
	}
	blocks := ParseBlocks(e.ports.Profile, reply.Text)
	if len(blocks) == 0 {
		reply.Problems = append(reply.Problems, "it has no blocks of `Property: `, `Rationale: ` and `Verdict: ` lines, as many of each")
	}
	found, problems := MatchBlocks(e.ports.Profile, rubrics, blocks)
	reply.Problems = append(reply.Problems, problems...)
	return found
}

// MatchBlocks assigns each block to the rubric that it names: by id, or else by the text of its
// property. The later of two rubrics with the same text wins. Problems are blocks that name no
// rubric, and verdicts other than a plain yes or no. Under [V2] there are no ids.
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
			problems = append(problems, fmt.Sprintf("it names an unknown rubric: `%s`", excerpt.Shorten(b.ID+" "+b.Property, maxQuoted)))
			continue
		}
		if !b.isPlain() {
			problems = append(problems, fmt.Sprintf("its verdict on `%s` is `%s`, which counts as %s", id, excerpt.Shorten(b.Verdict, maxQuoted), b.countedAs()))
		}
		found = append(found, RubricScore{ID: id, Score: b.Score, Rationale: b.Rationale})
	}
	return found, problems
}

// maxQuoted limits the characters of a quoted text in a message.
const maxQuoted = 80

// EffectiveRubrics returns the rubrics that a turn is judged by: all of the criterion's, and those
// of the turn whose type is exactly the metric's. A turn's rubric without a type belongs to no
// metric. The error reports a repeated id, or that there are no rubrics.
func EffectiveRubrics(p Profile, kind string, criterion, turn []Rubric) ([]Rubric, error) {
	if p == V2 && len(criterion) == 0 {
		return nil, unusableError("the criterion has no rubrics, and ADK 2.0 uses those of cases only in addition to them")
	}
	fitting := slices.DeleteFunc(slices.Clone(turn), func(r Rubric) bool { return kind != "" && r.Type != kind })
	scope := "criterion"
	all, duplicate := mergeRubrics(criterion)
	if duplicate == "" {
		scope = "turn"
		all, duplicate = mergeRubrics(criterion, fitting)
	}
	switch {
	case duplicate != "":
		return nil, unusableError(fmt.Sprintf("a rubric with the id `%s` already exists; the %s has it once more", duplicate, scope))
	case len(all) == 0 && len(turn) > 0:
		return nil, unusableError(fmt.Sprintf("there are no rubrics to judge by: none of the turn's %d rubrics has the type `%s`", len(turn), kind))
	case len(all) == 0:
		return nil, unusableError("there are no rubrics to judge by")
	}
	return all, nil
}
