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

// addKeys adds what could be a key where the word is one. If it is the only one
// there, its mapping may become something else yet.
func (c *completer) addKeys() {
	mapping := c.node.Parent
	s := schemaContextOf(c.part, mapping)
	if len(mapping.Pairs) == 1 && !c.hasColon && s.Type != nil {
		c.addAlternatives(s, mapping)
	}
	if owner := resolveType(s.Type, mapping); owner != nil {
		c.addFields(owner, mapping)
	}
}

// addFields adds the keys of a type that a mapping does not have, those that are
// required first, else in the order of the table.
func (c *completer) addFields(owner *schema.Type, mapping *yaml.Node) {
	all := candidateFields(owner)
	slices.SortStableFunc(all, func(a, b keyCandidate) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, o := range all {
		if o.field.RemovedIn != "" || c.hasOtherKey(mapping, o.field.Names()...) {
			continue
		}
		for _, name := range proposedNames(o.field) {
			c.addFieldItem(o.owner, o.field, name)
		}
	}
	if owner == agentv.EvalFile && !c.hasOtherKey(mapping, agentv.CasesKey) {
		c.addVersionKeys(mapping)
	}
	for _, name := range owner.OtherNames {
		if !c.hasOtherKey(mapping, name) {
			c.addExtraKeyItem(owner, name)
		}
	}
	if owner.OtherValues != nil && owner.OtherNames == nil {
		for _, name := range c.knownKeys(mapping) {
			if !c.hasOtherKey(mapping, name) {
				c.addExtraKeyItem(owner, name)
			}
		}
	}
}

// addVersionKeys adds the keys by which a file that has no cases yet becomes one of a
// later version.
func (c *completer) addVersionKeys(mapping *yaml.Node) {
	for _, key := range []string{"tests", "prompts"} {
		if f := tables.HeadEval.Field(key); !c.hasOtherKey(mapping, key) {
			c.addFieldItem(tables.HeadEval, f, key)
		}
	}
}

// keyCandidate is a field that can be written, with the type whose it is.
type keyCandidate struct {
	owner *schema.Type
	field *schema.Field
}

func (kc keyCandidate) rank() int {
	if kc.field.Required && kc.field.Key != kc.owner.MarkerKey {
		return 0
	}
	return 1
}

// candidateFields are the fields of a type, those that all its variants have, and the keys
// that choose a variant by being there: they can be written before the variant
// is chosen.
func candidateFields(t *schema.Type) (fields []keyCandidate) {
	var tagged []*schema.Type
	for _, f := range t.Fields {
		fields = append(fields, keyCandidate{t, f})
	}
	for _, c := range t.Choices {
		if len(c.TagValues) > 0 {
			tagged = append(tagged, c)
		}
		if c.MarkerKey != "" {
			fields = append(fields, keyCandidate{c, c.Field(c.MarkerKey)})
		}
	}
	if len(tagged) == 0 {
		return fields
	}
	for _, f := range tagged[0].Fields {
		if t.Field(f.Key) == nil && !slices.ContainsFunc(tagged, func(c *schema.Type) bool { return c.Field(f.Key) == nil }) {
			fields = append(fields, keyCandidate{tagged[0], f})
		}
	}
	return fields
}

// proposedNames are the names of a field that are worth proposing: the first that is
// not old, and one for a shorter form of it.
func proposedNames(f *schema.Field) []string {
	names := slices.DeleteFunc(f.Names(), func(name string) bool { return slices.Contains(f.DeprecatedNames, name) })
	switch {
	case len(names) == 0:
		return nil
	case f.AliasType != nil && names[0] == f.Key:
		return []string{f.Key, f.Aliases[0]}
	}
	return names[:1]
}

// hasOtherKey reports whether a mapping has one of some keys besides the word.
func (c *completer) hasOtherKey(mapping *yaml.Node, keys ...string) bool {
	for _, key := range keys {
		if pair := mapping.Pair(key); pair != nil && pair.Key != c.node {
			return true
		}
	}
	return false
}

func (c *completer) addFieldItem(owner *schema.Type, f *schema.Field, name string) {
	detail := describeType(f.TypeAs(name))
	if f.Required {
		detail = "required: " + detail
	}
	sw := c.newSnippet()
	if c.hasColon {
		sw.write(sw.keyText(name))
	} else {
		sw.writeEntry(f, name, c.probe.column)
	}
	c.addItem(CompletionItem{Label: name, Kind: KeyItem, Detail: detail, DocKey: docKey(owner, name, "")}, sw.b.String(), sw.stops)
}

// addExtraKeyItem is a key that is no field.
func (c *completer) addExtraKeyItem(owner *schema.Type, name string) {
	sw := c.newSnippet()
	sw.write(sw.keyText(name))
	if !c.hasColon {
		sw.write(":")
		sw.writeValue(owner.OtherValues, nil, c.probe.column)
	}
	c.addItem(CompletionItem{Label: name, Kind: KeyItem, Detail: describeType(owner.OtherValues), DocKey: docKey(owner, name, "")}, sw.b.String(), sw.stops)
}

// addFileKeys adds the keys of the file itself, where a line at its margin stands
// below the cases of a part.
func (c *completer) addFileKeys(p *analysis.Chunk) {
	column := c.cursor.column
	if !c.aloneOnLine || p.Header == nil || p.Role == agentv.Cases || !p.Tree.Root().IsSeq() || column > 0 && column >= caseListColumn(p) {
		return
	}
	if owner := resolveType(p.Table, p.Header.Root()); owner != nil {
		c.addFields(owner, p.Header.Root())
	}
}

// caseListColumn is that of the dashes of a part's cases.
func caseListColumn(p *analysis.Chunk) int { return columnOf(p.Source, p.Tree.Root()) }
