package conformance

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// targetsFindings checks a targets file. It is valid without an error; warnings do not
// count.
func targetsFindings(tree *yaml.Tree) []finding {
	f := &findings{}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	targets := ownValue(root, "targets")
	if !targets.IsSeq() {
		f.add("targets_not_array", "targets")
		return f.list
	}
	for i, n := range targets.List() {
		if path := itemPath("targets", i); n.IsMap() {
			f.target(n, path)
		} else {
			f.add("target_not_object", path)
		}
	}
	return f.list
}

// target checks one target. Only the name of a provider that is written exactly
// is known, but what belongs to the provider is looked at in any case.
func (f *findings) target(n *yaml.Node, path string) {
	if isBlank(ownValue(n, "name")) {
		f.add("name_missing", path+".name")
	}
	provider, _ := ownValue(n, "provider").Str()
	switch {
	case strings.TrimSpace(provider) == "":
		f.add("provider_missing", path+".provider")
	case !slices.Contains(providers, provider):
		f.warn("provider_unknown", path+".provider")
	}
	provider = strings.ToLower(provider)
	if strings.TrimSpace(provider) == "cli" {
		f.command(n, path)
	}
	for _, key := range keyNames(n) {
		if !knowsSetting(provider, key) {
			f.warn("setting_unknown", path+"."+key)
		}
	}
	if judge := ownValue(n, "judge_target"); judge != nil {
		if _, ok := judge.Str(); !ok {
			f.add("judge_target_not_string", path+".judge_target")
		}
	}
}
