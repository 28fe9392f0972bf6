package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ParseSeverity returns the severity called name for a rule; `off` is 0.
func ParseSeverity(rule, name string) (diag.Severity, error) {
	if Find(rule) == nil {
		return 0, fmt.Errorf("there is no rule `%s`%s", rule, spell.DidYouMean(rule, RuleIDs()))
	}
	if name == "off" {
		return 0, nil
	}
	severity, known := diag.ParseSeverity(name)
	if !known {
		return 0, fmt.Errorf("the severity of `%s` is `%s`; expected `error`, `warning`, `info`, `hint` or `off`", rule, name)
	}
	return severity, nil
}

// ReadConfig returns the severities in a .rubric.yaml. Its profile turns on the rules about
// profiles. The error names the first fault and its line. ReadConfig accepts the other keys of
// [project.SettingsFile] without reading them.
func ReadConfig(tree *yaml.Tree) (map[string]diag.Severity, error) {
	fault := func(n *yaml.Node, format string, args ...any) error {
		return fmt.Errorf("line %d: "+format, append([]any{tree.Source.OffsetLine(n.Span.Start) + 1}, args...)...)
	}
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("line %d: %s", tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	severities := map[string]diag.Severity{}
	if root := tree.Root(); !root.IsMap() && !root.IsNull() {
		return nil, fault(root, "expected a mapping with `rules`, found %s", DescribeValue(root))
	}
	for _, p := range tree.Root().Entries() {
		switch key, _ := p.Key.Str(); key {
		case project.RulesKey:
		case project.ProfileKey:
			profile := score.Profile(p.Value.Value)
			if !profile.IsKnown() {
				return nil, fault(p.Key, "`profile` is %s, not `%s`", score.ProfileNames, profile)
			}
			for _, r := range All() {
				if _, set := severities[r.ID]; r.AboutProfile && profile.IsReference() && !set {
					severities[r.ID] = r.Severity
				}
			}
			continue
		default:
			if known := project.Keys(); !slices.Contains(known, key) {
				return nil, fault(p.Key, "unknown key `%s`%s", p.Key.Value,
					spell.DidYouMeanOr(p.Key.Value, known, "known keys are "+diag.JoinList(diag.Backtick(known), "and")))
			}
			continue
		}
		if !p.Value.IsMap() && !p.Value.IsNull() {
			return nil, fault(p.Key, "`rules` is a mapping from rules to severities, not %s", DescribeValue(p.Value))
		}
		for _, rule := range p.Value.Entries() {
			severity, err := ParseSeverity(rule.Key.Value, strings.ToLower(rule.Value.Follow().Value))
			if err != nil {
				return nil, fault(rule.Key, "%w", err)
			}
			severities[rule.Key.Value] = severity
		}
	}
	return severities, nil
}

// ConfigValue returns the value of a .rubric.yaml's key and its line, or nil. For isText it is as
// written, even if it looks like a number.
func ConfigValue(tree *yaml.Tree, key string, isText bool) (value any, line int) {
	n := tree.Root().Get(key)
	if n == nil {
		return nil, 0
	}
	if value = n.Any(); isText {
		value = n.Value
	}
	return value, tree.Source.OffsetLine(n.Span.Start) + 1
}
