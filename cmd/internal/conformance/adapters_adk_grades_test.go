package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

// adkRubric is a rubric as the cases write it.
type adkRubric struct {
	ID   string `json:"rubric_id"`
	Text string
	Type string
}

func adkRubricList(in []adkRubric) []metric.Rubric {
	var all []metric.Rubric
	for _, r := range in {
		all = append(all, metric.Rubric{ID: r.ID, Text: r.Text, Type: r.Type})
	}
	return all
}

func adkBlocks(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	blocks := []any{}
	for _, b := range metric.ParseBlocks(p, decode[struct{ Response string }](t, raw).Response) {
		var id any
		if b.ID != "" {
			id = b.ID
		}
		blocks = append(blocks, object{"rubric_id": id, "property": b.Property, "rationale": b.Rationale, "score": b.Score})
	}
	return blocks
}

func adkNormalize(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	return metric.Normalize(p, decode[struct{ Text string }](t, raw).Text)
}

func adkAttach(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Response string
		Rubrics  []adkRubric
	}](t, raw)
	scores, _ := metric.MatchBlocks(p, adkRubricList(in.Rubrics), metric.ParseBlocks(p, in.Response))
	return adkScores("score", metric.MeanScore(scores), scores)
}

func adkScores(key string, score *float64, rubrics []metric.RubricScore) object {
	return object{key: score, "rubric_scores": append([]metric.RubricScore{}, rubrics...)}
}

func adkVote(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Samples   [][]metric.RubricScore
		Threshold float64
	}](t, raw)
	voted := metric.Vote(in.Samples)
	score := metric.MeanScore(voted)
	result := adkScores("score", score, voted)
	result["status"] = metric.StatusOf(score, in.Threshold)
	return result
}

func adkPool(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Invocations [][]metric.RubricScore
		Threshold   float64
	}](t, raw)
	score, each := metric.Pool(in.Invocations)
	result := adkScores("overall_score", score, each)
	result["status"] = metric.StatusOf(score, in.Threshold)
	return result
}

func adkEffective(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Criterion []adkRubric `json:"criterion_rubrics"`
		Turn      []adkRubric `json:"invocation_rubrics"`
		Kind      string      `json:"metric_rubric_type"`
	}](t, raw)
	rubrics, err := metric.EffectiveRubrics(p, in.Kind, adkRubricList(in.Criterion), adkRubricList(in.Turn))
	if err != nil {
		scope := "criterion"
		if strings.Contains(err.Error(), "the turn") {
			scope = "invocation"
		}
		return object{"error": err.Error(), "scope": scope}
	}
	return object{"ids": adkIDs(rubrics)}
}

func adkIDs(rubrics []metric.Rubric) []string {
	ids := []string{}
	for _, r := range rubrics {
		ids = append(ids, r.ID)
	}
	return ids
}

func adkMerge(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Case  []string   `json:"case_rubrics"`
		Turns [][]string `json:"expected_invocation_rubrics"`
	}](t, raw)
	named := func(ids []string) (all []metric.Rubric) {
		for _, id := range ids {
			all = append(all, metric.Rubric{ID: id})
		}
		return all
	}
	c := metric.Conversation{Actual: make([]metric.Invocation, len(in.Turns))}
	for _, ids := range in.Turns {
		c.Expected = append(c.Expected, metric.Invocation{Rubrics: named(ids)})
	}
	merged, err := metric.WithRubrics(named(in.Case), c)
	if err != nil {
		return object{"error": err.Error()}
	}
	turns := []any{}
	for _, i := range merged.Actual {
		turns = append(turns, adkIDs(i.Rubrics))
	}
	return object{"actual_invocation_rubrics": turns}
}

func adkMean(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return metric.Mean(decode[struct{ Scores []*float64 }](t, raw).Scores)
}

func adkStatus(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Score     *float64
		Threshold float64
	}](t, raw)
	return metric.StatusOf(in.Score, in.Threshold)
}

func adkCaseStatus(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return metric.CaseStatus(decode[struct {
		Statuses []metric.Status `json:"metric_statuses"`
	}](t, raw).Statuses)
}

