package dialect_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestCorpusCoversTables: every kind of file, every type and every key of the field tables, under
// each of its names, is in a file of testdata/corpus.
func TestCorpusCoversTables(t *testing.T) {
	covered := map[format]*coverage{}
	for _, kind := range dialect.Files() {
		covered[formatOf(kind)] = newCoverage()
	}
	given := corpustest.Own(t, ".yaml", ".yml", ".json", ".jsonl")
	for _, file := range given {
		if kind, tree := openFile(file, given); tree != nil {
			c := covered[formatOf(kind)]
			c.kinds[kind.Name] = true
			for _, doc := range tree.Docs {
				c.addValue(kind.Root, doc.Root)
			}
		}
	}
	kinds, keys := 0, 0
	for _, kind := range dialect.Files() {
		c := covered[formatOf(kind)]
		if kinds++; !c.kinds[kind.Name] {
			t.Errorf("no file is of the kind %s", kind.Name)
		}
		schema.Walk(kind.Root, func(typ *schema.Type) {
			if typ.Name != "" && !typ.HasVariants() && !c.types[typ.Name] {
				c.types[typ.Name] = true // listed once
				t.Errorf("%s: no value is of the type %s", kind.Name, typ.Name)
			}
			if typ.Name == "rule-severities" {
				return // its keys are the rules
			}
			for _, f := range typ.Fields {
				for _, name := range f.Names() {
					key := fieldKey{f, name}
					if c.counted[key] {
						continue
					}
					c.counted[key] = true
					keys++
					if !c.keys[key] {
						t.Errorf("%s: no file has the key %s of %s", kind.Name, name, typ.Name)
					}
				}
			}
		})
	}
	t.Logf("%d files have %d keys of %d kinds of files", len(given), keys, kinds)
}

// format is a dialect in one of its versions. Its kinds of files share types.
type format struct {
	dialect string
	version agentv.Version
}

func formatOf(kind dialect.File) format { return format{kind.Dialect, kind.Version} }

// fieldKey is a name of a field. Types may share a field.
type fieldKey struct {
	field *schema.Field
	name  string
}

// coverage is what files have of a format.
type coverage struct {
	kinds, types map[string]bool // by name
	keys         map[fieldKey]bool
	counted      map[fieldKey]bool
}

func newCoverage() *coverage {
	return &coverage{map[string]bool{}, map[string]bool{}, map[fieldKey]bool{}, map[fieldKey]bool{}}
}

// openFile returns a file's kind and its tree. The tree is nil for a file of another tool, and for
// one with aliases that cannot be followed.
func openFile(file corpustest.File, others []corpustest.File) (kind dialect.File, tree *yaml.Tree) {
	stem := strings.TrimSuffix(file.Path, path.Ext(file.Path))
	hasCases := slices.ContainsFunc(others, func(f corpustest.File) bool { return f.Path == stem+".jsonl" })
	a := analysis.Of(analysis.Input{Path: file.Path, Text: file.Body, HasCases: hasCases})
	tree = yaml.Parse(text.New(file.Path, file.Body))
	if a.Role() == agentv.Cases {
		tree = yaml.ParseJSONL(text.New(file.Path, file.Body))
	}
	if !a.Recognised() || tree.HasUnboundedAliases() {
		return kind, nil
	}
	name := dialect.FileForRole(a.Role(), a.Version()).Name
	for _, k := range adk.Files() {
		if k.Role == a.ADK() {
			name = k.Name
		}
	}
	all := dialect.Files()
	return all[slices.IndexFunc(all, func(f dialect.File) bool {
		if other := dialect.ForRole(a.Role()); other != nil {
			return f.Root == other.TypeOf(a.Role())
		}
		return f.Name == name
	})], tree
}

// addValue records the types and keys of a value.
func (c *coverage) addValue(t *schema.Type, n *yaml.Node) {
	if t = resolveType(t, n); t == nil {
		return
	}
	c.types[t.Name] = true
	for _, item := range n.List() {
		c.addValue(t.Items, item)
	}
	for _, p := range n.Entries() {
		f := t.Field(p.Key.Value)
		if f == nil {
			c.addValue(t.OtherValues, p.Value)
			continue
		}
		c.keys[fieldKey{f, p.Key.Value}] = true
		c.addValue(f.TypeAs(p.Key.Value), p.Value)
	}
}

// resolveType returns the type of a value: of a union the choice of its kind, of a mapping with
// variants the selected one; nil if the value does not fit.
func resolveType(t *schema.Type, n *yaml.Node) *schema.Type {
	switch scalar := n != nil && n.Follow() != nil && n.Follow().Kind == yaml.Scalar; {
	case t == nil, n.IsNull(), t.Kind == schema.List && !n.IsSeq(), t.Kind == schema.Map && !n.IsMap(),
		slices.Contains([]schema.Kind{schema.Text, schema.Number, schema.Bool}, t.Kind) && !scalar:
		return nil
	case t.Kind == schema.Union:
		for _, choice := range t.Choices {
			if resolved := resolveType(choice, n); resolved != nil {
				return resolved
			}
		}
		return nil
	case !t.HasVariants():
		return t
	}
	if tag, tagged := n.Get(t.Tag).Str(); t.Tag != "" && tagged {
		for _, variant := range t.Choices {
			if slices.Contains(t.VariantTags(variant), tag) {
				return variant
			}
		}
		return nil
	}
	return t.VariantByKey(func(key string) bool { return n.Get(key) != nil })
}
