package conformance

import (
	"slices"

	"github.com/rubric-ls/rubric/core/yaml"
)

var (
	runKeys    = keySet{known: []string{"threshold", "repeat", "timeout_seconds", "budget_usd"}, unknown: "unknown_field", strict: true}
	repeatKeys = keySet{known: []string{"count", "strategy", "early_exit", "cost_limit_usd"}, unknown: "unknown_field", strict: true}
	strategies = []string{"pass_any", "pass_all", "mean", "confidence_interval"}
)

// runs checks how a case is to be run.
func (f *findings) runs(n *yaml.Node, path string) {
	if n == nil {
		return
	}
	if !n.IsMap() {
		f.add("run_wrong_type", path)
		return
	}
	f.keys(n, path, runKeys)
	f.limits(n, path, limit{"threshold", isShare}, limit{"timeout_seconds", aboveZero}, limit{"budget_usd", aboveZero})
	f.repeat(f.get(n, "repeat"), path+".repeat")
}

// repeatOrCount checks how often something is done, a number or in full.
func (f *findings) repeatOrCount(n *yaml.Node, path string) {
	if count, ok := n.Number(); !ok {
		f.repeat(n, path)
	} else if !isCount(count) {
		f.add("repeat_invalid", path)
	}
}

func (f *findings) repeat(n *yaml.Node, path string) {
	if n == nil {
		return
	}
	if !n.IsMap() {
		f.add("repeat_wrong_type", path)
		return
	}
	f.keys(n, path, repeatKeys)
	if count, ok := f.get(n, "count").Number(); !ok || !isCount(count) {
		f.add("count_invalid", path+".count")
	}
	strategy := f.get(n, "strategy")
	if name, _ := strategy.Str(); strategy != nil && !slices.Contains(strategies, name) {
		f.add("strategy_invalid", path+".strategy")
	}
	early := f.get(n, "early_exit")
	if _, ok := early.Bool(); early != nil && !ok {
		f.add("early_exit_invalid", path+".early_exit")
	}
	f.limits(n, path, limit{"cost_limit_usd", notBelow0})
}
