package conformance

import (
	"slices"

	"github.com/rubric-ls/rubric/core/yaml"
)

// configFindings checks an .agentv/config.yaml. It is valid without an error; warnings
// do not count. A list passes for a mapping of which no key is known.
func configFindings(tree *yaml.Tree) []finding {
	f := &findings{}
	root := f.document(tree)
	switch {
	case root == nil:
	case root.IsSeq():
		if len(root.List()) > 0 {
			f.warn("config_key_unknown", "")
		}
	case root.IsMap():
		f.config(root)
	default:
		f.add("root_not_object", "")
	}
	return f.list
}

func (f *findings) config(root *yaml.Node) {
	if schema := ownValue(root, "$schema"); schema != nil {
		if id, _ := schema.Str(); id != "agentv-config-v2" {
			f.add("schema_invalid", "$schema")
		}
	}
	if patterns := ownValue(root, "guideline_patterns"); patterns != nil {
		f.patterns(patterns, "guideline_patterns")
	}
	// One warning names all of them, and so has no place.
	known := []string{"$schema", "guideline_patterns"}
	if slices.ContainsFunc(keyNames(root), func(key string) bool { return !slices.Contains(known, key) }) {
		f.warn("config_key_unknown", "")
	}
}

func (f *findings) patterns(n *yaml.Node, path string) {
	isText := func(item *yaml.Node) bool { _, ok := item.Str(); return ok }
	switch items := n.List(); {
	case !n.IsSeq():
		f.add("guideline_patterns_not_array", path)
	case len(items) == 0:
		f.warn("guideline_patterns_empty", path)
	case slices.ContainsFunc(items, func(item *yaml.Node) bool { return !isText(item) }):
		f.add("guideline_patterns_not_strings", path)
	}
}
