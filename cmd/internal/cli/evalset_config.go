package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
)

// loadConfig finds what to measure: in the file that the options name, or in the
// test_config.json beside the evalset, as ADK looks for it. Without one the
// criteria are ADK's own.
func (e *evalset) loadConfig(o *evalsetOptions) error {
	path, read := o.configPath, host.ReadArgument
	if path == "" {
		read = host.ReadFile
		path = configPathFor(e.path)
		if !host.Exists(path) {
			e.configNote = "there is no " + path + "; measured is what ADK measures without one"
			return e.selectMetrics(adk.DefaultCriteria(), o)
		}
	}
	body, err := read(path)
	if err != nil {
		return err
	}
	e.config, e.configBody = path, body
	criteria, err := adk.LowerConfig(e.profile, adk.Open(path, body)).RequestedCriteria()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return e.selectMetrics(criteria, o)
}

// configPathFor is where ADK looks for an evalset's configuration.
func configPathFor(evalset string) string {
	return filepath.Join(filepath.Dir(evalset), adk.ConfigName)
}

// selectMetrics keeps the metrics that the options ask for.
func (e *evalset) selectMetrics(criteria []metric.Criterion, o *evalsetOptions) error {
	var names []string
	for _, c := range criteria {
		names = append(names, c.Metric)
		if len(o.metrics) == 0 || slices.Contains(o.metrics, c.Metric) {
			e.criteria = append(e.criteria, c)
		}
	}
	for _, name := range o.metrics {
		if !slices.Contains(names, name) {
			return fmt.Errorf("--metric: the configuration has no `%s`%s", name, spell.DidYouMeanOr(name, names, "it has "+diag.JoinList(diag.Backtick(names), "and")))
		}
	}
	return nil
}

// setSampleCount sets how often a judge is asked: as the person says, or else as the
// configuration does. The stand-in says the same every time, and is asked once,
// unless it is recorded: a replay is asked as often as anyone else.
func (o *runOptions) setSampleCount(suite loadedSuite) {
	samples := 0
	switch {
	case o.samplesSet:
		samples = o.samples
	case suite.judge.name() == offline.Name && o.record == "":
		samples = 1
	}
	if samples > 0 {
		*suite.evaluation = suite.evaluation.WithSamples(samples)
	}
}