func adkRuns(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Runs      []json.RawMessage
		Threshold float64
	}](t, raw)
	var runs []metric.CaseResult
	for _, r := range in.Runs {
		var scores []*float64
		if json.Unmarshal(r, &scores) != nil {
			runs = append(runs, metric.CaseResult{Status: metric.Failed}) // it crashed
			continue
		}
		measured := metric.Result{Metric: "m", Threshold: in.Threshold, Score: metric.Mean(scores)}
		measured.Status = metric.StatusOf(measured.Score, in.Threshold)
		for _, s := range scores {
			measured.Invocations = append(measured.Invocations, metric.InvocationResult{Score: s, Status: metric.StatusOf(s, in.Threshold)})
		}
		runs = append(runs, metric.CaseResult{Status: metric.CaseStatus([]metric.Status{measured.Status}), Metrics: []metric.Result{measured}})
	}
	pooled := metric.PoolRuns(runs)
	if len(pooled.Metrics) != 1 {
		return object{"error": fmt.Sprint(len(pooled.Metrics), " metrics")}
	}
	return object{"score": pooled.Metrics[0].Score, "status": pooled.Metrics[0].Status, "case_status": pooled.Status}
}

func adkLabel(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return metric.ParseLabel(decode[struct{ Response string }](t, raw).Response)
}

func adkUserLabel(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return metric.ParseUserLabel(decode[struct{ Response string }](t, raw).Response)
}

// adkLabelVote has a judge say each of the scores.
func adkLabelVote(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct{ Scores []*float64 }](t, raw)
	judge := &scripted{}
	for _, s := range in.Scores {
		word := "undecided"
		if s != nil {
			word = map[float64]string{0: "invalid", 1: "valid"}[*s]
		}
		judge.replies = append(judge.replies, fmt.Sprintf(`{"is_the_agent_response_valid": "%s"}`, word))
	}
	answer := "x"
	turns := adkAnswers([]*string{&answer})
	c := metric.Criterion{Metric: metric.FinalResponseMatch, Judge: metric.JudgeOptions{Samples: len(in.Scores)}}
	r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge, Profile: p}, c, metric.Conversation{Actual: turns, Expected: turns})
	return object{"score": r.Score}
}

func adkLabelOverall(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Invocations []struct {
			Score  *float64
			Status metric.Status
		}
		Threshold float64
	}](t, raw)
	var turns []metric.InvocationResult
	for _, i := range in.Invocations {
		turns = append(turns, metric.InvocationResult{Score: i.Score, Status: i.Status})
	}
	score := metric.MeanEvaluated(turns)
	if score == nil && p == metric.V2 {
		return object{"error": "ZeroDivisionError"} // which came out as not evaluated
	}
	return object{"score": score, "status": metric.StatusOf(score, in.Threshold)}
}

func adkSentences(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return append([]string{}, metric.ParseSentences(decode[struct{ Response string }](t, raw).Response)...)
}

func adkClaims(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return append([]metric.Claim{}, metric.ParseClaims(decode[struct{ Response string }](t, raw).Response)...)
}

func adkClaimScore(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	score, _ := metric.ScoreLabels(decode[struct{ Labels []string }](t, raw).Labels)
	return score
}

// adkSteps has a judge label sentences so that each step gets its score.
func adkSteps(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Steps     [][]*float64 `json:"step_scores"`
		Threshold float64
	}](t, raw)
	judge := &scripted{}
	var turns []metric.Invocation
	for _, steps := range in.Steps {
		var i metric.Invocation
		for _, score := range steps {
			i.Events = append(i.Events, metric.Event{Content: adkTextContent("Said.")})
			judge.replies = append(judge.replies, "<sentence>Said.</sentence>", labels(score))
		}
		turns = append(turns, i)
	}
	c := metric.Criterion{Metric: metric.Hallucinations, Threshold: in.Threshold, EachIntermediate: true}
	return adkResult(metric.Evaluate(t.Context(), metric.Ports{Judge: judge, Profile: p}, c, metric.Conversation{Actual: turns}))
}

// labels is a judge's reply that is worth a score, which is a fraction with a
// denominator of up to 100.
func labels(score *float64) string {
	if score == nil {
		return "nothing that can be read"
	}
	for all := 1; all <= 100; all++ {
		good := int(*score*float64(all) + 0.5)
		if float64(good)/float64(all) != *score {
			continue
		}
		claim := "sentence: s\nlabel: %s\nrationale: r\nsupporting_excerpt: null\ncontradicting_excerpt: null\n"
		return strings.Repeat(fmt.Sprintf(claim, "supported"), good) + strings.Repeat(fmt.Sprintf(claim, "unsupported"), all-good)
	}
	return ""
}
