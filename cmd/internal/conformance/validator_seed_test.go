package conformance

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// seedFindings checks an eval file as the seed does. The file is valid if nothing at all is found: here
// even a warning makes it invalid.
func seedFindings(tree *yaml.Tree) []finding {
	f := &findings{reading: reading{roles: seedRoles}}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	cases := ownValue(root, "evalcases")
	if !cases.IsSeq() {
		f.add("evalcases_not_array", "evalcases")
		return f.list
	}
	for i, n := range cases.List() {
		if path := itemPath("evalcases", i); n.IsMap() {
			f.entry(n, path)
		} else {
			f.add("case_not_object", path)
		}
	}
	return f.list
}

func (f *findings) entry(n *yaml.Node, path string) {
	if isBlank(ownValue(n, "id")) {
		f.add("id_missing_or_not_string", path+".id")
	}
	if outcome := ownValueOr(n, "expected_outcome", "outcome"); outcome != nil && isBlank(outcome) {
		f.add("expected_outcome_blank", path+".expected_outcome")
	}
	f.input(n, path)
	f.expected(n, path)
}

// input takes the shorthand unless `input_messages` is a list.
func (f *findings) input(n *yaml.Node, path string) {
	if canonical := ownValue(n, "input_messages"); canonical.IsSeq() {
		f.messages(canonical, path+".input_messages")
		return
	}
	input := ownValue(n, "input")
	switch _, isText := input.Str(); {
	case input == nil:
		f.add("input_missing", path+".input_messages")
	case input.IsSeq():
		f.messages(input, path+".input")
	case !isText:
		f.add("input_wrong_type", path+".input")
	}
}

// expected takes the shorthand only where `expected_messages` is absent.
func (f *findings) expected(n *yaml.Node, path string) {
	if canonical := ownValue(n, "expected_messages"); canonical != nil {
		if canonical.IsSeq() {
			f.messages(canonical, path+".expected_messages")
		} else {
			f.add("expected_messages_wrong_type", path+".expected_messages")
		}
		return
	}
	if output := ownValue(n, "expected_output"); output != nil {
		f.answer(output, path+".expected_output")
	}
}

// answer checks what is expected in its short form. A list is one of messages
// if its first item has a role; otherwise it is data.
func (f *findings) answer(output *yaml.Node, path string) {
	switch _, isText := output.Str(); {
	case isText, output.IsMap():
	case !output.IsSeq():
		f.add("expected_output_wrong_type", path)
	case len(output.List()) > 0 && f.get(output.List()[0], "role") != nil:
		f.messages(output, path)
	}
}

// configFindings checks an .agentv/config.yaml. It is valid without an error; warnings
// do not count. A list passes for a mapping of which no key is known.
func configFindings(tree *yaml.Tree) []finding {
	f := &findings{}
	root := f.document(tree)
	switch {
	case root == nil:
	case root.IsSeq():
		if len(root.List()) > 0 {
			f.warn("config_key_unknown", "")
		}
	case root.IsMap():
		f.config(root)
	default:
		f.add("root_not_object", "")
	}
	return f.list
}

func (f *findings) config(root *yaml.Node) {
	if schema := ownValue(root, "$schema"); schema != nil {
		if id, _ := schema.Str(); id != "agentv-config-v2" {
			f.add("schema_invalid", "$schema")
		}
	}
	if patterns := ownValue(root, "guideline_patterns"); patterns != nil {
		f.patterns(patterns, "guideline_patterns")
	}
	// One warning names all of them, and so has no place.
	known := []string{"$schema", "guideline_patterns"}
	if slices.ContainsFunc(keyNames(root), func(key string) bool { return !slices.Contains(known, key) }) {
		f.warn("config_key_unknown", "")
	}
}

func (f *findings) patterns(n *yaml.Node, path string) {
	isText := func(item *yaml.Node) bool { _, ok := item.Str(); return ok }
	switch items := n.List(); {
	case !n.IsSeq():
		f.add("guideline_patterns_not_array", path)
	case len(items) == 0:
		f.warn("guideline_patterns_empty", path)
	case slices.ContainsFunc(items, func(item *yaml.Node) bool { return !isText(item) }):
		f.add("guideline_patterns_not_strings", path)
	}
}

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
