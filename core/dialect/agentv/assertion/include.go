package assertion

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// maxIncludeDepth is the maximum nesting of templates.
const maxIncludeDepth = 3

// maxTemplateItems limits the size of a template, because every test may include it.
const maxTemplateItems = 1000

// listItem is one item of a list after templates are expanded.
type listItem struct {
	node *yaml.Node
	at   *text.Span // the span of the include; nil for an item of the file itself
}

// expandIncludes replaces includes by the items of their templates. Chain holds the paths of the
// templates that contain n.
func (r *listReader) expandIncludes(n *yaml.Node, chain []string) (items []listItem) {
	for _, node := range n.List() {
		ref := includeRef(node)
		if ref == nil {
			items = append(items, listItem{node, r.At})
			continue
		}
		before := r.At
		if before == nil {
			r.At = new(node.Span)
		}
		items = append(items, r.readTemplate(ref, chain)...)
		r.At = before
	}
	return items
}

// includeRef returns the template's name if `include` is the only key of an item, else nil.
func includeRef(n *yaml.Node) *yaml.Node {
	ref := n.Get("include")
	if _, ok := ref.Str(); !ok || len(n.Entries()) != 1 {
		return nil
	}
	return ref
}

func (r *listReader) readTemplate(ref *yaml.Node, chain []string) []listItem {
	name := ref.Text()
	if r.Include == nil {
		r.AddLoss(IncludeUnread, rubric.Silent, ref, name)
		return nil
	}
	if len(chain) == maxIncludeDepth {
		r.refuseCase(IncludeDepth, ref, name)
		return nil
	}
	from := ""
	if len(chain) > 0 {
		from = chain[len(chain)-1]
	}
	path, tree := r.Include(name, from)
	switch {
	case tree == nil:
		r.refuseCase(IncludeMissing, ref, name)
		return nil
	case slices.Contains(chain, path):
		r.refuseCase(IncludeCycle, ref, name)
		return nil
	}
	list := tree.Root().Get(r.keys.lists[0])
	if tree.HasUnboundedAliases() || !list.IsSeq() {
		r.refuseCase(IncludeInvalid, ref, name)
		return nil
	}
	if len(list.List()) > maxTemplateItems {
		r.AddLoss(IncludeUnread, rubric.Silent, ref, name)
		return nil
	}
	return r.expandIncludes(list, append(slices.Clone(chain), path))
}
