package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// What things are under, in any version.
var (
	casesKeys  = termNames(agentv.InFile, agentv.CasesKey)
	graderKeys = termNames(agentv.InGrader, "name")
	textKeys   = map[agentv.Scope][]string{ // what is to be judged
		agentv.InCase:      termNames(agentv.InCase, "expected_outcome"),
		agentv.InCriterion: termNames(agentv.InCriterion, "expected_outcome"),
		agentv.InRange:     termNames(agentv.InRange, "expected_outcome"),
	}
)

// termNames are all names in a place of what a key names there in some version.
func termNames(place agentv.Scope, key string) (names []string) {
	for _, t := range agentv.LookupConcept(key, place).Terms {
		if t.Scope == place {
			names = append(names, t.Text)
		}
	}
	return names
}

// isCaseList reports whether a value is the list of a file's cases.
func (v value) isCaseList() bool {
	return v.pair != nil && v.node.Parent.Parent == nil && slices.Contains(casesKeys, v.pair.Key.Value)
}

// isBand reports whether a value is a range of a mapping of them.
func (v value) isBand() bool {
	return v.pair != nil && v.Owner == agentv.ScoreMapType && v.node.Kind != yaml.Alias && !v.pair.IsMerge()
}

// isTarget reports whether a value defines a target.
func (v value) isTarget() bool { return v.node.Kind == yaml.Mapping && isTargetType(v.resolved) }

func isTargetType(t *schema.Type) bool {
	return t != nil && (t.Name == "provider" || t.Name == "target" || strings.HasPrefix(t.Name, "target-"))
}

// settingSymbols are the symbols of a file's own keys.
func (o outliner) settingSymbols(root value) (all []Symbol) {
	for _, v := range root.children() {
		inside := o.symbols(v)
		if len(inside) == 1 && inside[0].Kind == CaseList {
			all = append(all, inside[0])
			continue
		}
		s := Symbol{Kind: SettingSymbol, Name: shortLine(v.pair.Key.Value), Span: v.pair.Span(), NameSpan: v.pair.Key.Span, Children: inside}
		if v.node.Kind == yaml.Scalar {
			s.Detail = shortLine(v.node.Value)
		}
		if s.Name != "" {
			all = append(all, s)
		}
	}
	return all
}
