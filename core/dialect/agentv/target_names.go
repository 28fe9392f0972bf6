package agentv

import "github.com/rubric-ls/rubric/core/yaml"

// TargetNames are the names that a targets file defines, in its order; never
// nil.
func TargetNames(tree *yaml.Tree) []string {
	names := []string{}
	for _, n := range tree.Root().Get("targets").List() {
		if name, ok := n.Get("name").Str(); ok && name != "" {
			names = append(names, name)
		}
	}
	return names
}
