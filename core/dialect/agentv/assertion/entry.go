package assertion

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entry reads an entry that is not a plain text; nil if the loader skips it.
func (r *reading) entry(n *yaml.Node) *rubric.Grader {
	if !n.IsMap() {
		r.skip(EntryInvalid, n, "")
		return nil
	}
	typ, _ := n.Get("type").Str()
	if r.Version == agentv.Stable {
		typ = strings.ReplaceAll(typ, "_", "-")
	}
	if typ == "" {
		r.skip(agentv.EvaluatorInvalid, n, "type")
		return nil
	}
	if r.retired(typ, n.Get("type")) {
		return nil
	}
	f, known := r.words.forms[typ]
	if !known {
		f = form{rubric.External, (*reading).custom}
	}
	g := &rubric.Grader{
		Kind: f.kind, Weight: 1, Span: r.span(n), Head: r.span(n.Get("type")),
		Assert: &rubric.Assertion{Type: typ, TypeSpan: r.span(n.Get("type"))},
	}
	g.Negate, _ = n.Get("negate").Bool()
	r.name(g, n)
	if !f.read(r, g, n) {
		return nil
	}
	r.weigh(g, n.Get("weight"))
	r.gate(g, n)
	return g
}

// retired reports whether a type is one that the version no longer takes.
func (r *reading) retired(typ string, at *yaml.Node) bool {
	if r.Version == agentv.Stable {
		if slices.Contains(retiredTypes, typ) {
			return !r.skip(Deprecated, at, typ)
		}
		return false
	}
	if slices.Contains(replaced, typ) || slices.Contains(foreign, strings.TrimPrefix(typ, "not-")) {
		r.refuse(TypeUnsupported, at, typ)
		return true
	}
	return false
}
