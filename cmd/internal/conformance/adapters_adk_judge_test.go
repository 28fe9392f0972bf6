package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

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
