package references

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "misquoted-placeholder",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.Role != string(agentv.Targets) {
			return
		}
		for _, target := range p.Tree.Root().Get("targets").List() {
			for _, key := range []string{"command_template", "files_format", "attachments_format"} {
				reportMisquoted(p, agentv.LookupSetting(target, key))
			}
			reportMisquoted(p, agentv.LookupSetting(target.Get("healthcheck"), "command_template"))
		}
	},
})

// reportMisquoted reports the first misquoted placeholder of a command.
func reportMisquoted(p *lint.Pass, n *yaml.Node) {
	command, _ := n.Str()
	m, found := agentv.FindMisquoted(command)
	if !found {
		return
	}
	// YAML escapes shift offsets, so look for the same occurrence in the source.
	span, nth := n.Span, strings.Count(command[:m.Span.Start], m.Name)
	for rest := span.Start; ; nth-- {
		i := strings.Index(p.Source.Body[rest:n.Span.End], m.Name)
		if i < 0 {
			break
		}
		if nth == 0 {
			span = text.Span{Start: rest + i, End: rest + i + len(m.Name)}
			break
		}
		rest += i + len(m.Name)
	}
	d := p.Report(span, "`%s` is %s, where its text could run as commands; %s", m.Name, m.Context, m.Advice())
	if m.UnquotedCommand != "" {
		d.Fixes = fix.Replace(n, scalar.FormatLike(n, m.UnquotedCommand), "remove the quotes around `"+m.Name+"`")
	}
}
