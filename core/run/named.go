package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Named are the settings that a file sets.
type Named struct {
	Settings
	Path string
}

// SetNames sets what the eval file names: its targets, and those and the judges of cases. For
// conversations, the configuration at path names the judges of metrics.
func (f *File) SetNames(path string, targets []string, cases []*rubric.Case) error {
	f.Named = Named{Path: path}
	if f.Conversations != nil {
		return f.NameMetricJudges()
	}
	for _, c := range cases {
		f.AddCase(c)
	}
	if len(targets) == 0 {
		return nil
	}
	return FindOption("target").Set(&f.Named.Settings, path+": `target`", targets)
}

// AddCase adds the target and the judges that a case and its graders name.
func (f *File) AddCase(c *rubric.Case) {
	f.CaseTargets = addName(f.CaseTargets, c.Target)
	for g := range rubric.Walk(c.Graders) {
		f.GraderJudges = addName(f.GraderJudges, g.Judge)
	}
}

func addName(names []string, name string) []string {
	if name == "" || slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// NameMetricJudges sets the judges that the metrics of the conversations name in their
// configuration. Only a single one also judges metrics that name none.
func (f *File) NameMetricJudges() error {
	named := metric.JudgeNames(f.Conversations.Metrics)
	if user := f.Conversations.User; user != nil && !slices.Contains(named, user.Judge) {
		named = append(named, user.Judge)
	}
	names := slices.DeleteFunc(slices.Clone(named), func(name string) bool { return name == "" })
	if len(names) == 0 {
		return nil
	}
	if len(names) > 1 && len(names) < len(named) {
		f.GraderJudges = names
		return nil
	}
	f.GraderJudges = names[1:]
	option := FindOption("judge")
	return option.Set(&f.Named.Settings, "`"+option.Key()+"`", names[:1])
}

// Settings returns the settings of a run, with what files name for options that are not given.
func (f File) Settings(given Settings) Settings {
	return given.Or(f.Named.Settings).Or(f.Project.Settings)
}

// Origin returns the file that sets an option which settings do not set, or "" if none does.
func (f File) Origin(settings Settings, option string) string {
	for _, named := range []Named{{Settings: settings}, f.Named, f.Project} {
		if named.IsSet(option) {
			return named.Path
		}
	}
	return ""
}

// ReadProject returns the options of runs in the settings file of a project. Lookup returns the value
// of an option and its line, or nil.
func ReadProject(path string, lookup func(Option) (value any, line int)) (Named, error) {
	named := Named{Path: path}
	for _, o := range Options(Project) {
		if value, line := lookup(o); value != nil {
			called := "`" + o.Key() + "`"
			if err := cmp.Or(o.Set(&named.Settings, called, value), o.RefusesZero(named.Settings, called)); err != nil {
				return named, fmt.Errorf("line %d: %w", line, err)
			}
		}
	}
	return named, nil
}

// Use is a target or a judge that a file names, so that a user must consent to what it reaches.
type Use struct {
	Role string // target or judge
	Name string
	By   string // the file that names it
	Access
}

// String describes the use in a sentence.
func (u Use) String() string {
	return fmt.Sprintf("%s `%s`, which %s names, %s", u.Role, u.Name, u.By, u.Access)
}

// FindUses returns the uses of a run of file. It contacts nothing. The host has a plan.
func FindUses(ctx context.Context, host Host, settings Settings, file File) ([]Use, error) {
	if file.Origin(settings, "target") == "" && file.Origin(settings, "judge") == "" && len(file.CaseTargets)+len(file.GraderJudges) == 0 {
		return nil, nil
	}
	planned, err := Open(ctx, host, settings, file)
	if err != nil {
		return nil, err
	}
	planned.Close()
	return planned.Uses, nil
}

// NamedByFiles says which target or judge files name that is not `self` or `offline`. It is "" if
// there is none.
func (f File) NamedByFiles() string {
	named := f.Settings(DefaultSettings())
	uses := []Use{
		{Role: "target", Name: named.Targets[0], By: f.Origin(Settings{}, "target")},
		{Role: "judge", Name: named.Judges[0], By: f.Origin(Settings{}, "judge")},
	}
	for _, name := range f.CaseTargets {
		uses = append(uses, Use{Role: "target", Name: name, By: f.Path})
	}
	for _, name := range f.GraderJudges {
		uses = append(uses, Use{Role: "judge", Name: name, By: f.Named.Path})
	}
	for _, use := range uses {
		if use.By != "" && use.Name != SelfTargetName && use.Name != offline.Name {
			return fmt.Sprintf("%s names the %s `%s`", use.By, use.Role, use.Name)
		}
	}
	return ""
}

// NotTrusted is the error of a run in a workspace that is not trusted.
func (f File) NotTrusted() error {
	why := "nothing is run: this workspace is not trusted"
	if named := f.NamedByFiles(); named != "" {
		why += ", and " + named
	}
	return errors.New(why + "; trust the workspace in your editor first")
}

// NamedError is an error of a target or a judge that a file names.
type NamedError struct {
	Use
	Err error
}

// Error says which file names what, and the reason.
func (e *NamedError) Error() string {
	return fmt.Sprintf("%s names the %s `%s`: %s", e.By, e.Role, e.Name, e.Err)
}

// Unwrap returns the reason.
func (e *NamedError) Unwrap() error { return e.Err }

// WithAdvice returns err, and for a [NamedError] what to choose instead. Prefix is what the host
// writes before the name of an option.
func WithAdvice(err error, prefix string) error {
	var named *NamedError
	switch {
	case !errors.As(err, &named):
		return err
	case named.Role == "target":
		return fmt.Errorf("%w; choose another with %starget, such as `self`, which grades the file's own answers", err, prefix)
	}
	return fmt.Errorf("%w; choose another with %sjudge, such as `offline`, which needs no model", err, prefix)
}
