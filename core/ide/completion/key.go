package completion

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/fielddoc"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// addKeys adds keys. If the word is the only key of its mapping, it may become a different kind of
// value.
func (c *completer) addKeys() {
	mapping := c.node.Parent
	s := syntax.ContextOf(c.chunk, mapping)
	if len(mapping.Pairs) == 1 && !c.hasColon && s.Type != nil {
		c.addAlternatives(s, mapping)
	}
	if owner := syntax.ResolveType(s.Type, mapping); owner != nil {
		c.addFields(owner, mapping)
	}
}

// addFields adds the fields that a mapping does not have: required ones first, then in table order.
func (c *completer) addFields(owner *schema.Type, mapping *yaml.Node) {
	all := candidateFields(owner)
	generic.SortStable(all, func(a, b keyCandidate) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, o := range all {
		if o.field.RemovedIn != "" || c.hasOtherKey(mapping, o.field.Names()...) {
			continue
		}
		for _, name := range syntax.ProposedNames(o.field) {
			c.addKeyItem(o.owner, o.field, o.field.TypeAs(name), name)
		}
	}
	switch {
	case owner == seed.EvalFile && !c.hasOtherKey(mapping, agentv.CasesKey):
		c.addVersionKeys(mapping, head.EvalFile, "tests", "prompts")
	case owner == seed.CaseType && c.chunk.Role == agentv.Cases && !c.hasOtherKey(mapping, "expected_outcome"):
		c.addVersionKeys(mapping, head.TestType, "criteria", "vars", "assert")
	}
	others := owner.OtherNames
	if owner.OtherValues != nil && others == nil {
		others = c.knownKeys(mapping)
	}
	for _, name := range others {
		if !c.hasOtherKey(mapping, name) {
			c.addKeyItem(owner, nil, owner.OtherValues, name)
		}
	}
}

// addVersionKeys adds the keys that turn a file without cases, or a line, into one of a later version.
func (c *completer) addVersionKeys(mapping *yaml.Node, owner *schema.Type, keys ...string) {
	for _, key := range keys {
		if f := owner.Field(key); !c.hasOtherKey(mapping, key) {
			c.addKeyItem(owner, f, f.TypeAs(key), key)
		}
	}
}

// keyCandidate is a field that may be added, with its type.
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

// candidateFields returns the fields of a type that may be written before a variant is selected: its
// own, those that all variants share, and keys that select a variant by being present.
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

// hasOtherKey reports whether a mapping has one of the keys in a pair other than the word's.
func (c *completer) hasOtherKey(mapping *yaml.Node, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		pair := mapping.Pair(key)
		return pair != nil && pair.Key != c.node
	})
}

// addKeyItem adds a key with a value of type t. The field is nil for a key that is none.
func (c *completer) addKeyItem(owner *schema.Type, f *schema.Field, t *schema.Type, name string) {
	detail := fielddoc.DescribeType(t)
	if f != nil && f.Required {
		detail = "required: " + detail
	}
	sw := c.newSnippet()
	sw.write(sw.keyText(name))
	if !c.hasColon {
		sw.write(":")
		sw.writeValue(t, f, c.probe.column)
	}
	c.addItem(CompletionItem{Label: name, Kind: KeyItem, Detail: detail, DocKey: fielddoc.DocKey(owner, name, "")}, sw.b.String(), sw.stops)
}

// addFileKeys adds keys of the file, for a line at the margin below the cases of a chunk.
func (c *completer) addFileKeys(p *analysis.Chunk) {
	column := c.cursor.column
	if !c.aloneOnLine || p.Header == nil || p.Role == agentv.Cases || !p.Tree.Root().IsSeq() || column > 0 && column >= caseListColumn(p) {
		return
	}
	if owner := syntax.ResolveType(p.Table, p.Header.Root()); owner != nil {
		c.addFields(owner, p.Header.Root())
	}
}

func caseListColumn(p *analysis.Chunk) int { return yaml.ColumnOf(p.Source, p.Tree.Root()) }

// addNames adds names of targets, cases and tools.
func (c *completer) addNames(s syntax.Context, n *yaml.Node) {
	f := cmp.Or(s.Field, syntax.EnclosingField(c.chunk, n))
	if f == nil || !acceptsText(s.Type) || len(syntax.TypeValues(s.Type)) > 0 {
		return
	}
	var names []string
	switch f.Key {
	case "target", "targets", "providers", "provider", "judge":
		names = c.host.Targets
	case "judge_target", "grader_target":
		names = collectTexts(c.chunk.Tree.Root().Get("targets"), "name")
	case "depends_on":
		own := enclosingID(n)
		names = slices.DeleteFunc(slices.Clone(callNames(c.host.CaseIDs)), func(id string) bool { return id == own })
	case "tool":
		names = collectTexts(c.chunk.Tree.Root(), "tool")
	}
	seen := map[string]bool{}
	for _, name := range c.narrowNames(c.withoutCurrent(names)) {
		if seen[name] {
			continue
		}
		seen[name] = true
		c.addItem(CompletionItem{Label: name, Kind: NameItem}, c.newSnippet().scalarText(name), nil)
	}
}

