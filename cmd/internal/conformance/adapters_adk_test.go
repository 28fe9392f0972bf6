package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

func init() {
	for kind, run := range map[string]func(t *testing.T, p metric.Profile, input json.RawMessage) any{
		"trajectory":                   adkTrajectory,
		"tool_parameter_match":         adkToolParameters,
		"match_type_parse":             adkMatchType,
		"rouge1":                       adkRouge,
		"rouge1_eval":                  adkRougeEval,
		"porter_stem":                  adkStem,
		"final_response_match_label":   adkLabel,
		"final_response_match_vote":    adkLabelVote,
		"final_response_match_overall": adkLabelOverall,
		"user_simulator_label":         adkUserLabel,
		"rubric_parse":                 adkBlocks,
		"rubric_normalize_text":        adkNormalize,
		"rubric_match":                 adkAttach,
		"rubric_majority_vote":         adkVote,
		"rubric_summary":               adkPool,
		"rubric_effective_list":        adkEffective,
		"rubric_case_merge":            adkMerge,
		"rubric_average":               adkMean,
		"eval_status":                  adkStatus,
		"case_final_status":            adkCaseStatus,
		"multi_run_aggregate":          adkRuns,
		"hallucination_sentences":      adkSentences,
		"hallucination_validation":     adkClaims,
		"hallucination_score":          adkClaimScore,
		"hallucination_aggregate":      adkSteps,
		"hallucination_steps":          adkStepTexts,
		"content_text":                 adkContentText,
		"invocation_text":              adkAnswer,
		"tool_steps_json":              adkToolSteps,
	} {
		adapters[kind+"@adk"] = adkCase(run)
	}
}

// adkCase runs a case as the newest ADK and, where it is known what ADK 2.0 did, as
// that.
func adkCase(run func(*testing.T, metric.Profile, json.RawMessage) any) adapter {
	return func(t *testing.T, c testCase) error {
		if err := adkCompare(run(t, metric.Latest, c.Input), c.Expected); err != nil {
			return err
		}
		old := c.Legacy
		if old == nil && c.Since == "" {
			old = c.Expected
		}
		if old == nil {
			return nil
		}
		if err := adkCompare(run(t, metric.V2, c.Input), old); err != nil {
			return fmt.Errorf("as 2.0: %w", err)
		}
		return nil
	}
}

// adkCompare compares every value that is expected, numbers to 1e-9. Keys of an
// object that are not expected are free.
func adkCompare(got any, expected json.RawMessage) error {
	raw, err := json.Marshal(got)
	if err != nil {
		return err
	}
	var have, want any
	json.Unmarshal(raw, &have)
	if err := json.Unmarshal(expected, &want); err != nil {
		return err
	}
	sortMetrics(have)
	sortMetrics(want)
	if !equalJSON(have, want) {
		return fmt.Errorf("got %s", raw)
	}
	return nil
}

// sortMetrics sorts the metrics of a configuration: the cases' inputs have lost the
// order of their keys.
func sortMetrics(v any) {
	m, _ := v.(map[string]any)
	list, _ := m["metrics"].([]any)
	name := func(v any) string {
		m, _ := v.(map[string]any)
		s, _ := m["name"].(string)
		return s
	}
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(name(a), name(b)) })
}

