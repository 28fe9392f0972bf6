package reference

import "github.com/rubric-ls/rubric/core/yaml"

// Config checks an .agentv/config.yaml. It is valid without an error; warnings
// do not count.
func Config(tree *yaml.Tree) []Finding {
	f := &findings{}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	for _, p := range root.Entries() {
		switch key := p.Key.Value; key {
		case "$schema":
		case "guideline_patterns":
			f.patterns(p.Value)
		default:
			f.warn("config_key_unknown", key)
		}
	}
	return f.list
}

func (f *findings) patterns(n *yaml.Node) {
	const path = "guideline_patterns"
	if !n.IsSeq() {
		f.add("guideline_patterns_not_array", path)
		return
	}
	if len(n.List()) == 0 {
		f.warn("guideline_patterns_empty", path)
	}
	for _, item := range n.List() {
		if _, ok := item.Str(); !ok {
			f.add("guideline_patterns_not_strings", path)
			return
		}
	}
}
