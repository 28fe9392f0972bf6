package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// NameKind is what a name stands for.
type NameKind string

// The kinds of names.
const (
	AnchorName    NameKind = "anchor"
	CaseName      NameKind = "case"
	CriterionName NameKind = "criterion"
	GraderName    NameKind = "grader"
	TargetName    NameKind = "target"
	VariableName  NameKind = "variable" // of the newest version's templates
)

// Name is something that a file calls by a name, perhaps in several places.
type Name struct {
	Kind NameKind
	Text string
	// Scope is where, in the file, begins what the name is one of a kind in: a
	// rubric, the owner of graders, an anchor's own value. -1 for names that
	// hold everywhere, and for an alias that has no anchor.
	Scope int
}

// Use is one place where a name is written.
type Use struct {
	Span          text.Span  // the name itself, without quotes or marks
	IsDeclaration bool       // this is what the others refer to
	node          *yaml.Node // that the name is all of; nil for a part of a text
}

// NameAt is the name that an offset of a part is on.
func NameAt(p *analysis.Chunk, offset int) (name Name, use Use, ok bool) {
	visitNames(p, func(n Name, u Use) {
		if !ok && u.Span.Touches(offset) {
			name, use, ok = n, u, true
		}
	})
	return name, use, ok
}

// Uses are the places of a part where a name is written, in order.
func Uses(p *analysis.Chunk, name Name) (all []Use) {
	visitNames(p, func(n Name, u Use) {
		if n == name {
			all = append(all, u)
		}
	})
	return all
}

// visitNames visits all names of a part in the order of the text.
func visitNames(p *analysis.Chunk, visit func(Name, Use)) {
	walkValues(p, func(v value) {
		if v.pair != nil {
			if name, use, ok := weightKeyName(p, v); ok {
				visit(name, use)
			}
		}
		if name, use, ok := anchorName(p, v.node); ok {
			visit(name, use)
		}
		if name, use, ok := valueName(p, v); ok {
			visit(name, use)
		}
		visitVariables(p, v, visit)
	})
}

// anchorName is the anchor that a node has, or repeats.
func anchorName(p *analysis.Chunk, n *yaml.Node) (Name, Use, bool) {
	switch {
	case n.Kind == yaml.Alias:
		name := Name{Kind: AnchorName, Text: n.Value, Scope: -1}
		if n.Target != nil {
			name.Scope = p.ToFile(n.Target.Span).Start
		}
		return name, Use{Span: text.Span{Start: n.Span.Start + len("*"), End: n.Span.End}, node: n}, true
	case n.Anchor != "":
		at := n.Props.Start + strings.Index(p.Source.Slice(n.Props), "&"+n.Anchor) + len("&")
		use := Use{Span: text.Span{Start: at, End: at + len(n.Anchor)}, IsDeclaration: true, node: n}
		return Name{Kind: AnchorName, Text: n.Anchor, Scope: p.ToFile(n.Span).Start}, use, true
	}
	return Name{}, Use{}, false
}