func equalJSON(have, want any) bool {
	switch w := want.(type) {
	case float64:
		h, ok := have.(float64)
		return ok && math.Abs(h-w) <= 1e-9
	case []any:
		h, ok := have.([]any)
		if !ok || len(h) != len(w) {
			return false
		}
		for i := range w {
			if !equalJSON(h[i], w[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		h, ok := have.(map[string]any)
		if !ok {
			return false
		}
		for key := range w {
			if key == "error_contains" {
				if !sameError(h["error"], w[key]) {
					return false
				}
				continue
			}
			if !equalJSON(h[key], w[key]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(have, want)
}

// adkErrorTexts are the words for ADK's error messages here.
var adkErrorTexts = map[string]string{
	"already exists":              "already exists",
	"must have the same length":   "must have the same length",
	"Rubrics are required":        "there are no rubrics",
	"is required for this metric": "there is no expected conversation",
	"is needed by this metric":    "there is no",
}

// sameError reports whether an error is the one that ADK words in its own way.
func sameError(have, want any) bool {
	message, _ := have.(string)
	theirs, _ := want.(string)
	return message != "" && strings.Contains(message, adkErrorTexts[theirs])
}

// object is the answer of most adapters.
type object = map[string]any

func init() {
	adapters["config_parse@adk"] = adkCase(adkConfig)
	adapters["config_default@adk"] = adkCase(adkDefaults)
	adapters["custom_metric_path@adk"] = adkCase(adkCustom)
	adapters["evalset_parse@adk"] = adkCase(adkSet)
	adapters["cli_case_selector@adk"] = adkCase(adkSelect)
}

// fileText is a file in an input: as a text, or as what it holds.
func fileText(t *testing.T, raw json.RawMessage, key string) string {
	in := decode[map[string]json.RawMessage](t, raw)
	if text, ok := in[key+"_text"]; ok {
		return decode[string](t, text)
	}
	return string(in[key])
}

// unknownToClient returns the keys that the Gen AI client of the executed ADK, 2.19, does not know.
// They are warnings here, because a newer client may know them.
func unknownToClient(f adk.File) []conform.Mismatch {
	return slices.DeleteFunc(f.Mismatches(), func(m conform.Mismatch) bool {
		return m.Kind != conform.UnknownKey || m.IsRefused || !strings.Contains(m.Owner.OnUnknownKey, "Gen AI client")
	})
}

func adkConfig(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	f := adk.Open("test_config.json", fileText(t, raw, "config"))
	s := adk.LowerConfig(p, f)
	unknown := unknownToClient(f)
	if s.Refused || slices.ContainsFunc(unknown, func(m conform.Mismatch) bool { return strings.HasPrefix(m.Owner.OnUnknownKey, "refuses") }) {
		return object{"load": "error"}
	}
	metrics := []any{}
	for _, c := range s.Criteria {
		m := object{"name": c.Metric, "threshold": c.Threshold, "evaluator": "ok"}
		if math.IsNaN(c.Threshold) {
			m["threshold"] = "NaN"
		}
		// The evaluators of other metrics take what they get, and unknown metrics
		// and repeated ids are found later still.
		_, refusals := adk.ReadCriterion(p, c.Metric, c.Node)
		if len(refusals) > 0 || slices.ContainsFunc(unknown, func(m conform.Mismatch) bool { return c.Node.Span.Contains(m.Span) }) {
			m["evaluator"] = "error"
		}
		metrics = append(metrics, m)
	}
	return object{"load": "ok", "metrics": metrics}
}

func adkDefaults(*testing.T, metric.Profile, json.RawMessage) any {
	criteria := object{}
	for _, c := range adk.DefaultCriteria() {
		criteria[c.Metric] = c.Threshold
	}
	return object{"criteria": criteria}
}

func adkCustom(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	return adk.LowerConfig(p, adk.Open("test_config.json", fileText(t, raw, "config"))).Custom
}

func adkSet(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	body := fileText(t, raw, "evalset")
	f := adk.Open("s.evalset.json", body)
	s := adk.LowerSet(p, f)
	if !s.Refused && len(unknownToClient(f)) == 0 && f.Role != adk.Turns {
		ids := []string{}
		for _, c := range s.Cases {
			ids = append(ids, c.ID)
		}
		return object{"load": "ok", "cases": ids}
	}
	// What ADK shows is how its reading of the older form failed.
	seen := "TypeError"
	switch list := f.Tree.Root().List(); {
	case !json.Valid([]byte(body)):
		seen = "JSONDecodeError"
	case len(list) > 0 && list[0].IsMap():
		seen = "KeyError"
	}
	return object{"load": "error", "error_type": seen}
}

func adkSelect(t *testing.T, _ metric.Profile, raw json.RawMessage) any {
	chosen := map[string][]string{}
	for _, arg := range decode[struct{ Args []string }](t, raw).Args {
		path, ids := adk.CutSelection(arg)
		chosen[path] = append(append([]string{}, chosen[path]...), ids...)
	}
	return chosen
}
