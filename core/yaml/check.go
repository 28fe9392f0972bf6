package yaml

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// MaxExpandedNodes limits the number of nodes that aliases and merge keys may expand to in one
// document.
const MaxExpandedNodes = 10_000

// A checker walks one document once, in order, and reports legal YAML that is never meant.
type checker struct {
	tree    *Tree
	anchors map[string]*Node // the latest node of each name so far
}

func (c *checker) checkNode(n *Node) {
	if n.Anchor != "" && n.Kind != Alias {
		c.anchors[n.Anchor] = n
	}
	switch n.Kind {
	case Alias:
		c.checkAlias(n)
	case Sequence:
		for _, item := range n.Items {
			c.checkNode(item)
		}
	case Mapping:
		for _, p := range n.Pairs {
			c.checkNode(p.Key)
			c.checkNode(p.Value)
			c.checkPair(p)
		}
		if mayHaveDuplicates(n) {
			c.checkDuplicates(n)
		}
	}
}

func (c *checker) checkAlias(n *Node) {
	target := c.anchors[n.Value]
	if target == nil {
		c.report(UnknownAlias, n.Span, "alias `*%s` has no anchor `&%s` before it", n.Value, n.Value)
		return
	}
	for up := n.Parent; up != nil; up = up.Parent {
		if up == target {
			c.report(AliasCycle, n.Span, "alias `*%s` is inside the value it names", n.Value).Note = target.Props
			return
		}
	}
	n.Target = target
	n.Tag = target.Tag
}

func (c *checker) checkPair(p *Pair) {
	if pos := p.Key.Span.Start; p.Key.Span.Empty() && p.Key.Props.Empty() && p.Key.Parent.Style == Block && strings.HasPrefix(c.tree.Source.Body[pos:], ":") {
		c.report(EmptyKey, text.Span{Start: pos, End: max(pos+1, p.Value.Span.End)}, "nothing precedes this `:`, so the key is empty")
	}
	if !p.IsMerge() {
		return
	}
	sources, ok := p.mergeSources()
	if !ok {
		c.report(BadMerge, p.Value.Span, "`<<` takes a mapping or a list of mappings, found %s", describeKind(p.Value))
	}
	for _, source := range sources {
		if !source.IsMap() {
			c.report(BadMerge, source.Span, "`<<` takes mappings, found %s", describeKind(source))
		}
	}
}

// mayHaveDuplicates is false for a mapping without duplicate keys. For few pairs the answer is
// exact and needs no memory; for many it is always true.
func mayHaveDuplicates(n *Node) bool {
	const few = 16 // pairs for which comparing each two is faster than a map
	if len(n.Pairs) > few {
		return true
	}
	for i, p := range n.Pairs {
		for _, before := range n.Pairs[:i] {
			if len(p.Key.Value) == len(before.Key.Value) && p.Key.Value == before.Key.Value || p.Key.Kind == Alias || before.Key.Kind == Alias {
				return true
			}
		}
	}
	return false
}

func (c *checker) checkDuplicates(n *Node) {
	first := make(map[string]*Node, len(n.Pairs))
	for _, p := range n.Pairs {
		name, ok := p.keyText()
		if !ok || p.IsMerge() {
			continue
		}
		if before := first[name]; before != nil {
			c.report(DuplicateKey, p.Key.Span, "key `%s` is given twice in one mapping, the last one counts", name).Note = before.Span
			continue
		}
		first[name] = p.Key
	}
}

// CheckExpansion reports the first alias that expands a document beyond MaxExpandedNodes.
func (t *Tree) CheckExpansion(root *Node) {
	c, sizes := &checker{tree: t}, map[*Node]int{}
	total := 0
	Walk(root, func(n *Node) bool {
		if n.Kind == Alias && n.Target != nil && total <= MaxExpandedNodes {
			total += expandedSize(n.Target, sizes)
			if total > MaxExpandedNodes {
				c.report(ExpansionBudget, n.Span, "aliases expand to more than %d nodes here", MaxExpandedNodes).Note = n.Target.Span
			}
		}
		return true
	})
}

// expandedSize counts the nodes that n expands to, up to MaxExpandedNodes+1, as for one that contains itself. Caching in
// sizes makes this linear.
func expandedSize(n *Node, sizes map[*Node]int) int {
	if known, ok := sizes[n]; ok {
		return known
	}
	total := 1
	sizes[n] = MaxExpandedNodes + 1 // until it is known
	switch n.Kind {
	case Alias:
		if n.Target != nil {
			total += expandedSize(n.Target, sizes)
		}
	case Sequence:
		for _, item := range n.Items {
			total += expandedSize(item, sizes)
		}
	case Mapping:
		for _, p := range n.Pairs {
			total += expandedSize(p.Key, sizes) + expandedSize(p.Value, sizes)
		}
	}
	sizes[n] = min(total, MaxExpandedNodes+1)
	return sizes[n]
}

func (c *checker) report(kind ProblemKind, span text.Span, format string, args ...any) *Problem {
	c.tree.Problems = append(c.tree.Problems, Problem{Kind: kind, Span: span, Message: fmt.Sprintf(format, args...)})
	return &c.tree.Problems[len(c.tree.Problems)-1]
}

func describeKind(n *Node) string {
	f := n.Follow()
	switch {
	case f == nil:
		return "an unknown alias"
	case f.Kind == Sequence:
		return "a list"
	case f.IsNull():
		return "nothing"
	}
	return "`" + f.Value + "`"
}
