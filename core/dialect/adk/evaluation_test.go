package adk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

func says(id, answer string) string {
	return `{"eval_id": "` + id + `", "conversation": [{` + asks + `, "final_response": {"parts": [{"text": "` + answer + `"}]}}]}`
}

func opened(cases ...string) adk.Set {
	return adk.LowerSet(metric.Latest, adk.Open("s.evalset.json", set(strings.Join(cases, ","))))
}

// scoresOf formats the results of an evaluation, a line per case.
func scoresOf(t *testing.T, trial adk.Evaluation) string {
	t.Helper()
	measure := trial.Measure(metric.Ports{})
	var all []string
	for _, c := range trial.Suite.Cases {
		r, err := measure(t.Context(), c)
		if err != nil {
			all = append(all, err.Error())
			continue
		}
		m := r.Metrics[0]
		text := fmt.Sprintf("%s %s of %d by %q", c.ID, m.Status, len(m.Invocations), r.Answer)
		if m.Score != nil {
			text += fmt.Sprintf(" %.2f", *m.Score)
		}
		all = append(all, text)
	}
	return strings.Join(append(all, trial.Problems...), "\n")
}

func TestEvaluation(t *testing.T) {
	criteria := []metric.Criterion{{Metric: metric.ResponseMatch, Threshold: 0.5}}
	expected := opened(says("one", "red apples"), says("two", "blue skies"))
	once := opened(says("one", "red apples")).Recording()
	again := opened(says("one", "green pears"), says("tow", "x")).Recording()
	for name, c := range map[string]struct {
		trial adk.Evaluation
		want  string
	}{
		"a recording": {expected.Evaluation(criteria, once), "one PASSED of 1 by \"red apples\" 1.00\nno conversation of the case `two` is recorded"},
		"two runs are pooled": {expected.Evaluation(criteria, once, again), "one PASSED of 2 by \"red apples\\n\\ngreen pears\" 0.50\n" +
			"no conversation of the case `two` is recorded\nthe conversation `tow` is recorded, but no case has that id; did you mean `two`?"},
		"none":                  {opened(says("one", "red apples")).Evaluation(criteria), "one NOT_EVALUATED of 0 by \"red apples\""},
		"a recording by itself": {adk.Recording{Cases: []adk.RecordedCase{{ID: "r", Conversation: pair(expected)}}}.Evaluation(criteria), "r FAILED of 1 by \"red apples\" 0.00"},
		"runs of a recording": {adk.Recording{Cases: []adk.RecordedCase{{ID: "r", Conversation: pair(expected)}, {ID: "r", Conversation: pair(expected)}}}.Evaluation(criteria),
			"r FAILED of 2 by \"red apples\\n\\nred apples\" 0.00"},
		"a recording that is it": {once.Evaluation(criteria), "one NOT_EVALUATED of 0 by \"red apples\""},
	} {
		if got := scoresOf(t, c.trial); got != c.want {
			t.Errorf("%s:\n%s\nis not\n%s", name, got, c.want)
		}
	}
}

func pair(s adk.Set) metric.Conversation {
	return metric.Conversation{Actual: s.Cases[0].Conversation, Expected: s.Cases[1].Conversation}
}

// TestEvaluationFingerprints checks that conversations and criteria are part of a case's fingerprint.
func TestEvaluationFingerprints(t *testing.T) {
	of := func(s adk.Set, threshold float64, recorded adk.Recording) string {
		return s.Evaluation([]metric.Criterion{{Metric: metric.ResponseMatch, Threshold: threshold}}, recorded).Suite.Cases[0].Fingerprint()
	}
	s, r := opened(says("one", "red")), opened(says("one", "blue")).Recording()
	seen := map[string]bool{of(s, 1, r): true, of(s, 0.5, r): true, of(s, 1, s.Recording()): true, of(opened(says("one", "green")), 1, r): true}
	if len(seen) != 4 || !seen[of(opened(says("one", "red")), 1, r)] {
		t.Errorf("%d different fingerprints", len(seen))
	}
}
