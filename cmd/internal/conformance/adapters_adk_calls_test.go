package conformance

import (
	"encoding/json"
	"iter"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/metric/rouge"
)

// adkTurns are turns that only call tools; none for no list of them.
func adkTurns(lists [][]metric.ToolCall) []metric.Invocation {
	if lists == nil {
		return nil
	}
	turns := make([]metric.Invocation, len(lists))
	for i, calls := range lists {
		turns[i].ToolUses = calls
	}
	return turns
}

// adkResult is a metric's result in the words of the cases.
func adkResult(r metric.Result) any {
	if len(r.Invocations) == 0 && r.Reason != "" && r.Reason != "the conversation has no turns" {
		return object{"error": r.Reason, "score": nil, "status": r.Status}
	}
	turns := []any{}
	for _, i := range r.Invocations {
		turns = append(turns, i.Score)
	}
	return object{"per_invocation": turns, "score": r.Score, "status": r.Status}
}

func adkTrajectory(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Actual, Expected [][]metric.ToolCall
		Match            any  `json:"match_type"`
		IgnoreArgs       bool `json:"ignore_args"`
		Threshold        float64
	}](t, raw)
	match, err := metric.ParseMatch(in.Match)
	if err != nil {
		t.Fatal(err)
	}
	c := metric.Criterion{Metric: metric.ToolTrajectory, Threshold: in.Threshold, Match: match, IgnoreArgs: in.IgnoreArgs}
	return adkResult(metric.Evaluate(t.Context(), metric.Ports{Profile: p}, c, metric.Conversation{Actual: adkTurns(in.Actual), Expected: adkTurns(in.Expected)}))
}

func adkToolParameters(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Actual, Expected [][]metric.ToolCall
		Threshold        float64
	}](t, raw)
	c := metric.Criterion{Metric: metric.ToolParameters, Threshold: in.Threshold}
	return adkResult(metric.Evaluate(t.Context(), metric.Ports{Profile: p}, c, metric.Conversation{Actual: adkTurns(in.Actual), Expected: adkTurns(in.Expected)}))
}

func adkMatchType(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	m, err := metric.ParseMatch(decode[struct{ Value any }](t, raw).Value)
	if err != nil {
		return object{"error": true}
	}
	return m.String()
}

func adkWords(p metric.Profile) func(string) iter.Seq[[]byte] {
	if p == metric.V2 {
		return rouge.ASCIIWords
	}
	return rouge.UnicodeWords
}

func adkRouge(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct{ Candidate, Reference string }](t, raw)
	s := rouge.Rouge1(adkWords(p), in.Candidate, in.Reference)
	return object{"precision": s.Precision, "recall": s.Recall, "fmeasure": s.F}
}

func adkRougeEval(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	in := decode[struct {
		Candidates, References []*string
		Threshold              float64
	}](t, raw)
	conversation := metric.Conversation{Actual: adkAnswers(in.Candidates), Expected: adkAnswers(in.References)}
	return adkResult(metric.Evaluate(t.Context(), metric.Ports{Profile: p}, metric.Criterion{Metric: metric.ResponseMatch, Threshold: in.Threshold}, conversation))
}

// adkAnswers are turns with an answer each, or none.
func adkAnswers(texts []*string) []metric.Invocation {
	turns := make([]metric.Invocation, len(texts))
	for i, text := range texts {
		if text != nil {
			turns[i].Final = adkTextContent(*text)
		}
	}
	return turns
}

func adkTextContent(texts ...string) *metric.Content {
	c := &metric.Content{}
	for _, text := range texts {
		c.Parts = append(c.Parts, metric.Part{Text: text})
	}
	return c
}

func adkStem(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	return string(rouge.Stem([]byte(decode[struct{ Word string }](t, raw).Word)))
}
