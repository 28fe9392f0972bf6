package adk

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Settings are what a configuration means.
type Settings struct {
	Criteria []Criterion
	Custom   map[string]string // metrics of one's own, and the Python functions that they are
	Losses   []Loss
	amiss    string // why there may be no criteria, of a file that is not read as one
}

// Criterion is a metric with what is asked of it.
type Criterion struct {
	metric.Criterion
	Skipped bool       // ADK would not evaluate it
	Node    *yaml.Node // what stands under its name
	Key     *yaml.Node // its name
}

// Defaults are what ADK measures without a configuration.
func Defaults() []metric.Criterion {
	return []metric.Criterion{{Metric: metric.ToolTrajectory, Threshold: 1}, {Metric: metric.ResponseMatch, Threshold: 0.8}}
}

// Asked is what is to be measured. An error says that it is nothing, or that a
// threshold is none.
func (s Settings) Asked() ([]metric.Criterion, error) {
	var criteria []metric.Criterion
	for _, c := range s.Criteria {
		if math.IsNaN(c.Threshold) || math.IsInf(c.Threshold, 0) {
			return nil, fmt.Errorf("`%s` has no finite number as its threshold", c.Metric)
		}
		criteria = append(criteria, c.Criterion)
	}
	if len(criteria) == 0 {
		return nil, errors.New(cmp.Or(s.amiss, "names no metrics under `criteria`"))
	}
	return criteria, nil
}

// told are figures that ADK tells of every run and that have no threshold.
var told = map[string]bool{"tool_call_count_v1": true, "inference_call_count_v1": true, "token_usage_v1": true, "invocation_duration_v1": true}

// LowerConfig reads a configuration. Whatever ADK would make of it, all that can
// be read is there.
func LowerConfig(p metric.Profile, f File) Settings {
	r := begin(p, f)
	s := Settings{Custom: map[string]string{}, amiss: f.otherThanConfig()}
	root := f.Tree.Root()
	if f.Tree.Endless() || !root.IsMap() {
		r.add(NotJSON, Refuses, root, "")
		s.Losses = r.list
		return s
	}
	r.misfits(Refusals(p, ConfigFile, root))
	for _, c := range get(root, "custom_metrics").Entries() {
		s.Custom[c.Key.Value] = str(get(get(c.Value, "code_config"), "name"))
	}
	for _, entry := range root.Get("criteria").Entries() {
		s.Criteria = append(s.Criteria, r.criterion(entry, s.Custom))
	}
	s.Losses = r.list
	return s
}

// otherThanConfig is what a file is that holds no configuration; empty if nothing tells.
func (f File) otherThanConfig() string {
	root := f.Tree.Root()
	switch {
	case f.JSON && f.Fault != nil:
		return fmt.Sprintf("is no JSON from line %d on", f.Tree.Source.OffsetLine(f.Fault.Start)+1)
	case root == nil:
		return "is empty"
	case !root.IsMap():
		return "is no configuration, which is an object with `criteria`"
	case get(root, "eval_cases") != nil:
		return "is an evalset, and no configuration"
	}
	return ""
}

func (r *reader) criterion(entry *yaml.Pair, custom map[string]string) Criterion {
	name, n := entry.Key.Value, entry.Value
	read, refusals := CriterionOf(r.profile, name, n)
	c := Criterion{Criterion: read, Skipped: len(refusals) > 0, Key: entry.Key, Node: n}
	known := criteriaType.Field(name)
	switch {
	case known != nil && n.IsMap():
		before := len(r.list)
		r.repeated(nil, n.Get("rubrics"))
		c.Skipped = c.Skipped || len(r.list) > before && c.rubricBased()
	case known != nil || custom[name] != "" || name == metric.ToolParameters:
	case told[name]:
		r.add(Informational, Skips, entry.Key, name)
		c.Skipped = true
	default:
		r.add(UnknownMetric, Skips, entry.Key, name)
		c.Skipped = true
	}
	return c
}

func (c Criterion) rubricBased() bool {
	return c.Metric == metric.ResponseQuality || c.Metric == metric.ToolQuality
}

// options reads all that any metric takes.
func options(c *metric.Criterion, n *yaml.Node) {
	c.Threshold = threshold(n.Get("threshold"))
	c.WithIntermediate, _ = truth(get(n, "include_intermediate_responses_in_final"))
	c.EachIntermediate, _ = truth(get(n, "evaluate_intermediate_nl_responses"))
	c.IgnoreArgs, _ = truth(get(n, "ignore_args"))
	if m, err := matchOf(get(n, "match_type")); err == nil {
		c.Match = m
	}
	c.Rubrics = rubrics(n.Get("rubrics"))
	c.StopSignal = str(get(n, "stop_signal"))
	judge := get(n, "judge_model_options")
	samples, _ := number(get(judge, "num_samples"))
	parallel, _ := number(get(judge, "parallelism_limit"))
	c.Judge = metric.JudgeOptions{Model: str(get(judge, "judge_model")), Samples: count(samples), Parallel: count(parallel)}
}

// count is a number that a judge can be asked; one that is absurd is none.
func count(v float64) int {
	const most = 1000
	if v >= 1 && v <= most {
		return int(v)
	}
	return 0
}
