package dialect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// compiled returns the JSON Schema of each kind of file, compiled by an independent validator.
func compiled(t *testing.T) map[string]*gojsonschema.Schema {
	t.Helper()
	all := map[string]*gojsonschema.Schema{}
	for _, doc := range dialect.Schemas() {
		s, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(doc.JSON()))
		if err != nil {
			t.Fatalf("%s: %v", doc.Name, err)
		}
		all[doc.Name] = s
	}
	return all
}

// agree compares the verdicts of the two validators on one value.
func agree(t *testing.T, s *gojsonschema.Schema, table *schema.Type, root *yaml.Node, body string) (valid bool) {
	t.Helper()
	found := slices.DeleteFunc(conform.Check(table, root), conform.Mismatch.IsHarmless)
	result, err := s.Validate(gojsonschema.NewStringLoader(yaml.EncodeJSON(root, "")))
	if err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	if result.Valid() != (len(found) == 0) {
		t.Errorf("ours finds %d (%+v)\ngojsonschema %v\nin\n%s", len(found), first(found), result.Errors(), body)
	}
	return result.Valid()
}

func first(found []conform.Mismatch) string {
	if len(found) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s at %v, key %q", found[0].Kind, found[0].Span, found[0].Key)
}

// TestSchemaAgreesOnCorpus compares the validators on real files.
func TestSchemaAgreesOnCorpus(t *testing.T) {
	schemas, files, valid := compiled(t), 0, 0
	for _, given := range append(corpustest.Files(t, "", ".yaml"), corpustest.Files(t, corpustest.Faulty, ".yaml")...) {
		path := given.Path
		tree := yaml.Parse(text.New(path, given.Body))
		if len(tree.Problems) > 0 {
			continue // ours ignores values that the parser has reported
		}
		role := agentv.RoleOf(path, tree.Root(), false)
		file := dialect.FileForRole(role, agentv.DetectFileVersion(tree, role))
		files++
		if agree(t, schemas[file.Name], file.Type, tree.Root(), path) {
			valid++
		}
	}
	if valid < 5 || valid == files {
		t.Fatalf("%d files, %d valid", files, valid)
	}
}

// TestSchemaAgreesOnGenerated compares the validators on documents generated from the tables, valid
// ones and ones with one change.
func TestSchemaAgreesOnGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	schemas := compiled(t)
	for _, file := range dialect.Files() {
		rng := rand.New(rand.NewPCG(1, 2))
		valid, invalid := 0, 0
		for range 120 {
			value := sample(file.Root, rng, 0)
			if !judged(t, schemas[file.Name], file.Root, value) {
				t.Errorf("%s: made from the table and not valid: %s", file.Name, encoded(value))
			}
			for range 5 {
				if judged(t, schemas[file.Name], file.Root, mutated(value, rng)) {
					valid++
				} else {
					invalid++
				}
			}
			if t.Failed() {
				return
			}
		}
		if valid < 30 || invalid < 100 {
			t.Errorf("%s: %d changed documents are valid and %d are not: too few of one kind", file.Name, valid, invalid)
		}
	}
}

func judged(t *testing.T, s *gojsonschema.Schema, table *schema.Type, value any) bool {
	t.Helper()
	body := encoded(value)
	return agree(t, s, table, yaml.Parse(text.New("generated.json", body)).Root(), body)
}

