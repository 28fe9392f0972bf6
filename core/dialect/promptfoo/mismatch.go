package promptfoo

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/yaml"
)

// mismatches leaves out the keys that only hold what the file refers to elsewhere, and settings for a provider
// among a test's options.
func mismatches(t *yaml.Tree, found []conform.Mismatch) []conform.Mismatch {
	targets := map[string]bool{}
	yaml.Walk(t.Root(), func(n *yaml.Node) bool {
		if key, ok := strings.CutPrefix(n.Value, "#/"); ok && n.Kind == yaml.Alias {
			key, _, _ = strings.Cut(key, "/")
			targets[key] = true
		}
		return true
	})
	return slices.DeleteFunc(found, func(m conform.Mismatch) bool {
		switch {
		case m.Kind == conform.UnknownKey && m.Owner == ConfigFile:
			holdsAnchor := false
			if pair := t.Root().Pair(m.Key); pair != nil && m.Suggestion == "" {
				yaml.Walk(pair.Value, func(n *yaml.Node) bool {
					holdsAnchor = holdsAnchor || n.Anchor != "" && n.Kind != yaml.Alias
					return true
				})
			}
			return holdsAnchor || targets[m.Key] || strings.HasPrefix(m.Key, "x-")
		case m.Kind == conform.UnknownKey && m.Owner == testOptionsType:
			return m.Suggestion == ""
		case m.Kind == conform.UnknownValue:
			name, _ := m.Node.Str()
			return strings.HasPrefix(strings.TrimPrefix(name, "not-"), RedteamPrefix)
		case m.Kind == conform.NoValue:
			return m.Owner != nil && m.Owner.Name != "test" && m.Field == nil
		}
		return false
	})
}
