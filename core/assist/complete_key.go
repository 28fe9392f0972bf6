package assist

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// keys adds what could be a key where the word is one. If it is the only one
// there, its mapping may become something else yet.
func (m *menu) keys() {
	mapping := m.node.Parent
	s := slotOf(m.part, mapping)
	if len(mapping.Pairs) == 1 && !m.colon && s.Type != nil {
		m.open(s, mapping)
	}
	if owner := shaped(s.Type, mapping); owner != nil {
		m.fields(owner, mapping)
	}
}

// fields adds the keys of a type that a mapping does not have, those that are
// required first, else in the order of the table.
func (m *menu) fields(owner *schema.Type, mapping *yaml.Node) {
	all := shared(owner)
	slices.SortStableFunc(all, func(a, b offer) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, o := range all {
		if o.field.Retired != "" || m.has(mapping, o.field.Names()...) {
			continue
		}
		for _, name := range spellings(o.field) {
			m.entryItem(o.owner, o.field, name)
		}
	}
	if owner == agentv.EvalFile && !m.has(mapping, agentv.CasesKey) {
		m.later(mapping)
	}
	for _, name := range owner.Names {
		if !m.has(mapping, name) {
			m.restItem(owner, name)
		}
	}
	if owner.Rest != nil && owner.Names == nil {
		for _, name := range m.known(mapping) {
			if !m.has(mapping, name) {
				m.restItem(owner, name)
			}
		}
	}
}

// later adds the keys by which a file that has no cases yet becomes one of a
// later version.
func (m *menu) later(mapping *yaml.Node) {
	for _, key := range []string{"tests", "prompts"} {
		if f := tables.HeadEval.Field(key); !m.has(mapping, key) {
			m.entryItem(tables.HeadEval, f, key)
		}
	}
}

// offer is a field that can be written, with the type whose it is.
type offer struct {
	owner *schema.Type
	field *schema.Field
}

func (o offer) rank() int {
	if o.field.Required && o.field.Key != o.owner.Sign {
		return 0
	}
	return 1
}

// shared are the fields of a type, those that all its variants have, and the keys
// that choose a variant by being there: they can be written before the variant
// is chosen.
func shared(t *schema.Type) (fields []offer) {
	var tagged []*schema.Type
	for _, f := range t.Fields {
		fields = append(fields, offer{t, f})
	}
	for _, c := range t.Choices {
		if len(c.Chosen) > 0 {
			tagged = append(tagged, c)
		}
		if c.Sign != "" {
			fields = append(fields, offer{c, c.Field(c.Sign)})
		}
	}
	if len(tagged) == 0 {
		return fields
	}
	for _, f := range tagged[0].Fields {
		if t.Field(f.Key) == nil && !slices.ContainsFunc(tagged, func(c *schema.Type) bool { return c.Field(f.Key) == nil }) {
			fields = append(fields, offer{tagged[0], f})
		}
	}
	return fields
}

// spellings are the names of a field that are worth proposing: the first that is
// not old, and one for a shorter form of it.
func spellings(f *schema.Field) []string {
	names := slices.DeleteFunc(f.Names(), func(name string) bool { return slices.Contains(f.Older, name) })
	switch {
	case len(names) == 0:
		return nil
	case f.Short != nil && names[0] == f.Key:
		return []string{f.Key, f.Aliases[0]}
	}
	return names[:1]
}

// has reports whether a mapping has one of some keys besides the word.
func (m *menu) has(mapping *yaml.Node, keys ...string) bool {
	for _, key := range keys {
		if pair := mapping.Pair(key); pair != nil && pair.Key != m.node {
			return true
		}
	}
	return false
}

func (m *menu) entryItem(owner *schema.Type, f *schema.Field, name string) {
	detail := words(f.TypeAs(name))
	if f.Required {
		detail = "required: " + detail
	}
	k := m.sketch()
	if m.colon {
		k.write(k.key(name))
	} else {
		k.entry(f, name, m.probe.column)
	}
	m.add(Item{Label: name, Kind: KeyItem, Detail: detail, Topic: topic(owner, name, "")}, k.b.String(), k.stops)
}

// restItem is a key that is no field.
func (m *menu) restItem(owner *schema.Type, name string) {
	k := m.sketch()
	k.write(k.key(name))
	if !m.colon {
		k.write(":")
		k.value(owner.Rest, nil, m.probe.column)
	}
	m.add(Item{Label: name, Kind: KeyItem, Detail: words(owner.Rest), Topic: topic(owner, name, "")}, k.b.String(), k.stops)
}

// around adds the keys of the file itself, where a line at its margin stands
// below the cases of a part.
func (m *menu) around(p *analysis.Part) {
	column := m.cursor.column
	if !m.bare || p.Frame == nil || p.Role == agentv.Cases || !p.Tree.Root().IsSeq() || column > 0 && column >= listColumn(p) {
		return
	}
	if owner := shaped(p.Table, p.Frame.Root()); owner != nil {
		m.fields(owner, p.Frame.Root())
	}
}

// listColumn is that of the dashes of a part's cases.
func listColumn(p *analysis.Part) int { return columnOf(p.Source, p.Tree.Root()) }