func encoded(value any) string {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// sample generates a value of a type, with a random choice of optional fields and names.
func sample(t *schema.Type, rng *rand.Rand, depth int) any {
	switch t.Kind {
	case schema.Text:
		if t.Values != nil {
			return t.Values[rng.IntN(len(t.Values))].Text
		}
		if t.IsBase64 {
			return "aGk="
		}
		if t.IsNumber {
			return []string{"", " 7.5", "${{ LIMIT }}"}[rng.IntN(3)]
		}
		return []string{"a", "two words", "x: y", "0", "true"}[rng.IntN(5)]
	case schema.Number:
		return sampleNumber(t, rng)
	case schema.Bool:
		return rng.IntN(2) == 0
	case schema.List:
		n := max(t.MinLength, rng.IntN(3))
		if depth > 6 {
			n = t.MinLength
		}
		if t.MaxLength > 0 {
			n = min(n, t.MaxLength)
		}
		list := make([]any, n)
		for i := range list {
			item := t.Items
			if i == 0 && t.First != nil {
				item = t.First
			}
			list[i] = sample(item, rng, depth+1)
		}
		return list
	case schema.Union:
		return sample(t.Choices[rng.IntN(len(t.Choices))], rng, depth)
	case schema.Map:
		if t.HasVariants() {
			return sampleVariant(t, rng, depth)
		}
		return sampleMap(t, rng, depth)
	}
	return []any{nil, "any", 1.0, map[string]any{"a": []any{}}}[rng.IntN(4)]
}

func sampleNumber(t *schema.Type, rng *rand.Rand) any {
	lo, hi := -5.0, 20.0
	if t.Min != nil {
		lo = *t.Min
	}
	if t.Max != nil {
		hi = *t.Max
	}
	if t.ExcludesMin {
		return hi
	}
	whole := lo + float64(rng.IntN(int(max(hi-lo, 1))+1))
	if !t.IsInteger && whole+0.5 <= hi {
		return whole + 0.5
	}
	return whole
}

func sampleVariant(t *schema.Type, rng *rand.Rand, depth int) any {
	choice := t.Choices[rng.IntN(len(t.Choices))]
	if depth > 6 { // no more composites in composites
		choice = t.Choices[0]
	}
	value := sampleMap(choice, rng, depth)
	if choice.TagValues != nil {
		value[t.Tag] = choice.TagValues[rng.IntN(len(choice.TagValues))]
	} else {
		delete(value, t.Tag)
	}
	return value
}

func sampleMap(t *schema.Type, rng *rand.Rand, depth int) map[string]any {
	value := map[string]any{}
	needed := slices.Clone(t.RequireAny)
	for _, f := range t.Fields {
		some := slices.Contains(needed, f.Key)
		if f.RemovedIn != "" || !f.Required && !some && (depth > 6 || rng.IntN(2) == 0) {
			continue
		}
		name := f.Names()[rng.IntN(len(f.Names()))]
		value[name] = sample(f.TypeAs(name), rng, depth+1)
	}
	if t.OtherValues != nil && len(t.OtherNames) > 0 && rng.IntN(2) == 0 {
		value[t.OtherNames[rng.IntN(len(t.OtherNames))]] = sample(t.OtherValues, rng, depth+1)
	} else if t.OtherValues != nil && len(t.OtherNames) == 0 && rng.IntN(2) == 0 {
		value["more"] = sample(t.OtherValues, rng, depth+1)
	}
	return value
}

// mutated returns a copy of value with one random change: a key renamed, removed or added, a list
// shortened or extended, or a value of another kind.
func mutated(value any, rng *rand.Rand) any {
	var copied any
	if err := json.Unmarshal([]byte(encoded(value)), &copied); err != nil {
		panic(err)
	}
	var places []func()
	var collect func(v any, set func(any))
	collect = func(v any, set func(any)) {
		places = append(places, func() {
			set([]any{nil, "", " ", "text", -1.0, 7.5, 99.0, true, []any{}, map[string]any{}}[rng.IntN(10)])
		})
		switch v := v.(type) {
		case map[string]any:
			places = append(places, func() { v["unknown"] = 1.0 })
			for _, key := range sortedKeys(v) {
				collect(v[key], func(n any) { v[key] = n })
				places = append(places, func() { delete(v, key) }, func() { v[strings.ToUpper(key)] = v[key] })
				for _, alias := range otherNames()[key] {
					places = append(places, func() { v[alias] = v[key] })
				}
			}
		case []any:
			for i := range v {
				collect(v[i], func(n any) { v[i] = n })
			}
			places = append(places, func() { set(append(slices.Clone(v), 3.0)) }, func() { set(v[:len(v)/2]) })
		}
	}
	collect(copied, func(n any) { copied = n })
	places[rng.IntN(len(places))]()
	return copied
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// otherNames holds the other names of each key in the tables.
var otherNames = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, file := range dialect.Files() {
		schema.Walk(file.Root, func(t *schema.Type) {
			for _, f := range t.Fields {
				for _, key := range f.Names() {
					for _, name := range f.Names() {
						if name != key && !slices.Contains(all[key], name) {
							all[key] = append(all[key], name)
						}
					}
				}
			}
		})
	}
	return all
})
