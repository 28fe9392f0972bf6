package references

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-target",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		uses := map[string]string{} // the `use_target` of each target
		for _, target := range targetsOf(p) {
			at := target.Get("name")
			name := at.Text()
			if _, known := uses[name]; known && name != "" {
				p.Report(at.Span, "another target above has the name `%s` and is used instead", lint.Abbreviate(name))
			} else {
				uses[name] = agentv.LookupSetting(target, "use_target").Text()
			}
			others := append([]*yaml.Node{agentv.LookupSetting(target, "judge_target", "grader_target"), target.Get("use_target")}, target.Get("fallback_targets").List()...)
			for _, at := range others {
				name := at.Text()
				if err := provider.CheckJudge(name); err != nil && at == others[0] && !strings.Contains(name, "$") {
					p.Report(at.Span, "%v", err)
				} else if name != offline.Name && !strings.ContainsAny(name, ":$") {
					checkTargetName(p, at, agentv.TargetNames(p.Tree))
				}
			}
		}
		for _, target := range targetsOf(p) {
			name := target.Get("name").Text()
			_, problem := agentv.FollowUse(name, uses[name], func(other string) (use string, known bool) { use, known = uses[other]; return use, known })
			if at := agentv.LookupSetting(target, "use_target"); at != nil && strings.Contains(problem, "→") {
				p.Report(at.Span, "%s", problem)
			}
		}
		if p.Role == string(agentv.Settings) {
			checkSettings(p)
		}
		if p.Role != "eval" && p.Role != "eval-v4" {
			return
		}
		root := p.Tree.Root()
		check := func(named *yaml.Node) {
			named = cmp.Or(named.Get("name"), named)
			name := named.Text()
			if err := checkProvider(name); err != nil {
				p.Report(named.Span, "%v", err)
			} else if name != "self" && !strings.Contains(name, ":") && !strings.HasSuffix(name, ".jsonl") {
				checkTargetName(p, named, p.Targets)
			}
		}
		execution := root.Get("execution")
		check(cmp.Or(execution.Get("target"), root.Get("target")))
		check(root.Get("defaults").Get("provider"))
		check(root.Get("defaults").Get("grader"))
		for _, list := range []*yaml.Node{execution.Get("targets"), root.Get("providers")} {
			for _, named := range list.List() {
				check(named)
			}
		}
		var last *yaml.Node
		for _, c := range p.SortedCases() { // several may be of one test
			if n := p.NodeAt(c.Span); n != last {
				check(cmp.Or(n.Get("execution").Get("target"), n.Get("provider")))
				last = n
			}
		}
	},
})

// checkSettings reports the names in a project's settings with which a run stops. A target may be defined in a
// folder below, for the eval files there.
func checkSettings(p *lint.Pass) {
	for _, key := range []string{"judge", "target"} {
		named := p.Tree.Root().Get(key)
		for _, at := range append(named.List(), named) {
			name := at.Text()
			switch err := provider.CheckJudge(name); {
			case strings.TrimSpace(name) == "" || name == run.EchoName:
			case key == "judge" && (name == offline.Name || name == run.EditorJudgeName):
			case err != nil && (key == "judge" || checkProvider(name) != nil):
				p.Report(at.Span, "%v", err)
			case key == "target" && run.NamesTarget(name), key == "judge" && strings.Contains(name, ":"):
			case p.Targets != nil && p.ListFiles != nil && !slices.ContainsFunc(p.ListFiles("{*,*/*,*/*/*}/{targets,providers}.{yaml,yml}"), func(file string) bool {
				body, _ := p.ReadFile(file)
				names := agentv.TargetNames(yaml.Parse(text.New(file, body)))
				return names == nil || slices.Contains(names, name)
			}):
				checkTargetName(p, at, p.Targets)
			}
		}
	}
}

// checkProvider returns an error if a name of a target is a provider without its model, command or file.
func checkProvider(name string) error {
	if kind, _, _ := strings.Cut(name, ":"); !slices.Contains(provider.JudgeKinds(), kind) {
		return nil
	}
	return provider.CheckJudge(name)
}

// targetsOf returns the targets of a targets file, or the providers of a providers file.
func targetsOf(p *lint.Pass) []*yaml.Node {
	if p.Role != string(agentv.Targets) && p.Role != string(agentv.Providers) {
		return nil
	}
	return agentv.Definitions(p.Tree.Root())
}