func enclosingID(n *yaml.Node) string {
	for ; n != nil; n = n.Parent {
		if id, ok := n.Get("id").Str(); ok {
			return id
		}
	}
	return ""
}

// knownKeys returns likely keys of a mapping whose keys are names: members of a composite for its
// weights, tools, and variables.
func (c *completer) knownKeys(mapping *yaml.Node) []string {
	pair := syntax.PairOf(mapping)
	if pair == nil {
		return nil
	}
	switch pair.Key.Value {
	case "weights":
		if composite := mapping.Parent.Parent; composite != nil {
			members := append(collectTexts(composite.Get("evaluators"), "name"), collectTexts(composite.Get("assertions"), "name")...)
			return c.withoutCurrent(members)
		}
	case "vars":
		return callNames(c.host.VarNames)
	case "minimums":
		return c.withoutCurrent(collectTexts(c.chunk.Tree.Root(), "tool"))
	}
	return nil
}

func (c *completer) withoutCurrent(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == c.node.Value })
}

// narrowNames returns names unless there are too many. Then it returns those that start with the
// typed text, followed by those that contain it.
func (c *completer) narrowNames(names []string) []string {
	if len(names) <= maxCompletionItems {
		return names
	}
	typed := strings.ToLower(strings.Trim(c.typedPrefix(), `"'`))
	var first, rest []string
	for _, name := range names {
		switch lower := strings.ToLower(name); {
		case strings.HasPrefix(lower, typed):
			first = append(first, name)
		case strings.Contains(lower, typed):
			rest = append(rest, name)
		}
	}
	return append(first, rest...)
}

// collectTexts returns the distinct strings below n that are the value of key.
func collectTexts(n *yaml.Node, key string) (all []string) {
	yaml.Walk(n, func(n *yaml.Node) bool {
		for _, pair := range n.Pairs {
			if text, ok := pair.Value.Str(); ok && text != "" && pair.Key.Value == key && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
		return true
	})
	return all
}

// acceptsText reports whether a type accepts a string.
func acceptsText(t *schema.Type) bool {
	return t != nil && slices.ContainsFunc(syntax.FlattenUnion(t), func(s *schema.Type) bool { return s.Kind == schema.Text || s.Kind == schema.Any })
}

// addAliases adds an alias for each anchor in scope.
func (c *completer) addAliases(p *analysis.Chunk) {
	names := slices.Collect(maps.Keys(p.Tree.AnchorsBefore(c.offset)))
	if p.Header != nil {
		names = slices.AppendSeq(names, maps.Keys(p.Header.AnchorsBefore(text.HeaderBase+len(p.Header.Source.Body))))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		c.items = append(c.items, CompletionItem{Label: "*" + name, Kind: NameItem, Edit: text.Edit{Span: c.word, New: "*" + name}})
	}
}

// ResolveDoc returns the documentation for a DocKey in Markdown, or "". table is the field table of
// the file that was completed.
func ResolveDoc(table *schema.Type, key string) string {
	names := append(strings.Split(key, "\n"), "", "")
	if names[0] == fielddoc.RuleDocPrefix {
		if rule := lint.Find(names[1]); rule != nil {
			return analysis.RulePage(rule, false)
		}
		return ""
	}
	page := ""
	for _, root := range []*schema.Type{table, head.EvalFile} { // the version that an empty file may become
		schema.Walk(root, func(t *schema.Type) {
			if page == "" && t.Name == names[0] {
				page = typeDoc(t, names[1], names[2])
			}
		})
	}
	return page
}

func typeDoc(t *schema.Type, field, value string) string {
	if field == "" {
		return "**" + t.Title() + "**: " + t.Doc
	}
	s := syntax.ContextForKey(t, field)
	switch {
	case s.Type == nil:
		return ""
	case value != "":
		return fielddoc.ValueDoc(s, value)
	case s.Field != nil:
		return fielddoc.FieldDoc(s.Field, field)
	}
	return "**" + facts.InlineCode(field) + "**: " + fielddoc.DescribeType(s.Type) + "\n\n" + t.Doc
}
