package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Hover is what is told of a place.
type Hover struct {
	Span     text.Span // what it is about
	Markdown string
}

// HoverAt tells what stands at an offset: what the field table says of it, and
// what it comes to here. False where there is nothing to tell.
func HoverAt(p *analysis.Chunk, offset int, results Results) (Hover, bool) {
	for _, c := range p.Tree.Comments {
		if c.Span.Touches(offset) {
			return hoverIgnoreComment(p, c, offset)
		}
	}
	n := hoverTarget(p.Tree.NodeAt(offset), offset)
	if n == nil {
		return Hover{}, false
	}
	s := schemaContextOf(p, n)
	var page []string
	switch doc := schemaDoc(p, s, n); {
	case isKey(n) && pairOf(n).IsMerge():
		page = append(page, "**`<<`**: takes in the keys of another mapping, or of several, that this one does not have")
	case doc != "":
		page = append(page, doc)
	}
	if n.Kind == yaml.Alias && n.Target != nil {
		page = append(page, inlineCode("*"+n.Value)+" stands for "+inlineCode(p.Source.Slice(n.Target.Span)))
	}
	if facts := factsAt(p, n, s, results); facts != "" {
		page = append(page, strings.TrimSpace(facts))
	}
	if len(page) == 0 {
		return Hover{}, false
	}
	return Hover{n.Span, strings.Join(page, "\n\n---\n\n")}, true
}

// hoverTarget is the key or the scalar that a cursor on n is on, nil if it is on
// none: between two of them, or on a bracket. A value that is not there yet is
// its key's.
func hoverTarget(n *yaml.Node, offset int) *yaml.Node {
	pair := pairOf(n)
	switch {
	case n.Kind == yaml.Mapping || n.Kind == yaml.Sequence:
		return nil
	case !n.Span.Touches(offset) && !n.Props.Touches(offset):
		return nil
	case n.Span.Empty() && pair != nil:
		return pair.Key
	case n.Span.Empty():
		return nil
	}
	return n
}

// schemaDoc is what the field table says of a key or a value.
func schemaDoc(p *analysis.Chunk, s schemaContext, n *yaml.Node) string {
	if s.Type == nil {
		return ""
	}
	if target := n.Follow(); !isKey(n) && target != nil && target.Kind == yaml.Scalar {
		if doc := valueDoc(s, target.Value); doc != "" {
			return doc
		}
	}
	pair := pairOf(n)
	switch {
	case s.Field != nil && pair != nil:
		return fieldDoc(s.Field, pair.Key.Value)
	case pair == nil:
		if f := enclosingField(p, n); f != nil {
			return fieldDoc(f, f.Key)
		}
		return ""
	}
	doc := s.Owner.Doc
	if above := enclosingField(p, n); doc == "" && above != nil {
		doc = above.Doc
	}
	return strings.TrimSpace("**" + inlineCode(pair.Key.Value) + "**: " + describeType(s.Type) + "\n\n" + doc)
}

// enclosingField is the nearest field that a node stands under.
func enclosingField(p *analysis.Chunk, n *yaml.Node) *schema.Field {
	for up := n.Parent; up != nil; up = up.Parent {
		if f := schemaContextOf(p, up).Field; f != nil {
			return f
		}
	}
	return nil
}

// valueDoc is what one of a field's listed values means: of a tag, what it makes
// of its mapping. "" for any other value.
func valueDoc(s schemaContext, value string) string {
	doc := ""
	for _, v := range typeValues(s.Type) {
		if v.Text == value {
			doc = v.Doc
		}
	}
	if v := taggedVariant(s, value); v != nil && v.Doc != "" {
		doc = v.Doc
	}
	if doc == "" {
		return ""
	}
	return "**`" + value + "`**: " + doc
}

// taggedVariant is the variant that a tag's value chooses; nil if the field is no tag
// or the value chooses none.
func taggedVariant(s schemaContext, value string) *schema.Type {
	if s.Owner == nil || s.Field == nil {
		return nil
	}
	switch {
	case s.Owner.Tag == s.Field.Key:
		return s.Owner.VariantByTag(value)
	case slices.Contains(s.Owner.TagValues, value) && selectingTag(s.Owner, s.Field) != "":
		return s.Owner
	}
	return nil
}
