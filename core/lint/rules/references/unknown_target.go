package references

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-target",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		if p.Role == string(agentv.Targets) {
			for _, target := range p.Tree.Root().Get("targets").List() {
				others := append([]*yaml.Node{agentv.LookupSetting(target, "judge_target", "grader_target"), target.Get("use_target")}, target.Get("fallback_targets").List()...)
				for _, at := range others {
					if name, _ := at.Str(); name != offline.Name && !strings.ContainsAny(name, ":$") {
						checkTargetName(p, at, agentv.TargetNames(p.Tree))
					}
				}
			}
		}
		if p.Targets == nil || p.Role != "eval" && p.Role != "eval-v4" {
			return // there is no targets file, or the host cannot read it
		}
		root := p.Tree.Root()
		at := root.Get("execution").Get("target")
		if at == nil {
			at = root.Get("target")
		}
		for _, named := range append([]*yaml.Node{at, root.Get("defaults").Get("provider"), root.Get("defaults").Get("grader")}, root.Get("providers").List()...) {
			if name, _ := named.Str(); name != "self" && !strings.Contains(name, ":") && !strings.HasSuffix(name, ".jsonl") {
				checkTargetName(p, named, p.Targets)
			}
		}
	},
})

// checkTargetName reports the name of an unknown target.
func checkTargetName(p *lint.Pass, at *yaml.Node, targets []string) {
	if name, ok := at.Str(); ok && name != "" && !slices.Contains(targets, name) {
		fix.Suggest(p.Report(at.Span, "there is no target `%s` in the targets file", lint.Abbreviate(name)), at, spell.Nearest(name, targets))
	}
}
