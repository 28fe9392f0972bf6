package assertion

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// deepest is how far templates may include templates.
const deepest = 3

// mostIncluded is how many items a template may have: every test may include it.
const mostIncluded = 1000

// item is one item of a list once templates are taken in.
type item struct {
	node  *yaml.Node
	place *text.Span // where the file includes it; nil if it stands in the file
}

// expand puts the items of templates in the place of what includes them. Chain
// is the paths of the templates within which n stands.
func (r *reading) expand(n *yaml.Node, chain []string) (items []item) {
	for _, node := range n.List() {
		ref := included(node)
		if ref == nil {
			items = append(items, item{node, r.place})
			continue
		}
		before := r.place
		if before == nil {
			span := node.Span
			r.place = &span
		}
		items = append(items, r.template(ref, chain)...)
		r.place = before
	}
	return items
}

// included is the template's name in an item that is an `include` and nothing
// else, or nil.
func included(n *yaml.Node) *yaml.Node {
	ref := n.Get("include")
	if _, ok := ref.Str(); !ok || len(n.Entries()) != 1 {
		return nil
	}
	return ref
}

func (r *reading) template(ref *yaml.Node, chain []string) []item {
	name, _ := ref.Str()
	if r.Include == nil {
		r.lose(IncludeUnread, rubric.Silent, ref, name)
		return nil
	}
	if len(chain) == deepest {
		r.refuse(IncludeDepth, ref, name)
		return nil
	}
	from := ""
	if len(chain) > 0 {
		from = chain[len(chain)-1]
	}
	path, tree := r.Include(name, from)
	switch {
	case tree == nil:
		r.refuse(IncludeMissing, ref, name)
		return nil
	case slices.Contains(chain, path):
		r.refuse(IncludeCycle, ref, name)
		return nil
	}
	list := first(tree.Root(), r.words.lists...)
	if tree.Endless() || !list.IsSeq() {
		r.refuse(IncludeInvalid, ref, name)
		return nil
	}
	if len(list.List()) > mostIncluded {
		r.lose(IncludeUnread, rubric.Silent, ref, name)
		return nil
	}
	return r.expand(list, append(slices.Clone(chain), path))
}
