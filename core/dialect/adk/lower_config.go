package adk

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Settings is the meaning of a configuration.
type Settings struct {
	Criteria      []Criterion
	Custom        map[string]string // custom metrics and their Python functions
	Simulator     Simulator         // plays the users of scenarios
	Refused       bool              // ADK does not read the file
	invalidReason string            // why the file has no criteria, if it is not a configuration
}

// Criterion is a metric with its options.
type Criterion struct {
	metric.Criterion
	Skipped bool       // ADK would not evaluate it
	Node    *yaml.Node // the value under its name
	Key     *yaml.Node // its name
}

// DefaultCriteria returns the metrics that ADK measures without a configuration.
func DefaultCriteria() []metric.Criterion {
	return []metric.Criterion{{Metric: metric.ToolTrajectory, Threshold: 1}, {Metric: metric.ResponseMatch, Threshold: 0.8}}
}

// RequestedCriteria returns the metrics to measure. It returns an error if there are none or a
// threshold is not a finite number.
func (s Settings) RequestedCriteria() ([]metric.Criterion, error) {
	var criteria []metric.Criterion
	for _, c := range s.Criteria {
		if math.IsNaN(c.Threshold) || math.IsInf(c.Threshold, 0) {
			return nil, fmt.Errorf("the threshold of `%s` is not a finite number", c.Metric)
		}
		criteria = append(criteria, c.Criterion)
	}
	if len(criteria) == 0 {
		return nil, errors.New(cmp.Or(s.invalidReason, "the file names no metrics under `criteria`"))
	}
	return criteria, nil
}

// informationalMetrics are figures that ADK reports for every run and that have no threshold.
var informationalMetrics = map[string]bool{"tool_call_count_v1": true, "inference_call_count_v1": true, "token_usage_v1": true, "invocation_duration_v1": true}

// LowerConfig reads a configuration. It reads as much as possible, even where ADK refuses the
// file.
func LowerConfig(p metric.Profile, f File) Settings {
	f = f.Whole()
	root := f.Tree.Root()
	s := Settings{Custom: map[string]string{}, invalidReason: f.notConfigReason(), Simulator: readSimulator(lookup(root, "user_simulator_config"))}
	if f.Tree.HasUnboundedAliases() || !root.IsMap() {
		s.Refused = true
		return s
	}
	s.Refused = f.isUnreadable() || isRefused(p, ConfigFile, root)
	for _, c := range lookup(root, "custom_metrics").Entries() {
		s.Custom[c.Key.Value] = lookup(lookup(c.Value, "code_config"), "name").Text()
	}
	for _, entry := range root.Get("criteria").Entries() {
		s.Criteria = append(s.Criteria, readOwnCriterion(p, entry, s.Custom))
	}
	return s
}

// notConfigReason returns why a file is not a configuration, or "".
func (f File) notConfigReason() string {
	root := f.Tree.Root()
	switch {
	case f.JSON && f.Fault != nil:
		return fmt.Sprintf("invalid JSON from line %d on", f.Tree.Source.OffsetLine(f.Fault.Start)+1)
	case root == nil:
		return "the file is empty"
	case !root.IsMap():
		return "not a configuration: expected an object with `criteria`"
	case lookup(root, "eval_cases") != nil:
		return "this is an evalset, not a configuration"
	}
	return ""
}

// readOwnCriterion reads a member of `criteria`.
func readOwnCriterion(p metric.Profile, entry *yaml.Pair, custom map[string]string) Criterion {
	name, n := entry.Key.Value, entry.Value
	criterion, refusals := ReadCriterion(p, name, n)
	c := Criterion{Criterion: criterion, Skipped: len(refusals) > 0, Key: entry.Key, Node: n}
	known := criteriaTable.Field(name)
	switch {
	case known != nil && n.IsMap():
		c.Skipped = c.Skipped || RubricTypeForMetric(name) != "" && hasDuplicateRubrics(n.Get("rubrics"))
	case known != nil || custom[name] != "" || name == metric.ToolParameters:
	default:
		c.Skipped = true
	}
	return c
}

func readOptions(c *metric.Criterion, n *yaml.Node) {
	c.Threshold = readThreshold(n.Get("threshold"))
	c.WithIntermediate, _ = readBool(lookup(n, "include_intermediate_responses_in_final"))
	c.EachIntermediate, _ = readBool(lookup(n, "evaluate_intermediate_nl_responses"))
	c.IgnoreArgs, _ = readBool(lookup(n, "ignore_args"))
	if m, err := readMatch(lookup(n, "match_type")); err == nil {
		c.Match = m
	}
	c.Tolerance = readTolerance(n.Get("x_rubric"))
	c.Rubrics = readRubrics(n.Get("rubrics"))
	c.StopSignal = lookup(n, "stop_signal").Text()
	judge := lookup(n, "judge_model_options")
	samples, _ := readNumber(lookup(judge, "num_samples"))
	parallel, _ := readNumber(lookup(judge, "parallelism_limit"))
	c.Judge = metric.JudgeOptions{Model: lookup(judge, "judge_model").Text(), Samples: readCount(samples), Parallel: readCount(parallel)}
}

func readTolerance(n *yaml.Node) (t metric.Tolerance) {
	t.IgnoredArgs, t.Wildcard = readTexts(n.Get("ignored_args")), n.Get("wildcard").Text()
	t.Number, _ = readNumber(n.Get("number_tolerance"))
	t.PartialCredit, _ = readBool(n.Get("partial_credit"))
	return t
}

// readCount returns the number of questions to a judge, or 0 if the value is out of bounds.
func readCount(v float64) int {
	const maxSamples = 1000
	if v >= 1 && v <= maxSamples {
		return int(v)
	}
	return 0
}
