package grade

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func gradeRubric(ctx context.Context, t task) Outcome {
	q := Question(t.ports.Profile, t.evalCase, t.grader, t.submission)
	out := Outcome{Criteria: t.grader.Criteria, Question: &q}
	samples, replies, err := t.askJudge(ctx, q, t.grader.Criteria)
	out.Replies, out.Err, out.Problems = replies, err, t.looseReplyProblems(replies)
	switch {
	case t.isAgentV():
		out.Result = t.rubricResultAgentV(samples, err)
	case t.ports.Profile.IsV4OrLater():
		out.Result = t.rubricResultAgentV4(samples, err)
	case err != nil:
		out.Result = score.Rubric(t.ports.Profile, t.grader.Criteria, ungradedGrades(t.grader.Criteria, err.Error()))
	default:
		out.Result = t.votedResult(samples)
	}
	return out
}

// rubricResultAgentV turns an unusable judge into a score of 0, as the reference does. A judge that did
// not answer at all is ungraded too: the numbers are the same, and a run can report the outage.
func (t task) rubricResultAgentV(samples []DecodedReply, err error) score.Result {
	if usable := usableReplies(samples); len(usable) > 0 {
		return t.votedResult(usable)
	}
	if err == nil {
		err = fmt.Errorf("the reply is unusable: %s", samples[0].Problems[0])
	}
	r := score.PlainResult(0, nil, []string{fmt.Sprintf("evaluator `%s` failed: %v", t.grader.Name, err)}, err.Error())
	r.Grades = ungradedGrades(t.grader.Criteria, err.Error())
	if len(samples) == 0 {
		r.Ungraded = err.Error()
	}
	return r
}

// rubricResultAgentV4 leaves ungraded what a judge failed to judge, as the later versions of the
// reference do. A reply with its own score overrides the weights of the criteria.
func (t task) rubricResultAgentV4(samples []DecodedReply, err error) score.Result {
	usable := usableReplies(samples)
	own := slices.DeleteFunc(slices.Clone(usable), func(d DecodedReply) bool { return d.Score == nil })
	switch {
	case len(usable) == 0:
		return skippedResult(samples, err)
	case len(own) > 0:
		return t.medianResult(own, len(samples))
	}
	return t.votedResult(usable)
}

func usableReplies(samples []DecodedReply) []DecodedReply {
	return slices.DeleteFunc(slices.Clone(samples), func(d DecodedReply) bool { return len(d.Problems) > 0 })
}

func (t task) votedResult(samples []DecodedReply) score.Result {
	d := t.voteOnGrades(samples)
	r := score.Rubric(t.ports.Profile, t.grader.Criteria, d.Grades)
	r.Reasoning = d.Reasoning
	return r
}

// skippedResult returns the result of a judge without a usable reply. The reference lists the
// reason among the misses.
func skippedResult(samples []DecodedReply, err error) score.Result {
	reason := "no reply is usable"
	if len(samples) > 0 {
		last := samples[len(samples)-1]
		reason = cmp.Or(last.Ungraded, reason+": "+strings.Join(last.Problems, "; "))
	} else if err != nil {
		reason = err.Error()
	}
	r := score.UngradedResult(reason)
	r.Misses = []string{reason}
	return r
}

// voteOnGrades merges several replies to one question. A check is decided by the majority, a tie is
// a no. A score is the median, the lower one of two. More than half of the samples must grade a
// criterion. Every sample has one vote, whichever judge of a panel it is from.
func (t task) voteOnGrades(samples []DecodedReply) DecodedReply {
	n := len(samples)
	if n == 1 {
		return samples[0]
	}
	type key struct {
		id  string
		nth int // among the grades with this id in one reply
	}
	var order []key
	ballots := map[key][]score.Opinion{}
	merged := DecodedReply{}
	for _, s := range samples {
		seen := map[string]int{}
		for _, g := range s.Grades {
			k := key{g.ID, seen[g.ID]}
			seen[g.ID]++
			if ballots[k] == nil {
				order = append(order, k)
			}
			ballots[k] = append(ballots[k], score.Opinion{Judge: s.judge, Sample: s.sample, Satisfied: g.Satisfied, Score: g.Score, Reasoning: g.Reasoning, Ungraded: g.Ungraded})
		}
		merged.Reasoning = cmp.Or(merged.Reasoning, s.Reasoning)
	}
	for _, k := range order {
		var bands []rubric.Band
		if i := slices.IndexFunc(t.grader.Criteria, func(c *rubric.Criterion) bool { return c.ID == k.id }); i >= 0 {
			bands = t.grader.Criteria[i].Bands
		}
		g := elect(ballots[k], n, bands)
		g.ID, g.Opinions = k.id, ballots[k]
		merged.Grades = append(merged.Grades, g)
	}
	return merged
}

