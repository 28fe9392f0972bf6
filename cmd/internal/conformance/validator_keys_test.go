package conformance

import (
	"slices"

	"github.com/rubric-ls/rubric/core/yaml"
)

// keySet is what a version makes of a mapping's keys.
type keySet struct {
	known      []string
	deprecated map[string]string // read, with a warning of this category
	removed    []string          // KEY_removed, an error
	prefix     string            // before the category of what is removed
	unknown    string            // the category of all others
	strict     bool              // for which unknown is an error
}

// keys reports the keys of n that are not plainly known, in order.
func (f *findings) keys(n *yaml.Node, path string, set keySet) {
	for _, key := range f.names(n) {
		category, old := set.deprecated[key]
		switch {
		case old:
			f.warn(category, keyPath(path, key))
		case slices.Contains(set.removed, key):
			f.add(set.prefix+key+"_removed", keyPath(path, key))
		case slices.Contains(set.known, key):
		case set.strict:
			f.add(set.unknown, keyPath(path, key))
		default:
			f.warn(set.unknown, keyPath(path, key))
		}
	}
}

// keyPath is the path of a key.
func keyPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
