package yaml

import (
	"slices"

	"github.com/rubric-ls/rubric/core/text"
)

// Kind is what a node is.
type Kind uint8

const (
	Scalar   Kind = iota // also an absent value: tag !!null and an empty span
	Mapping              // Pairs
	Sequence             // Items
	Alias                // Target, nil when no anchor has the name
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

// Tags of YAML 1.2's core schema. Any other tag is an explicit one, in full.
const (
	TagStr   = "!!str"
	TagNull  = "!!null"
	TagBool  = "!!bool"
	TagInt   = "!!int"
	TagFloat = "!!float"
	TagMap   = "!!map"
	TagSeq   = "!!seq"
)

// Node is one value in the tree. Nodes are immutable once parsed.
type Node struct {
	Kind   Kind
	Style  Style
	Tagged bool // Tag was written in the text
	// Recovered marks a node that lines were left out of, or a value that was
	// left out altogether: what it lacks may be in the text all the same.
	Recovered bool
	Tag       string // resolved; explicit tags keep their long or local form
	Value     string // a scalar's decoded text; an alias's name

	// Span covers exactly the node's own text: quotes and brackets included,
	// anchor and tag not. A block collection runs from its first key or dash
	// to its last value's end. An absent value is a caret after its `:` or `-`.
	Span text.Span
	// Props covers the anchor and tag written before the node; empty if none.
	Props  text.Span
	Anchor string

	Items  []*Node // of a sequence
	Pairs  []*Pair // of a mapping, in order, duplicates included
	Target *Node   // of an alias

	Parent *Node // nil at a document's root
	Key    *Pair // the pair whose value this is, if any
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
	Root          *Node // never nil: an empty document holds a null
	Span          text.Span
	ExplicitStart bool // began with ---
	ExplicitEnd   bool // ended with ...
}

// Tree is everything that was read from one source.
type Tree struct {
	Source   *text.Source
	Docs     []*Document // at least one
	Comments []Comment   // in order
	Problems []Problem   // in order of place

	anchorsBefore map[string]*Node // anchors that stand before a part
}

// Root is the first document's root.
func (t *Tree) Root() *Node { return t.Docs[0].Root }

// HasUnboundedAliases reports whether following aliases through the tree may take for ever,
// or as good as: an anchor holds itself, or aliases unfold beyond [Budget].
// Nothing but Any and JSON, which count, may follow them then.
func (t *Tree) HasUnboundedAliases() bool {
	return slices.ContainsFunc(t.Problems, func(p Problem) bool { return p.Kind == AliasCycle || p.Kind == ExpansionBudget })
}