// elect returns the grade that the ballots of n samples agree on.
func elect(ballots []score.Opinion, n int, bands []rubric.Band) score.Grade {
	graded := slices.DeleteFunc(slices.Clone(ballots), func(b score.Opinion) bool { return b.Ungraded != "" })
	if 2*len(graded) <= n {
		reason := fmt.Sprintf("only %d of %d samples graded it", len(graded), n)
		if i := slices.IndexFunc(ballots, func(b score.Opinion) bool { return b.Ungraded != "" }); i >= 0 {
			reason += ": " + ballots[i].Ungraded
		}
		return score.Grade{Ungraded: reason}
	}
	generic.SortStable(graded, func(a, b score.Opinion) int { return cmp.Compare(gradeValue(a), gradeValue(b)) })
	// Yes and no sort as 1 and 0, so the lower median is the strict majority.
	median := gradeValue(graded[(len(graded)-1)/2])
	same := slices.DeleteFunc(slices.Clone(graded), func(b score.Opinion) bool { return gradeValue(b) != median })
	return score.Grade{
		Satisfied: same[0].Satisfied, Score: same[0].Score, Reasoning: same[0].Reasoning,
		Agreement: new(float64(len(same)) / float64(n)), FlipRate: new(flipRate(graded, bands)),
	}
}

// flipRate returns the share of pairs that are neither equal nor scores in one band.
func flipRate(graded []score.Opinion, bands []rubric.Band) float64 {
	pairs, differ := 0, 0
	for i, a := range graded {
		for _, b := range graded[:i] {
			pairs++
			values := [2]float64{gradeValue(a), gradeValue(b)}
			inBand := func(band rubric.Band) bool { return band.Contains(values[0]) && band.Contains(values[1]) }
			if values[0] != values[1] && !slices.ContainsFunc(bands, inBand) {
				differ++
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(differ) / float64(pairs)
}

// gradeValue returns a grade as a number that orders the grades of a criterion.
func gradeValue(b score.Opinion) float64 {
	switch {
	case b.Score != nil:
		return *b.Score
	case b.Satisfied != nil && *b.Satisfied:
		return 1
	}
	return 0
}

// Draft-07 schemas of replies, with %s for what depends on the rubric. All keys of an object are
// required and no others allowed, the only form that every provider's structured output accepts.
const (
	freeformSchema = `{"additionalProperties":false,"properties":{"hits":{"items":{"type":"string"},"type":"array"},` +
		`"misses":{"items":{"type":"string"},"type":"array"},"reasoning":{"type":"string"},` +
		`"score":{"maximum":1,"minimum":0,"type":"number"}},"required":["hits","misses","reasoning","score"],"type":"object"}`
	rubricFormSchema = `{"additionalProperties":false,"properties":{"checks":{"items":%s,"type":"array"},` +
		`"overall_reasoning":{"type":"string"}},"required":["checks","overall_reasoning"],"type":"object"}`
	checkSchema = `{"additionalProperties":false,"properties":{"id":{"enum":%s},"reasoning":{"type":"string"},` +
		`"satisfied":{"type":"boolean"}},"required":["id","reasoning","satisfied"],"type":"object"}`
	scoreSchema = `{"additionalProperties":false,"properties":{"id":{"enum":%s},"reasoning":{"type":"string"},` +
		`"score":{"maximum":10,"minimum":0,"type":"integer"}},"required":["id","reasoning","score"],"type":"object"}`
)

func rubricSchema(items []judge.Item) json.RawMessage {
	var forms []string
	for _, ranged := range []bool{false, true} {
		form := map[bool]string{false: checkSchema, true: scoreSchema}[ranged]
		var ids []string
		for _, i := range items {
			if i.Ranged == ranged && !slices.Contains(ids, i.ID) {
				ids = append(ids, i.ID)
			}
		}
		if len(ids) > 0 {
			enum, _ := json.Marshal(ids)
			forms = append(forms, fmt.Sprintf(form, enum))
		}
	}
	if len(forms) > 1 {
		forms = []string{`{"anyOf":[` + strings.Join(forms, ",") + `]}`}
	}
	return fmt.Appendf(nil, rubricFormSchema, forms[0])
}
