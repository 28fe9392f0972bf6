package references

import (
	"maps"
	"slices"
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-member",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasCases() {
			return
		}
		p.EachNode(func(n *yaml.Node) {
			if n.Key != nil && n.Key.Key.Value == "aggregator" && n.IsMap() && n.Parent != nil {
				checkMemberWeights(p, n.Get("weights"), memberNames(n.Parent))
			}
		})
	},
})

// checkMemberWeights reports the weights whose key is not one of names.
func checkMemberWeights(p *lint.Pass, weights *yaml.Node, names []string) {
	if names == nil || !weights.IsMap() {
		return
	}
	for _, pair := range weights.Entries() {
		if name, isText := pair.Key.Str(); isText && !slices.Contains(names, name) {
			near := spell.Nearest(name, names)
			d := p.Report(pair.Key.Span, "this composite has no member `%s`, so the weight has no effect%s", lint.Abbreviate(name), spell.Suggestion(near))
			if weights.Get(near) == nil {
				d.Fixes = fix.ChangeTo(pair.Key, near)
			}
		}
	}
}

// memberNames returns the names of a composite's members, or nil if some cannot be read.
func memberNames(composite *yaml.Node) (names []string) {
	for _, key := range []string{"assertions", "assert", "evaluators"} {
		list := composite.Get(key)
		if list == nil {
			continue
		}
		for _, member := range list.List() {
			name, hasName := member.Get("name").Str()
			if !hasName {
				return nil
			}
			names = append(names, name)
		}
		break
	}
	return names
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-field",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		expected := map[int][]any{} // data to compare with, by the start of the grader
		for _, c := range p.SortedCases() {
			for g := range rubric.Walk(c.Graders) {
				if len(g.Fields) == 0 {
					continue
				}
				if data, found := grade.ExpectedData(c); found {
					expected[g.Span.Start] = append(expected[g.Span.Start], data)
				}
			}
		}
		if len(expected) == 0 {
			return
		}
		p.EachNode(func(n *yaml.Node) {
			if n.Key == nil || n.Key.Key.Value != "fields" || n.Parent == nil {
				return
			}
			if data := expected[n.Parent.Span.Start]; data != nil {
				for _, field := range n.List() {
					checkFieldPath(p, field.Get("path"), data)
				}
			}
		})
	},
})

// checkFieldPath reports a path that no expected output has.
func checkFieldPath(p *lint.Pass, at *yaml.Node, expected []any) {
	path, isText := at.Str()
	hasPath := func(data any) bool {
		_, found := grade.LookupPath(data, path)
		return found
	}
	if !isText || path == "" || slices.ContainsFunc(expected, hasPath) {
		return
	}
	d := p.Report(at.Span, "the expected output has no `%s`, so every answer matches", lint.Abbreviate(path))
	fix.Suggest(d, at, spell.Nearest(path, fieldPaths(expected[0], "", nil)))
}

// fieldPaths adds the paths of all values in data, at most 1000.
func fieldPaths(data any, path string, all []string) []string {
	if len(all) >= 1000 {
		return all
	}
	if path != "" {
		all = append(all, path)
	}
	switch v := data.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			sub := key
			if path != "" {
				sub = path + "." + key
			}
			all = fieldPaths(v[key], sub, all)
		}
	case []any:
		for i, value := range v {
			all = fieldPaths(value, path+"["+strconv.Itoa(i)+"]", all)
		}
	}
	return all
}
