package assertion

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readEntry reads an entry that is not a plain text; nil if the loader skips it.
func (r *listReader) readEntry(n *yaml.Node) *rubric.Grader {
	if !n.IsMap() {
		r.skipEntry(EntryInvalid, n, "")
		return nil
	}
	typ, _ := n.Get("type").Str()
	if r.Version == agentv.Stable {
		typ = strings.ReplaceAll(typ, "_", "-")
	}
	if typ == "" {
		r.skipEntry(agentv.EvaluatorInvalid, n, "type")
		return nil
	}
	if r.rejectRetired(typ, n.Get("type")) {
		return nil
	}
	f, known := r.keys.types[typ]
	if !known {
		f = entryType{rubric.External, (*listReader).readCustom}
	}
	g := &rubric.Grader{
		Kind: f.kind, Weight: 1, Span: r.spanOf(n), SelectionSpan: r.spanOf(n.Get("type")),
		Assert: &rubric.Assertion{Type: typ, TypeSpan: r.spanOf(n.Get("type"))},
	}
	g.Negate, _ = n.Get("negate").Bool()
	r.readName(g, n)
	if !f.read(r, g, n) {
		return nil
	}
	r.readGraderWeight(g, n.Get("weight"))
	r.readGate(g, n)
	return g
}

// rejectRetired reports whether a type is one that the version no longer takes.
func (r *listReader) rejectRetired(typ string, at *yaml.Node) bool {
	if r.Version == agentv.Stable {
		if slices.Contains(retiredTypes, typ) {
			return !r.skipEntry(Deprecated, at, typ)
		}
		return false
	}
	if slices.Contains(renamedTypes, typ) || slices.Contains(foreignTypes, strings.TrimPrefix(typ, "not-")) {
		r.refuseCase(TypeUnsupported, at, typ)
		return true
	}
	return false
}
