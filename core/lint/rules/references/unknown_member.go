package references

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
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
