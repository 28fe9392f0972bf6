package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// SelfTargetLabel is the name of [SelfTarget] in records.
const SelfTargetLabel = "self (expected output)"

// PanelSeparator separates the judges of a panel in records.
const PanelSeparator = " + "

// File is an eval file to run.
type File struct {
	Path  string // for the host, which finds other files by it
	Name  string // for records
	Suite *rubric.Suite
	// Conversations replace target and graders in ADK files; nil for other files.
	Conversations *Conversations

	// Named are the options that the eval file or its configuration sets, and Project those of its
	// .rubric.yaml. Options that the run's own settings leave open come from Named, then from Project;
	// see [File.Settings].
	Named, Project Named

	Target string  // which of several targets to ask; "" for the only one
	Prompt *Prompt // with which targets are asked; nil for the cases as they are

	// CaseTargets are the targets that single cases name; see [File.AddCase]. GraderJudges are the
	// judges that graders and metrics name. A target or judge that the settings of the run set
	// replaces them all.
	CaseTargets, GraderJudges []string
}

// Conversations are recorded, or held with an agent during the run, and metrics measure them.
type Conversations struct {
	Source  string         // for records; "" if an agent is asked
	Profile metric.Profile // "" means the latest
	Metrics []metric.Criterion
	// Measure returns the function that measures a case. It asks a judge samples times, or as often
	// as the metrics are configured if samples is 0.
	Measure func(p metric.Ports, samples int) func(context.Context, *rubric.Case) (metric.CaseResult, error)

	AsksAgent bool                  // the target is an agent that holds the conversations; see [Settings.AsksAgent]
	User      *metric.SimulatedUser // who plays the users of scenarios; nil if the file has none, or no agent is asked
	// Reuse returns a case with the conversation that an earlier run has recorded.
	Reuse func(*rubric.Case, *metric.Recorded) *rubric.Case
}

// Run is a file that is ready to run. Call Close after the last case.
type Run struct {
	Runner
	Suite        *rubric.Suite
	JudgeNames   []string // several for a panel
	OpenedTarget OpenedTarget
	OpenedJudges []OpenedJudge
	Uses         []Use           // what files have named and what reaches anything
	own          map[string]*Run // with the targets that cases name, by name
	closers      []func()
}

// Close releases what the host has opened.
func (r *Run) Close() {
	for _, own := range r.own {
		own.Close()
	}
	for _, c := range r.closers {
		c()
	}
	r.closers = nil
}

// Open opens the target, the judges and all else that a run of file needs. It is the one place that
// decides who answers and who judges, and by which names records know them.
func Open(ctx context.Context, host Host, settings Settings, file File) (_ *Run, err error) {
	given := settings // by the user; from here on, settings also has what files say
	settings = file.Settings(settings)
	r := &Run{Suite: file.Suite}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	r.Runner = Runner{
		EvalFile: file.Name, Schema: host.Schema, Clock: host.Clock, Timeout: settings.Timeout,
		Profile: settings.Profile, Trials: settings.Trials, Samples: settings.Samples, Workers: settings.Workers, Threshold: settings.Threshold,
	}
	if err := r.openTarget(ctx, host, settings, given, file); err != nil {
		return nil, err
	}
	if err := r.openJudges(ctx, host, settings, given, file); err != nil {
		return nil, err
	}
	if host.Plan != nil {
		host.Plan.addRun(r, file.Conversations, settings.Moderation != "")
	}
	if err := r.openCaseTargets(ctx, host, settings, given, file); err != nil {
		return nil, err
	}
	if file.Prompt != nil {
		r.Prompt = file.Prompt
		r.WrapTargets(file.Prompt.wrap)
	}
	if file.Conversations != nil {
		return r, r.openMetrics(ctx, host, settings, given.IsSet("samples"), file.Conversations)
	}
	if host.Exec != nil && settings.AllowExec {
		r.Exec = host.Exec(file.Path)
	}
	if host.Sandbox != nil {
		box, closing := host.Sandbox(file.Path)
		r.Sandbox, r.closers = box, append(r.closers, closing)
	}
	return r, nil
}

