package yaml

import (
	"encoding/json"
	"math"
	"strconv"
)

// Any is the node as plain Go values: map[string]any, []any, string, bool, nil,
// and float64 for every number, as encoding/json has it, so that a value of a
// YAML file equals the same value in a reply. Aliases are expanded and merge
// keys resolved, all in all up to Budget nodes; what is beyond is nil, which
// [Parse] has reported. Keys are their text; a key that is a collection is left
// out.
func (n *Node) Any() any {
	e := &expander{}
	return e.expand(n, false)
}

// Exact is Any with every number as a [json.Number]: as it is written where JSON
// would write it so. What JSON has no number for, as .inf, is its text.
func (n *Node) Exact() any {
	e := &expander{exact: true}
	return e.expand(n, false)
}

// expander counts what it reaches through aliases only: a large file without
// any has a right to all its nodes.
type expander struct {
	expanded int
	exact    bool // numbers keep their digits
}

// exceedsLimit spends one node and reports whether that was too much.
func (e *expander) exceedsLimit() bool {
	e.expanded++
	return e.expanded > MaxExpandedNodes
}

func (e *expander) expand(n *Node, aliased bool) any {
	if n != nil && n.Kind == Alias {
		n, aliased = n.Follow(), true
	}
	if n == nil || aliased && e.exceedsLimit() {
		return nil
	}
	switch n.Kind {
	case Mapping:
		out := make(map[string]any, len(n.Pairs))
		for _, p := range n.Entries() {
			name, _ := p.keyText()
			out[name] = e.expand(p.Value, aliased || p.Key.Parent != n)
		}
		return out
	case Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = e.expand(item, aliased)
		}
		return out
	}
	value := n.scalarValue()
	if number, ok := value.(float64); ok && e.exact {
		return n.jsonNumber(number)
	}
	return value
}

// jsonNumber is a number as JSON writes it, the scalar's own way if that is one.
func (n *Node) jsonNumber(number float64) any {
	switch {
	case json.Valid([]byte(n.Value)):
		return json.Number(n.Value)
	case math.IsInf(number, 0) || math.IsNaN(number):
		return n.Value
	}
	return json.Number(strconv.FormatFloat(number, 'g', -1, 64))
}

func (n *Node) scalarValue() any {
	switch n.Tag {
	case TagNull:
		return nil
	case TagBool:
		value, _ := n.Bool()
		return value
	case TagInt, TagFloat:
		if number, ok := n.Number(); ok {
			return number
		}
	}
	return n.Value
}
