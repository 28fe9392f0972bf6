package yaml

import "strings"

// DetachValues makes the values of a tree no part of its text any more, so that who keeps
// some of them does not keep all of that. Short ones that are known already are not
// made once more; the new ones are known then. Like Move it is for who has just
// parsed the tree.
func (t *Tree) DetachValues(known map[string]string) {
	const short = 128 // bytes: longer values seldom come twice
	for _, doc := range t.Docs {
		Walk(doc.Root, func(n *Node) bool {
			if n.Value == "" {
				return true
			}
			own, ok := known[n.Value]
			if !ok {
				own = strings.Clone(n.Value)
				if len(own) <= short {
					known[own] = own
				}
			}
			n.Value = own
			return true
		})
	}
}
