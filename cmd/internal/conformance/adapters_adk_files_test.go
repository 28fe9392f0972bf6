package conformance

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

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

func adkConfig(t *testing.T, p metric.Profile, raw json.RawMessage) any {
	s := adk.LowerConfig(p, adk.Open("test_config.json", fileText(t, raw, "config")))
	if adk.IsRefused(s.Losses) {
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
		late := func(l adk.Loss) bool {
			return l.Kind == adk.TableMismatch && l.Level == adk.Skips && l.Span.Start >= c.Node.Span.Start && l.Span.End <= c.Node.Span.End
		}
		if slices.ContainsFunc(s.Losses, late) {
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
	if !adk.IsRefused(s.Losses) && f.Role != adk.Turns {
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
	chosen := object{}
	for _, s := range adk.ParseSelections(decode[struct{ Args []string }](t, raw).Args) {
		chosen[s.Path] = append([]string{}, s.Cases...)
	}
	return chosen
}
