package reference

import (
	"regexp"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Targets checks a targets file. It is valid without an error; warnings do not
// count.
func Targets(tree *yaml.Tree) []Finding {
	f := &findings{}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	targets := root.Get("targets")
	if !targets.IsSeq() {
		f.add("targets_not_array", "targets")
		return f.list
	}
	for i, n := range targets.List() {
		if path := at("targets", i); n.IsMap() {
			f.target(n, path)
		} else {
			f.add("target_not_object", path)
		}
	}
	return f.list
}

// providers are the kinds of targets, from the field table.
func providers() *schema.Type {
	return agentv.TargetsFile.Field("targets").Type.Items
}

func (f *findings) target(n *yaml.Node, path string) {
	if blank(n.Get("name")) {
		f.add("name_missing", path+".name")
	}
	provider, _ := n.Get("provider").Str()
	known := providers().Variant(provider)
	switch {
	case blank(n.Get("provider")):
		f.add("provider_missing", path+".provider")
	case known == nil:
		f.warn("provider_unknown", path+".provider")
	default:
		f.settings(n, known, path)
	}
	for _, key := range []string{"judge_target", "judgeTarget"} {
		if judge := n.Get(key); judge != nil {
			if _, ok := judge.Str(); !ok {
				f.add("judge_target_not_string", path+"."+key)
			}
		}
	}
	if provider == "cli" {
		f.command(n, path)
	}
}

func (f *findings) settings(n *yaml.Node, provider *schema.Type, path string) {
	for _, p := range n.Entries() {
		if key := p.Key.Value; provider.Field(key) == nil {
			f.warn("setting_unknown", path+"."+key)
		}
	}
}

var (
	placeholder  = regexp.MustCompile(`\{([A-Z_]+)\}`)
	placeholders = []string{"PROMPT", "GUIDELINES", "EVAL_ID", "ATTEMPT", "FILES", "OUTPUT_FILE"}
)

func (f *findings) command(n *yaml.Node, path string) {
	f.template(n, path)
	health := n.Get("healthcheck")
	if health == nil {
		return
	}
	here := path + ".healthcheck"
	if !health.IsMap() {
		f.add("healthcheck_not_object", here)
		return
	}
	switch kind, _ := health.Get("type").Str(); kind {
	case "http":
		if blank(health.Get("url")) {
			f.add("healthcheck_url_missing", here+".url")
		}
	case "command":
		f.template(health, here)
	default:
		f.add("healthcheck_type_invalid", here+".type")
	}
}

// template checks a command and its placeholders.
func (f *findings) template(n *yaml.Node, path string) {
	template := n.Get("command_template")
	if template == nil {
		template = n.Get("commandTemplate")
	}
	path += ".commandTemplate"
	if blank(template) {
		f.add("command_template_missing", path)
		return
	}
	text, _ := template.Str()
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(placeholders, m[1]) {
			f.add("placeholder_unknown", path)
		}
	}
}