func (r *Run) openCaseTargets(ctx context.Context, host Host, settings, given Settings, file File) error {
	if given.IsSet("target") || file.Conversations != nil {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(file.CaseTargets), func(name string) bool { return name == cmp.Or(file.Target, settings.Targets[0]) })
	r.own, r.CaseRunners = map[string]*Run{}, map[string]Runner{}
	file.Named.Path = file.Path
	for _, file.Target = range names {
		if err := FindOption("target").Set(&file.Named.Settings, "`target`", file.Target); err != nil {
			return err
		}
		own := &Run{Runner: r.Runner, Suite: r.Suite}
		r.own[file.Target] = own
		if err := cmp.Or(own.openTarget(ctx, host, settings, given, file), own.openJudges(ctx, host, settings, given, file)); err != nil {
			return err
		}
		if host.Plan != nil {
			host.Plan.addRun(own, nil, false)
		}
		r.CaseRunners[file.Target] = own.Runner
		r.Workers = min(r.Workers, own.Workers)
		for _, use := range own.Uses {
			r.addUse(use)
		}
	}
	return nil
}

// DefinedNames returns the names of the judges, and of the targets that files define.
func (r *Run) DefinedNames() (names []string) {
	for _, j := range r.OpenedJudges {
		names = append(names, j.Names...)
	}
	if r.OpenedTarget.Access.File != "" { // otherwise the name is no target's of a file
		names = append(names, r.TargetName)
	}
	for _, own := range r.own {
		names = append(names, own.DefinedNames()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// WrapTargets replaces the targets of all cases. Conversations have none.
func (r *Run) WrapTargets(wrap func(Target) Target) {
	if r.Target != nil {
		r.Target = wrap(r.Target)
	}
	for name, own := range r.CaseRunners {
		own.Target = wrap(own.Target)
		r.CaseRunners[name] = own
	}
}

func (r *Run) targetOf(c *rubric.Case) OpenedTarget {
	if own := r.own[c.Target]; own != nil {
		return own.OpenedTarget
	}
	return r.OpenedTarget
}

// addUse adds a target or a judge to the uses, once, if a file names it and it reaches anything.
func (r *Run) addUse(use Use) {
	same := func(known Use) bool { return known.String() == use.String() }
	if use.By != "" && use.Access.String() != "" && !slices.ContainsFunc(r.Uses, same) {
		r.Uses = append(r.Uses, use)
	}
}

// openTarget opens the target. Recorded conversations have none, others an agent.
func (r *Run) openTarget(ctx context.Context, host Host, settings, given Settings, file File) (err error) {
	name := cmp.Or(file.Target, settings.Targets[0])
	use := Use{Role: "target", Name: name, By: file.Origin(given, "target")}
	defer func() {
		if err != nil && use.By != "" {
			err = &NamedError{use, err}
		}
	}()
	response, isMock := strings.CutPrefix(name, mockPrefix)
	switch {
	case file.Conversations != nil && !file.Conversations.AsksAgent:
		r.OpenedTarget.Name = file.Conversations.Source
	case file.Target == "" && len(settings.Targets) > 1:
		return fmt.Errorf("it is one of %d targets, but only one is run here; choose one", len(settings.Targets))
	case name == SelfTargetName:
		r.OpenedTarget = OpenedTarget{Target: SelfTarget, Name: SelfTargetLabel, Fixed: true}
	case name == EchoName:
		r.OpenedTarget = OpenedTarget{Target: Echo, Name: "echo"}
	case isMock:
		r.OpenedTarget = OpenedTarget{Target: MockTarget(response), Name: "mock", Fixed: true}
	case host.OpenTarget == nil && host.Plan != nil:
		r.OpenedTarget = OpenedTarget{Target: MockTarget(""), Name: name}
	case host.OpenTarget == nil:
		return fmt.Errorf("the target `%s` is not available here", name)
	default:
		opened, err := host.OpenTarget(ctx, file.Path, name)
		if err != nil {
			return err
		}
		if r.OpenedTarget = opened; host.Plan != nil && opened.Access.String() != "" {
			r.OpenedTarget.Target = MockTarget("")
		}
		use.Access = opened.Access
		r.addUse(use)
		r.openFallbacks(ctx, host, file, use.By)
	}
	switch {
	case file.Prompt == nil:
	case file.Conversations != nil:
		return fmt.Errorf("the prompt `%s` does not apply to the conversations of an evalset", file.Prompt.Name)
	case r.OpenedTarget.Fixed:
		return fmt.Errorf("the prompt `%s` would change nothing: `%s` answers without being asked; name a model, a command or an agent as target", file.Prompt.Name, name)
	}
	r.Target, r.TargetName = r.OpenedTarget.Target, r.OpenedTarget.Name
	if r.OpenedTarget.Workers > 0 && !given.IsSet("workers") {
		r.Workers = r.OpenedTarget.Workers
	}
	return nil
}

// openFallbacks opens the targets that answer if the target fails. One that cannot be opened is reported
// only then. Who names a target trusts its definition, and so the fallbacks there.
func (r *Run) openFallbacks(ctx context.Context, host Host, file File, namedBy string) {
	if namedBy != "" {
		namedBy = r.OpenedTarget.Access.File
	}
	for _, name := range r.OpenedTarget.Fallbacks {
		opened, err := host.OpenTarget(ctx, file.Path, name)
		if err != nil {
			opened.Target = func(context.Context, *rubric.Case) (grade.Submission, error) { return grade.Submission{}, err }
		}
		if host.Plan != nil {
			host.Plan.addContact("target", r.OpenedTarget.Name, r.OpenedTarget.Access)
			host.Plan.addContact("target", name, opened.Access)
		}
		r.addUse(Use{Role: "target", Name: name, By: namedBy, Access: opened.Access})
		r.OpenedTarget.Target = withFallback(r.OpenedTarget.Target, opened.Target, name)
	}
}

// openJudges opens the judges that the settings or the eval file name, or else the one that the
// target's definition names, or else those of the project. Several are a panel. A panel is recorded
// and replayed as a whole.
//
// Who names a target trusts its definition, and so the judge there.
func (r *Run) openJudges(ctx context.Context, host Host, settings, given Settings, file File) error {
	names, by := settings.Judges, file.Origin(given, "judge")
	if r.OpenedTarget.Judge != "" && !given.Or(file.Named.Settings).IsSet("judge") {
		names, by = []string{r.OpenedTarget.Judge}, ""
		if file.Origin(given, "target") != "" {
			by = r.OpenedTarget.Access.File
		}
	}
	seats := len(names)
	if settings.Replay != "" {
		names, by = []string{"replay:" + settings.Replay}, ""
	}
	var panel []judge.Seat
	for i, name := range names {
		opened, err := r.openJudge(ctx, host, settings, file, Use{Role: "judge", Name: name, By: by})
		switch {
		case err != nil:
			return err
		case slices.Contains(names[:i], name):
			return fmt.Errorf("judge: `%s` is on the panel twice; use more samples to ask a judge several times", opened.Names[0])
		case len(names) > 1 && len(opened.Names) > 1:
			return fmt.Errorf("judge: `%s` is the recording of a panel and cannot be on another panel", name)
		}
		r.JudgeNames = append(r.JudgeNames, opened.Names...)
		panel = append(panel, judge.Seat{Name: opened.Names[0], Judge: opened.Judge})
	}
	r.Judge, r.JudgeName, r.Seats = r.OpenedJudges[0].Judge, strings.Join(r.JudgeNames, PanelSeparator), max(seats, len(r.JudgeNames))
	if len(panel) > 1 {
		r.Judge = judge.Panel(panel...)
	}
	if host.Recorder != nil {
		r.Judge = judge.Record(r.Judge, r.JudgeNames, host.Recorder)
	}
	return r.openGraderJudges(ctx, host, settings, given, file)
}

// openGraderJudges opens the judges that graders and metrics name. A recording answers in the place
// of all.
func (r *Run) openGraderJudges(ctx context.Context, host Host, settings, given Settings, file File) error {
	if given.IsSet("judge") || len(file.GraderJudges) == 0 {
		return nil
	}
	r.OwnJudges = map[string]judge.Judge{}
	for _, name := range file.GraderJudges {
		j := r.Judge
		if settings.Replay == "" {
			opened, err := r.openJudge(ctx, host, settings, file, Use{Role: "judge", Name: name, By: cmp.Or(file.Named.Path, file.Path)})
			if err != nil {
				return err
			}
			j = opened.Judge
			if host.Recorder != nil {
				j = judge.Record(j, r.JudgeNames, host.Recorder)
			}
		}
		r.OwnJudges[name] = judge.Named(j, name)
		if file.Conversations != nil {
			r.JudgeName += ", " + name
		}
	}
	return nil
}

// openJudge opens the judge of a use, and adds it to what is open.
func (r *Run) openJudge(ctx context.Context, host Host, settings Settings, file File, use Use) (opened OpenedJudge, err error) {
	switch {
	case use.Name == offline.Name:
		opened.Judge = judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
			if settings.Timeout == 0 {
				return offline.Judge{}.Ask(ctx, q)
			}
			ctx, cancel := context.WithTimeoutCause(ctx, settings.Timeout, fmt.Errorf("timed out after %s", settings.Timeout))
			defer cancel()
			return offline.Judge{}.Ask(ctx, q)
		})
	case use.Name == EchoName:
		opened.Judge = judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			return judge.Answer{Text: q.User}, nil
		})
	case host.OpenJudge == nil && host.Plan != nil:
		opened.Judge = host.Plan.Judge(nil)
	case host.OpenJudge == nil:
		err = fmt.Errorf("`%s` is not available here; choose `%s`", use.Name, offline.Name)
	default:
		opened, err = host.OpenJudge(ctx, file.Path, use.Name)
	}
	switch {
	case err != nil && use.By != "":
		return opened, &NamedError{use, err}
	case err != nil:
		return opened, fmt.Errorf("judge: %w", err)
	case len(opened.Names) == 0:
		opened.Names = []string{use.Name}
	}
	if opened.Close != nil {
		r.closers = append(r.closers, opened.Close)
	}
	use.Access = opened.Access
	r.addUse(use)
	r.OpenedJudges = append(r.OpenedJudges, opened)
	return opened, nil
}

