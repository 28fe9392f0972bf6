package yaml

import (
	"strconv"
	"strings"
)

// Follow is the node itself, or what an alias leads to, which is never an alias
// again; nil for an alias that leads nowhere or only to itself.
func (n *Node) Follow() *Node {
	if n != nil && n.Kind == Alias {
		return n.Target
	}
	return n
}

// IsNull reports whether the node is absent, empty or written null.
func (n *Node) IsNull() bool {
	f := n.Follow()
	return f == nil || f.Kind == Scalar && f.Tag == TagNull
}

// IsMap reports whether the node, aliases followed, is a mapping.
func (n *Node) IsMap() bool { f := n.Follow(); return f != nil && f.Kind == Mapping }

// IsSeq reports whether the node, aliases followed, is a sequence.
func (n *Node) IsSeq() bool { f := n.Follow(); return f != nil && f.Kind == Sequence }

// Str is a string scalar's text.
func (n *Node) Str() (string, bool) {
	if f := n.Follow(); f != nil && f.Kind == Scalar && f.Tag == TagStr {
		return f.Value, true
	}
	return "", false
}

// Number is an int's or float's value, infinities and NaN included.
func (n *Node) Number() (float64, bool) {
	f := n.Follow()
	if f == nil || f.Kind != Scalar || f.Tag != TagInt && f.Tag != TagFloat {
		return 0, false
	}
	return parseNumber(f.Value)
}

// Bool is a boolean's value.
func (n *Node) Bool() (value, ok bool) {
	if f := n.Follow(); f != nil && f.Kind == Scalar && f.Tag == TagBool {
		return strings.EqualFold(f.Value, "true"), true
	}
	return false, false
}

// List is the items of a sequence, aliases followed; nil for anything else.
func (n *Node) List() []*Node {
	if f := n.Follow(); f != nil && f.Kind == Sequence {
		return f.Items
	}
	return nil
}

// Get is the value of a mapping's key, merge keys included, or nil. Of
// duplicate keys the last wins, as in the runners' loaders.
func (n *Node) Get(key string) *Node {
	if p := n.Pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Path is where the node is, in the notation of the runners' messages:
// evalcases[0].input_messages[1].content; "" at the root.
func (n *Node) Path() string {
	if n == nil || n.Parent == nil {
		return ""
	}
	up := n.Parent.Path()
	if n.Parent.Kind == Sequence {
		return up + "[" + strconv.Itoa(n.Index) + "]"
	}
	name := "?"
	if n.Key != nil {
		name = n.Key.Key.Value
	}
	if up == "" {
		return name
	}
	return up + "." + name
}
