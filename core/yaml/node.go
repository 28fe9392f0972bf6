package yaml

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// Kind is the kind of a node.
type Kind uint8

const (
	Scalar   Kind = iota // also an absent value: tag !!null and an empty span
	Mapping              // Pairs
	Sequence             // Items
	Alias                // Target is nil if no anchor has the name
)

// Style is how a node is written.
type Style uint8

const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal // |
	Folded  // >
	Block   // a mapping or sequence by indentation
	Flow    // a mapping or sequence in brackets
)

// Tags of YAML 1.2's core schema. Any other tag is explicit, in full.
const (
	TagStr   = "!!str"
	TagNull  = "!!null"
	TagBool  = "!!bool"
	TagInt   = "!!int"
	TagFloat = "!!float"
	TagMap   = "!!map"
	TagSeq   = "!!seq"
)

// Node is one value in the tree. Nodes are immutable after parsing.
type Node struct {
	Kind   Kind
	Style  Style
	Tagged bool // Tag is written in the text
	// Recovered marks a node that lost lines to error recovery, or a value that was left out. The
	// missing part may still be in the text.
	Recovered bool
	Tag       string // resolved; explicit tags keep their long or local form
	Value     string // a scalar's decoded text; an alias's name

	// Span covers the node's own text with quotes and brackets, without anchor and tag. A block
	// collection spans from its first key or dash to the end of its last value. An absent value is
	// empty, after its `:` or `-`.
	Span text.Span
	// Props covers the anchor and tag before the node; empty if there are none.
	Props  text.Span
	Anchor string

	Items  []*Node // of a sequence
	Pairs  []*Pair // of a mapping, in order, duplicates included
	Target *Node   // of an alias

	Parent *Node // nil at a document's root
	Key    *Pair // the pair whose value this node is; nil for items, keys and roots
	Index  int   // position among Parent's items or pairs
}

// Pair is one entry of a mapping. Key and Value are never nil.
type Pair struct {
	Key   *Node
	Value *Node
}

// Span covers the entry from its key to its value's end.
func (p *Pair) Span() text.Span { return p.Key.Span.Cover(p.Value.Span) }

// Comment is one comment; its span runs from `#` to the line's end.
type Comment struct {
	Text string // without the leading `#` and the space after it
	Span text.Span
}

// Document is one YAML document of a stream.
type Document struct {
	Root          *Node // never nil: the root of an empty document is a null
	Span          text.Span
	ExplicitStart bool // began with ---
	ExplicitEnd   bool // ended with ...
}

// Tree is the result of parsing one source.
type Tree struct {
	Source   *text.Source
	Docs     []*Document // at least one
	Comments []Comment   // in order
	Problems []Problem   // in order of position

	anchorsBefore map[string]*Node // anchors before a chunk
}

// Root returns the root of the first document.
func (t *Tree) Root() *Node { return t.Docs[0].Root }

// HasUnboundedAliases reports whether following aliases may not end in reasonable time: an anchor
// contains itself, or aliases expand beyond [MaxExpandedNodes]. Then only Any and EncodeJSON, which
// count nodes, may follow them.
func (t *Tree) HasUnboundedAliases() bool {
	return slices.ContainsFunc(t.Problems, func(p Problem) bool { return p.Kind == AliasCycle || p.Kind == ExpansionBudget })
}

func (n *Node) addItem(item *Node) {
	item.Parent, item.Index = n, len(n.Items)
	n.Items = append(n.Items, item)
}

func (n *Node) addPair(p *Pair) {
	p.Key.Parent, p.Key.Index = n, len(n.Pairs)
	p.Value.Parent, p.Value.Index, p.Value.Key = n, len(n.Pairs), p
	n.Pairs = append(n.Pairs, p)
}

// Follow returns n or the target of an alias, which is never an alias itself. It returns nil for an
// unresolved or circular alias.
func (n *Node) Follow() *Node {
	if n != nil && n.Kind == Alias {
		return n.Target
	}
	return n
}

// IsNull reports whether the node is absent, empty or null.
func (n *Node) IsNull() bool {
	f := n.Follow()
	return f == nil || f.Kind == Scalar && f.Tag == TagNull
}

// IsMap reports whether the node, aliases followed, is a mapping.
func (n *Node) IsMap() bool { f := n.Follow(); return f != nil && f.Kind == Mapping }

// IsSeq reports whether the node, aliases followed, is a sequence.
func (n *Node) IsSeq() bool { f := n.Follow(); return f != nil && f.Kind == Sequence }

// Str returns the text of a string scalar.
func (n *Node) Str() (string, bool) {
	if f := n.Follow(); f != nil && f.Kind == Scalar && f.Tag == TagStr {
		return f.Value, true
	}
	return "", false
}

// Text returns the text of a string scalar, or "" for any other node.
func (n *Node) Text() string {
	text, _ := n.Str()
	return text
}

// Number returns the value of an int or float, including infinities and NaN.
func (n *Node) Number() (float64, bool) {
	f := n.Follow()
	if f == nil || f.Kind != Scalar || f.Tag != TagInt && f.Tag != TagFloat {
		return 0, false
	}
	return parseNumber(f.Value)
}

// Bool returns the value of a boolean.
func (n *Node) Bool() (value, ok bool) {
	if f := n.Follow(); f != nil && f.Kind == Scalar && f.Tag == TagBool {
		return strings.EqualFold(f.Value, "true"), true
	}
	return false, false
}

// List returns the items of a sequence, aliases followed; nil for other nodes.
func (n *Node) List() []*Node {
	if f := n.Follow(); f != nil && f.Kind == Sequence {
		return f.Items
	}
	return nil
}

// Get returns the value for key in a mapping, merge keys included, or nil. The last of duplicate
// keys wins, as in the runners' loaders.
func (n *Node) Get(key string) *Node {
	if p := n.Pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Path returns the path to the node in the notation of the runners' messages, such as
// evalcases[0].input_messages[1].content; "" for the root.
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