// openMetrics prepares the metrics of recorded conversations. The offline judge always answers the
// same, so it is asked once, unless its answers are recorded.
func (r *Run) openMetrics(ctx context.Context, host Host, settings Settings, samplesGiven bool, c *Conversations) error {
	if r.Seats > 1 {
		return errors.New("an evalset needs exactly one judge")
	}
	profile := cmp.Or(c.Profile, metric.Latest)
	ports := metric.Ports{Judge: r.Judge, OwnJudges: r.OwnJudges, Profile: profile, Agent: r.OpenedTarget.Agent}
	if c.AsksAgent && ports.Agent == nil && host.Plan == nil {
		return fmt.Errorf("the target `%s` cannot hold the conversations of an evalset; name a running agent, as in `%shttp://localhost:8000`", r.TargetName, AgentPrefix)
	}
	switch {
	case settings.Moderation == "":
	case host.OpenModerator == nil && host.Plan != nil:
		ports.Moderate = func(ctx context.Context, text string) ([]metric.RubricScore, error) {
			_, err := host.Plan.Judge(nil).Ask(ctx, judge.Question{User: text})
			return nil, err
		}
	default:
		if host.OpenModerator == nil {
			return fmt.Errorf("the moderation endpoint `%s` is not available here", settings.Moderation)
		}
		moderate, err := host.OpenModerator(ctx, settings.Moderation)
		if err != nil {
			return fmt.Errorf("moderation: %w", err)
		}
		ports.Moderate = moderate
	}
	samples := 0
	switch {
	case samplesGiven:
		samples = settings.Samples
	case r.JudgeName == offline.Name && host.Recorder == nil:
		samples = 1
	case settings.IsSet("samples"):
		ports.DefaultSamples = settings.Samples
	}
	r.Profile, r.Measure, r.reuse, r.asksAgent = MetricProfile(profile), c.Measure(ports, samples), c.Reuse, c.AsksAgent
	return nil
}

// EchoName is the name of a target, or a judge, that answers with what it is asked.
const EchoName = "echo:"

const mockPrefix = "mock:"

// IsBuiltIn reports whether a target needs no host: the expected output, the question itself, or an answer
// in its name.
func IsBuiltIn(name string) bool {
	return name == SelfTargetName || name == EchoName || strings.HasPrefix(name, mockPrefix)
}

// NamesTarget reports whether a name says what answers, and needs no definition in a targets file.
func NamesTarget(name string) bool {
	return IsBuiltIn(name) || strings.HasPrefix(name, AgentPrefix) || strings.HasSuffix(name, ".jsonl") ||
		strings.Contains(name, ":") && provider.CheckJudge(name) == nil
}

// Echo answers each case with its question.
func Echo(_ context.Context, c *rubric.Case) (grade.Submission, error) {
	return grade.Submission{Answer: c.Question}, nil
}
