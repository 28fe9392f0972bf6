package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ListedTarget is what is told of a target. Nothing in it is secret.
type ListedTarget struct {
	Name        string   `json:"name"`
	Provider    string   `json:"provider"`
	Model       string   `json:"model,omitempty"`
	Access               // what asking it reaches
	Judge       string   `json:"judge_target,omitempty"`
	Path        string   `json:"path"` // of the targets file
	Line        int      `json:"line"` // in it, from 1
	Missing     []string `json:"missing,omitempty"`
	Problem     string   `json:"problem,omitempty"` // why it cannot be opened
	UnreadNotes []string `json:"unread,omitempty"`  // of its settings, those that nothing reads, in words

	CheckAccess string `json:"-"` // what a check of it reaches, in words

	span text.Span
}

// ListTargets lists the targets that an eval file can name: those of the targets
// file given, or else of the nearest. It opens none of them.
func ListTargets(evalFile, targetsFile string) (listed []ListedTarget, err error) {
	path := targetsFile
	if path == "" {
		path = findTargetsFile(evalFile)
	}
	if path == "" {
		return nil, fmt.Errorf("no targets.yaml was found in %s %s; --targets names one", SearchFolders(evalFile)[0], searchHint(evalFile))
	}
	tree, err := parseTargetsFile(path, targetsFile != "")
	if err != nil {
		return nil, err
	}
	// Read once more with the variables as they are written: values may be secret.
	asWritten := map[text.Span]agentv.Target{}
	for _, t := range agentv.ReadTargets(tree, func(name string) (agentv.Variable, bool) {
		return agentv.Variable{Value: "${{ " + name + " }}"}, true
	}) {
		asWritten[t.Span] = t
	}
	env := ReadEnvFiles(path)
	for _, t := range agentv.ReadTargets(tree, env.Lookup) {
		written := asWritten[t.Span]
		l := ListedTarget{
			Name: t.Name, Provider: t.Provider, Judge: t.JudgeTarget, Path: path,
			Line: tree.Source.OffsetLine(t.Span.Start) + 1, Missing: t.Missing, span: t.Span,
		}
		l.Model = targetSettings(written.Settings).text("model")
		l.Access = targetAccess(t, env, environmentKey)
		checked := l.Access
		if checked.Command = ""; t.Command != nil && t.Command.Health != nil && t.Command.Health.Type == "command" {
			checked.Command = CommandTarget{Template: t.Command.Health.Template}.program()
		}
		l.CheckAccess = checked.String()
		if p, ok := wire.FindProvider(t.Provider); ok {
			l.Key = keyVariable(written, p)
		}
		l.Problem = targetProblem(t)
		listed = append(listed, l)
	}
	if len(listed) == 0 {
		return nil, noTargetsError(path)
	}
	findNameProblems(listed)
	findUnreadSettings(listed, tree)
	return listed, nil
}

// UnreadSettings tells what the targets of some names say and nothing reads, a line each. What
// keeps a target from being found is told by who looks for it.
func UnreadSettings(evalFile, targetsFile string, names []string) (lines []string) {
	listed, _ := ListTargets(evalFile, targetsFile)
	for i, l := range listed {
		shadows := func(other ListedTarget) bool { return other.Name == l.Name }
		if !slices.Contains(names, l.Name) || slices.ContainsFunc(listed[:i], shadows) {
			continue // nobody finds it
		}
		for _, note := range l.UnreadNotes {
			lines = append(lines, fmt.Sprintf("%s:%d: target `%s`: %s", l.Path, l.Line, l.Name, note))
		}
	}
	return lines
}

// findUnreadSettings finds what the targets say and nothing reads, as a check does.
func findUnreadSettings(listed []ListedTarget, tree *yaml.Tree) {
	for _, m := range conform.Check(agentv.TargetsFile, tree.Root()) {
		i := slices.IndexFunc(listed, func(l ListedTarget) bool { return l.span.Contains(m.Span) })
		if i < 0 || m.Kind != conform.UnknownKey {
			continue
		}
		note := "nothing reads its `" + m.Key + "`"
		if m.Suggestion != "" {
			note += "; did you mean `" + m.Suggestion + "`?"
		}
		listed[i].UnreadNotes = append(listed[i].UnreadNotes, note)
	}
}

// findNameProblems finds the targets that are to be judged by one that is not there, and those that
// are not found themselves.
func findNameProblems(listed []ListedTarget) {
	var names []string
	for _, l := range listed {
		names = append(names, l.Name)
	}
	for i, l := range listed {
		judge, _, cut := strings.Cut(l.Judge, ":")
		known, what := names, "target"
		if cut {
			known, what = judgeKinds(), "judge"
		}
		switch {
		case l.Problem != "":
		case slices.Index(names, l.Name) < i:
			listed[i].Problem = "a target above has the same name, and is found in its place"
		case l.Judge != "" && l.Judge != offline.Name && !slices.Contains(known, judge):
			listed[i].Problem = fmt.Sprintf("its `judge_target` is `%s`, and there is no such %s%s", l.Judge, what, spell.DidYouMean(judge, known))
		}
	}
}

// targetProblem is why a target cannot be opened, as far as that can be told without
// asking anyone; "" if it can.
func targetProblem(t agentv.Target) string {
	p, isModel := wire.FindProvider(t.Provider)
	var err error
	if t.Command == nil {
		t.Command, _ = agentCommand(t)
	}
	switch {
	case isModel:
		_, err = parseTargetModel(t, p, environmentKey)
	case t.Command != nil:
		_, err = targetCommand(t, 0)
	case t.Provider == "mock":
		_, err = mockTarget(t)
	default:
		err = unknownProviderError(t)
	}
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(err.Error(), ": ")
}

// variableReference is a text that is a variable and nothing else.
var variableReference = pattern.New(`^\$\{\{ [A-Za-z0-9_]+ \}\}$`)

// keyVariable is which variable a model's key is from.
func keyVariable(t agentv.Target, p wire.Provider) string {
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
	name, _ := firstSet(p.KeyVars)
	return name
}

// ErrNoHealthcheck is a target that nothing tells of but running it.
var ErrNoHealthcheck = errors.New("not tried, as it has no `healthcheck`")

// CheckTarget asks a target one small question, or has it do its healthcheck. A model
// that would not answer that question is there all the same; a command without a
// healthcheck is not run, which is [ErrUntried].
func (p *Ports) CheckTarget(ctx context.Context, evalFile string, l ListedTarget) error {
	t, path, err := FindTarget(evalFile, l.Path, l.Name)
	if err != nil {
		return err
	}
	found, isModel := wire.FindProvider(t.Provider)
	if !isModel {
		_, err := p.OpenTarget(ctx, t, path)
		if err == nil && t.Command != nil && t.Command.Health == nil {
			err = ErrNoHealthcheck
		}
		return err
	}
	m, err := p.targetModel(ctx, t, found)
	if err != nil {
		return err
	}
	m.Without = []wire.Feature{wire.Schema, wire.Temperature, wire.Seed}
	m.MaxTokens, m.Thinking = 16, 0 // the least that all of them take
	m.Retry.Retries = 0             // who looks is not to be kept waiting, for minutes maybe
	_, err = p.providerClient().Judge(m).Ask(ctx, judge.Question{User: "Reply with the word yes."})
	var fault *wire.Fault
	if errors.As(err, &fault) && (fault.Kind == wire.Truncated || fault.Kind == wire.Refused || fault.Kind == wire.Filtered) {
		return nil
	}
	return err
}
