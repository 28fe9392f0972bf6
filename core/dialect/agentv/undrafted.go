package agentv

import "github.com/rubric-ls/rubric/core/yaml"

// Undrafted are the cases of an eval file that criteria can be drafted for:
// mappings with an expected outcome and without the key `rubrics`, whatever its
// value would be. An empty list says that none are wanted.
func Undrafted(root *yaml.Node) []*yaml.Node {
	var cases []*yaml.Node
	for _, n := range root.Get("evalcases").List() {
		outcome, _ := firstText(n, "expected_outcome", "outcome").Str()
		if n.IsMap() && outcome != "" && n.Get("rubrics") == nil {
			cases = append(cases, n.Follow())
		}
	}
	return cases
}
