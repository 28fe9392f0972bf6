package targets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ListedTarget describes a target, without secrets.
type ListedTarget struct {
	Name        string   `json:"name"`
	Provider    string   `json:"provider"`
	Model       string   `json:"model,omitempty"`
	run.Access           // what asking it reaches
	Judge       string   `json:"judge_target,omitempty"`
	Path        string   `json:"path"` // targets file
	Line        int      `json:"line"` // in the targets file, from 1
	Missing     []string `json:"missing,omitempty"`
	Problem     string   `json:"problem,omitempty"` // why it cannot be opened
	UnreadNotes []string `json:"unread,omitempty"`  // notes on settings that are not used

	CheckAccess string `json:"-"` // what CheckTarget reaches

	span text.Span
}

// ListTargets lists the targets that an eval file can name: those in targetsFile or, if that is
// "", in the nearest targets file. It opens none of them.
func ListTargets(evalFile, targetsFile string) (listed []ListedTarget, err error) {
	path := cmp.Or(targetsFile, disk.FindTargetsFile(evalFile))
	if path == "" {
		return nil, fmt.Errorf("no targets.yaml was found in %s %s; name one with --targets", disk.SearchFolders(evalFile)[0], disk.SearchHint(evalFile))
	}
	tree, err := parseTargetsFile(path, targetsFile != "")
	if err != nil {
		return nil, err
	}
	// Read once more with the variables as written, because their values may be secret.
	asWritten := map[text.Span]agentv.Target{}
	for _, t := range agentv.ReadTargets(tree, func(name string) (agentv.Variable, bool) {
		return agentv.Variable{Value: "${{ " + name + " }}"}, true
	}) {
		asWritten[t.DefinitionSpan] = t
	}
	env := ReadEnvFiles(path)
	for _, t := range agentv.ReadTargets(tree, env.Lookup) {
		written := asWritten[t.DefinitionSpan]
		l := ListedTarget{
			Name: t.Name, Provider: t.Provider, Judge: t.JudgeTarget, Path: path,
			Line: tree.Source.OffsetLine(t.Span.Start) + 1, Missing: t.Missing, span: t.Span,
		}
		l.Model = targetSettings(written.Settings).text("model")
		d, err := define(evalFile, t, variables{EnvFiles: env}, 0)
		if err != nil {
			l.Problem = err.Error()
		}
		l.Access = d.access
		checked := d.access
		if checked.Command = ""; d.Command != nil && d.Command.Health != nil && d.Command.Health.Type == "command" {
			checked.Command = CommandTarget{Template: d.Command.Health.Template}.program()
		}
		l.CheckAccess = checked.String()
		if d.model != nil {
			l.Key = keyVariable(written, d.model.Provider, variables{EnvFiles: env})
		}
		listed = append(listed, l)
	}
	if len(listed) == 0 {
		return nil, noTargetsError(path)
	}
	findNameProblems(listed)
	findUnreadSettings(listed, tree)
	return listed, nil
}

// UnreadSettings returns a line for each unused setting of the named targets, and for each target that one of them
// hides. If a target cannot be found, its caller reports that.
func UnreadSettings(evalFile, targetsFile string, names []string) (lines []string) {
	listed, _ := ListTargets(evalFile, targetsFile)
	for i, l := range listed {
		shadows := func(other ListedTarget) bool { return other.Name == l.Name }
		if !slices.Contains(names, l.Name) {
			continue
		}
		if slices.ContainsFunc(listed[:i], shadows) {
			l.UnreadNotes = []string{isHidden}
		}
		lines = append(lines, generic.Map(l.UnreadNotes, func(note string) string { return fmt.Sprintf("%s:%d: target `%s`: %s", l.Path, l.Line, l.Name, note) })...)
	}
	return lines
}

// findUnreadSettings notes the settings that are not used, as `check` reports them.
func findUnreadSettings(listed []ListedTarget, tree *yaml.Tree) {
	for _, m := range conform.Check(agentv.TargetsFile, tree.Root()) {
		i := slices.IndexFunc(listed, func(l ListedTarget) bool { return l.span.Contains(m.Span) })
		if i < 0 || m.Kind != conform.UnknownKey {
			continue
		}
		note := "nothing uses its `" + m.Key + "`"
		if m.Suggestion != "" {
			note += "; did you mean `" + m.Suggestion + "`?"
		}
		listed[i].UnreadNotes = append(listed[i].UnreadNotes, note)
	}
}

const isHidden = "another target above has the same name and is used instead"

// findNameProblems reports targets whose judge_target does not exist, and targets that another of
// the same name hides.
func findNameProblems(listed []ListedTarget) {
	names := generic.Map(listed, func(l ListedTarget) string { return l.Name })
	for i, l := range listed {
		judge, _, cut := strings.Cut(l.Judge, ":")
		known, what := names, "target"
		if cut {
			known, what = wire.JudgeKinds(), "judge"
		}
		switch {
		case l.Problem != "":
		case slices.Index(names, l.Name) < i:
			listed[i].Problem = isHidden
		case l.Judge != "" && l.Judge != offline.Name && !slices.Contains(known, judge):
			listed[i].Problem = fmt.Sprintf("its `judge_target` is `%s`, but there is no such %s%s", l.Judge, what, spell.DidYouMean(judge, known))
		}
	}
}

// variableReference matches a text that is one variable and nothing else.
var variableReference = pattern.New(`^\$\{\{ [A-Za-z0-9_]+ \}\}$`)

// keyVariable returns where a model's key is from.
func keyVariable(t agentv.Target, p wire.Provider, vars variables) string {
	s := targetSettings(t.Settings)
	written := s.text("api_key")
	switch {
	case variableReference().MatchString(written):
		return written
	case written != "":
		return "written in the file"
	case s.baseURL() != "":
		return ""
	}
	return vars.first(p.KeyVars).Name
}

// ErrNoHealthcheck is returned for a command without a healthcheck: only a run could test it.
var ErrNoHealthcheck = errors.New("not tested, because it has no `healthcheck`")

// CheckTarget asks a model one small question or an agent's server for its apps, or runs a command's healthcheck. A model that
// declines to answer that question still passes. A command without a healthcheck does not run;
// the error is then [ErrNoHealthcheck].
func (p *Ports) CheckTarget(ctx context.Context, evalFile string, l ListedTarget) error {
	d, err := p.findDefinition(ctx, evalFile, l.Path, l.Name)
	if err != nil {
		return err
	}
	if d.model == nil {
		_, err := p.open(ctx, d)
		if err == nil && d.Command != nil && d.Command.Health == nil {
			err = ErrNoHealthcheck
		}
		return err
	}
	m := *d.model
	m.Without = []wire.Feature{wire.Schema, wire.Temperature, wire.Seed}
	m.MaxTokens, m.Thinking = 16, 0 // the smallest limit that all models accept
	m.Retry.Retries = 0             // retries could take minutes
	_, err = p.providerClient().Judge(m).Ask(ctx, judge.Question{User: "Reply with the word yes."})
	if fault, ok := errors.AsType[*wire.Fault](err); ok && (fault.Kind == wire.Truncated || fault.Kind == wire.Refused || fault.Kind == wire.Filtered) {
		return nil
	}
	return err
}
