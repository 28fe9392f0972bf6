package conformance

import (
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// refused reports whether the reference implementation's YAML reader stops at
// the file: it takes one document, and what it cannot place it does not guess.
func (r reading) refused(tree *yaml.Tree) bool {
	if len(tree.Docs) > 1 {
		return true
	}
	for _, p := range tree.Problems {
		switch p.Kind {
		case yaml.SyntaxProblem, yaml.DuplicateKey, yaml.UnknownAlias, yaml.IndentProblem, yaml.ExpansionBudget,
			yaml.DepthProblem, yaml.TooLargeProblem:
			return true
		case yaml.BadMerge, yaml.AliasCycle:
			if r.merges {
				return true
			}
		}
	}
	return !r.merges && mergesTwice(tree.Root())
}

// mergesTwice reports whether a mapping has two `<<`. They are keys like any
// other to the seed, and so the second is a duplicate.
func mergesTwice(root *yaml.Node) (found bool) {
	yaml.Walk(root, func(n *yaml.Node) bool {
		merges := 0
		for _, p := range n.Pairs {
			if name, ok := keyName(p); ok && name == "<<" {
				merges++
			}
		}
		found = found || merges > 1
		return !found
	})
	return found
}

// document is the root of a file that is read, else nil, which is reported.
func (f *findings) document(tree *yaml.Tree) *yaml.Node {
	if f.refused(tree) {
		f.add("yaml_syntax", "")
		return nil
	}
	return tree.Root()
}

// root is the document's root if it is a mapping; otherwise that is reported.
func (f *findings) root(tree *yaml.Tree) *yaml.Node {
	root := f.document(tree)
	if root == nil || root.IsMap() {
		return root
	}
	f.add("root_not_object", "")
	return nil
}

// ownValue is the value of a mapping's key, or nil. Unlike Get it takes nothing from
// merge keys.
func ownValue(n *yaml.Node, key string) *yaml.Node {
	if !n.IsMap() {
		return nil
	}
	for _, p := range n.Follow().Pairs {
		if name, ok := keyName(p); ok && name == key {
			return p.Value
		}
	}
	return nil
}

// ownValueOr is the value of key unless that is absent or null, else that of
// other.
func ownValueOr(n *yaml.Node, key, other string) *yaml.Node {
	if value := ownValue(n, key); !value.IsNull() {
		return value
	}
	return ownValue(n, other)
}

// keyNames are the names in a mapping, in order.
func keyNames(n *yaml.Node) []string {
	var names []string
	for _, p := range n.Follow().Pairs {
		if name, ok := keyName(p); ok {
			names = append(names, name)
		}
	}
	return names
}

func keyName(p *yaml.Pair) (string, bool) {
	key := p.Key.Follow()
	if key == nil || key.Kind != yaml.Scalar {
		return "", false
	}
	return key.Value, true
}

// isBlank reports whether n is anything but a text with something in it.
func isBlank(n *yaml.Node) bool {
	text, _ := n.Str()
	return strings.TrimSpace(text) == ""
}
