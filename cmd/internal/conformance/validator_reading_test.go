package conformance

import "github.com/rubric-ls/rubric/core/yaml"

// reading is how a version reads a tree. The seed's is the zero one, but for
// the roles.
type reading struct {
	roles  []string // of messages
	merges bool     // merge keys are read, and what holds itself is refused
	data   bool     // content may be a mapping, and nothing beside tool calls
}

// get is the value of a mapping's key, or nil.
func (r reading) get(n *yaml.Node, key string) *yaml.Node {
	if r.merges {
		return n.Get(key)
	}
	return ownValue(n, key)
}

// names are the keys of a mapping, in order.
func (r reading) names(n *yaml.Node) []string {
	if !r.merges {
		return keyNames(n)
	}
	var names []string
	for _, p := range n.Entries() {
		if name, ok := keyName(p); ok {
			names = append(names, name)
		}
	}
	return names
}