// checkTargetName reports the name of an unknown target, unless all are unknown, by nil.
func checkTargetName(p *lint.Pass, at *yaml.Node, targets []string) {
	if name, ok := at.Str(); ok && name != "" && targets != nil && !slices.Contains(targets, name) {
		fix.Suggest(p.Report(at.Span, "there is no target `%s` in the targets file", lint.Abbreviate(name)), at, spell.Nearest(name, targets))
	}
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "misquoted-placeholder",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, target := range targetsOf(p) {
			for _, key := range []string{"command_template", "command", "files_format", "attachments_format"} {
				reportMisquoted(p, agentv.LookupSetting(target, key))
			}
			reportMisquoted(p, agentv.LookupSetting(target.Get("healthcheck"), "command", "command_template"))
		}
	},
})

// reportMisquoted reports the first misquoted placeholder of a command.
func reportMisquoted(p *lint.Pass, n *yaml.Node) {
	command := n.Text()
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
	if m.UnquotedCommand != "" && p.Role == string(agentv.Targets) { // a provider's command may be part of its id
		d.Fixes = fix.Replace(n, scalar.FormatLike(n, m.UnquotedCommand), "remove the quotes around `"+m.Name+"`")
	}
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "exposed-secret",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		for _, target := range targetsOf(p) {
			reportExposed(p, target)
		}
	},
})

// reportExposed reports secrets that a target sends to the wrong place.
func reportExposed(p *lint.Pass, target *yaml.Node) {
	address := agentv.LookupSetting(target, "base_url", "endpoint")
	scheme, host := agentv.SplitURL(address.Text())
	credentials := credentialsOf(target)
	public := host != "" && !strings.Contains(host, "{") && !agentv.IsLocalHost(host)
	for _, name := range variableNames(strings.Join(credentials, " ")) {
		if maker, isHost := keyMaker(name); public && maker.Name != "" && !isHost(host) {
			p.Report(address.Span, "the key `%s` is for `%s`, and would be sent to `%s`; name the key of that host", name, maker.Name, lint.Abbreviate(host))
		}
	}
	if scheme == "http" && public {
		d := p.Report(address.Span, "requests to `%s` go over the network unencrypted; use https", lint.Abbreviate(host))
		if len(credentials) > 0 {
			d.Severity = diag.Error
			d.Message = strings.Replace(d.Message, "requests to", "the key for", 1)
			d.Message = strings.Replace(d.Message, "go over", "goes over", 1)
		}
		if at := strings.Index(p.Source.Slice(address.Span), "http:"); at >= 0 {
			end := address.Span.Start + at + len("http")
			d.Fixes = []diag.Fix{{Title: "use https", Edits: []text.Edit{{Span: text.Span{Start: end, End: end}, New: "s"}}}}
		}
	}
	places := []*yaml.Node{address, agentv.LookupSetting(target, "model"), agentv.LookupSetting(target.Get("healthcheck"), "url")}
	for _, pair := range target.Get("headers").Entries() {
		if name := pair.Key.Text(); !loginHeader().MatchString(name) {
			places = append(places, pair.Value)
		}
	}
	for _, place := range places {
		for _, name := range variableNames(place.Text()) {
			if agentv.IsSecretName(name) {
				p.Report(place.Span, "the secret `%s` would be sent here, where it ends up in logs; send it as `api_key` or in an `Authorization` header", name)
			}
		}
	}
}

// loginHeader matches the names of headers that authenticate a request.
var loginHeader = pattern.New(`(?i)auth|key|token|secret|cookie|credential|password`)

// credentialsOf returns the texts with which a target authenticates itself to a host.
func credentialsOf(target *yaml.Node) (texts []string) {
	if key := agentv.LookupSetting(target, "api_key").Text(); key != "" {
		texts = append(texts, key)
	}
	for _, pair := range target.Get("headers").Entries() {
		if text := pair.Value.Text(); text != "" && loginHeader().MatchString(pair.Key.Text()) {
			texts = append(texts, text)
		}
	}
	return texts
}

// variableNames returns the names of the variables that a text refers to.
func variableNames(text string) []string {
	_, names := agentv.ExpandVariables("", text, func(string) (agentv.Variable, bool) { return agentv.Variable{}, false })
	return names
}

// keyMaker returns the provider whose key a variable customarily holds, and a function
// that recognises its hosts. A provider without a fixed host, such as Azure, has none.
func keyMaker(variable string) (maker provider.Provider, isHost func(host string) bool) {
	for _, p := range provider.Providers() {
		_, own := agentv.SplitURL(p.BaseURL)
		if !slices.Contains(p.KeyVars, variable) || own == "" || agentv.IsLocalHost(own) {
			continue
		}
		labels := strings.Split(own, ".")
		domain := strings.Join(labels[max(len(labels)-2, 0):], ".")
		return p, func(host string) bool {
			return host == domain || strings.HasSuffix(host, "."+domain) || strings.HasSuffix(host, ".azure.com") // Azure serves models of many makers
		}
	}
	return maker, nil
}
