package assertion

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// trajectory reads the tool calls that are expected. What Stable added to the
// older versions' is left to the runner: its modes `subset` and `superset`, and
// other ways of comparing arguments.
func (r *reading) trajectory(g *rubric.Grader, n *yaml.Node) (keep bool) {
	mode, _ := n.Get("mode").Str()
	if mode == "subset" || mode == "superset" || comparesArguments(n) {
		g.Kind, g.Assert.Config = rubric.External, r.rest(n, nil)
		return true
	}
	return r.settings(g, n)
}

// comparesArguments reports whether a trajectory, or one of its steps, says how.
func comparesArguments(n *yaml.Node) bool {
	if first(n, "args_match", "argsMatch") != nil {
		return true
	}
	return slices.ContainsFunc(n.Get("expected").List(), func(step *yaml.Node) bool {
		return first(step, "args_match", "argsMatch") != nil
	})
}
