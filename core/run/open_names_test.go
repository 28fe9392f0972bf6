package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// TestFileNames: each target and judge that cases, graders and members name is listed once.
func TestFileNames(t *testing.T) {
	member := &rubric.Grader{Judge: "m"}
	var file run.File
	for _, c := range []*rubric.Case{
		{Graders: []*rubric.Grader{{}, {Judge: "j", Members: []*rubric.Grader{member}}}}, {Target: "b"}, {Target: "a", Graders: []*rubric.Grader{{Judge: "j"}}}, {Target: "b"},
	} {
		file.AddCase(c)
	}
	if !slices.Equal(file.CaseTargets, []string{"b", "a"}) || !slices.Equal(file.GraderJudges, []string{"j", "m"}) {
		t.Errorf("targets %q, judges %q", file.CaseTargets, file.GraderJudges)
	}
}

// TestNameMetricJudges: a judge that all metrics name is the judge of the run.
func TestNameMetricJudges(t *testing.T) {
	for models, want := range map[string]string{
		"": "offline | ", "-": "offline | ", "gemini-1": "gemini:gemini-1 | ", "gemini-1 -": "gemini:gemini-1 | ",
		"gemini-1 gemini-2": "gemini:gemini-1 | gemini:gemini-2", "gemini-1 gemini-2 -": "offline | gemini:gemini-1 gemini:gemini-2",
	} {
		file := run.File{Conversations: &run.Conversations{}}
		for _, model := range strings.Fields(models) {
			file.Conversations.Metrics = append(file.Conversations.Metrics, metric.Criterion{Metric: metric.FinalResponseMatch, Judge: metric.JudgeOptions{Model: strings.Trim(model, "-")}})
		}
		err := file.NameMetricJudges()
		got := strings.Join(file.Named.Settings.WithDefaults().Judges, " ") + " | " + strings.Join(file.GraderJudges, " ")
		if err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", models, got, err, want)
		}
	}
}

// named is a host of targets and judges that are called by name. Those that begin with "gone" fail,
// and those that begin with "local" reach nothing.
func namedHost(log *[]string) run.Host {
	open := func(role, name string) (access run.Access, err error) {
		*log = append(*log, role+" "+name)
		switch {
		case strings.HasPrefix(name, "gone"):
			return access, errors.New("it is gone")
		case !strings.HasPrefix(name, "local"):
			access = run.Access{Command: name, File: "definitions"}
		}
		return access, nil
	}
	return run.Host{
		OpenTarget: func(_ context.Context, _, name string) (run.OpenedTarget, error) {
			access, err := open("target", name)
			return run.OpenedTarget{Target: run.MockTarget("of " + name), Name: name, Access: access}, err
		},
		OpenJudge: func(_ context.Context, _, name string) (run.OpenedJudge, error) {
			access, err := open("judge", name)
			return run.OpenedJudge{
				Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
					return judge.Answer{Text: "of " + name}, nil
				}),
				Access: access, Close: func() { *log = append(*log, "close "+name) },
			}, err
		},
	}
}

// TestOpenCaseTargets: cases that name a target are asked of it, unless the run names another.
func TestOpenCaseTargets(t *testing.T) {
	for _, tt := range []struct {
		name, given string
		file        run.File
		opened      string // or the error
		runners     string
	}{
		{"another", "", run.File{Target: "a", CaseTargets: []string{"a", "b"}}, "target a, target b", "b"},
		{"a given one", "target=c", run.File{CaseTargets: []string{"b"}}, "target c", ""},
		{"an evalset", "", run.File{CaseTargets: []string{"b"}, Conversations: &run.Conversations{Measure: func(metric.Ports, int) func(context.Context, *rubric.Case) (metric.CaseResult, error) { return nil }}}, "", ""},
		{"one that is gone", "", run.File{Path: "f", CaseTargets: []string{"gone"}}, "f names the target `gone`: it is gone", ""},
		{"its own", "", run.File{CaseTargets: []string{"self", "b"}}, "target b", "b"},
	} {
		var log []string
		r, err := run.Open(t.Context(), namedHost(&log), setOptions(t, strings.Fields(tt.given)...), tt.file)
		got, runners := strings.Join(log, ", "), ""
		if err != nil {
			got = err.Error()
		} else {
			for name := range r.CaseRunners {
				runners += name
			}
		}
		if got != tt.opened || runners != tt.runners {
			t.Errorf("%s: %s, runners %q; want %s, %q", tt.name, got, runners, tt.opened, tt.runners)
		}
	}
	var log []string
	plan := &run.Plan{}
	host := namedHost(&log)
	host.Plan = plan
	r, err := run.Open(t.Context(), host, setOptions(t), run.File{Target: "a", CaseTargets: []string{"b"}})
	if err != nil || len(plan.Contacts) != 2 || !slices.Equal(r.DefinedNames(), []string{"a", "b", "offline"}) {
		t.Errorf("%+v, %v", plan.Contacts, err)
	}
}

// TestDefinedNames: the name of a target that no file defines is not among them. A plan asks only
// targets that reach nothing.
func TestDefinedNames(t *testing.T) {
	for name, want := range map[string]string{"local": "offline | of local", "mine": "mine offline | "} {
		var log []string
		host := namedHost(&log)
		host.Plan = &run.Plan{}
		r, err := run.Open(t.Context(), host, setOptions(t, "target="+name), run.File{})
		if err != nil {
			t.Fatal(err)
		}
		sub, err := r.Target(t.Context(), &rubric.Case{})
		if got := strings.Join(r.DefinedNames(), " ") + " | " + sub.Answer; got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
}

// TestOpenGraderJudges: graders that name a judge have it, unless the run names one. A recording
// answers for all.
func TestOpenGraderJudges(t *testing.T) {
	set := &run.Conversations{Measure: func(metric.Ports, int) func(context.Context, *rubric.Case) (metric.CaseResult, error) { return nil }}
	for _, tt := range []struct {
		name, given string
		judges      []string
		set         *run.Conversations
		want        string // what was opened and closed, who judges, or the error
	}{
		{"none", "", nil, nil, " | offline: "},
		{"one", "", []string{"g"}, nil, "judge g, close g | offline: g=of g"},
		{"a given judge", "judge=j", []string{"g"}, nil, "judge j, close j | j: "},
		{"a recording", "replay=tape", []string{"g"}, nil, "judge replay:tape, close replay:tape | replay:tape: g=of replay:tape"},
		{"one that is gone", "", []string{"gone"}, nil, "f names the judge `gone`: it is gone"},
		{"of metrics", "", []string{"g"}, set, "judge g, close g | offline, g: g=of g"},
	} {
		var log []string
		var got string
		r, err := run.Open(t.Context(), namedHost(&log), setOptions(t, strings.Fields(tt.given)...), run.File{Path: "f", GraderJudges: tt.judges, Conversations: tt.set})
		if err != nil {
			got = err.Error()
		} else {
			for name, own := range r.OwnJudges {
				a, err := own.Ask(t.Context(), judge.Question{})
				got += fmt.Sprintf("%s=%s", name, a.Text)
				if err != nil {
					t.Error(err)
				}
			}
			r.Close()
			got = strings.Join(log, ", ") + " | " + r.JudgeName + ": " + got
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestOpenPanelAndRecorder: replies of a panel name their judge, and whatever a judge says is
// recorded where that is wanted.
func TestOpenPanelAndRecorder(t *testing.T) {
	for options, seat := range map[string]string{"judge=a": "", "judge=a,b": "a"} {
		for _, recorder := range []*strings.Builder{nil, {}} {
			var log []string
			host := namedHost(&log)
			if recorder != nil {
				host.Recorder = recorder
			}
			r, err := run.Open(t.Context(), host, setOptions(t, options), run.File{})
			if err != nil {
				t.Fatal(err)
			}
			a, err := r.Judge.Ask(t.Context(), judge.Question{User: "Q"})
			if err != nil || a.Text != "of a" || a.Judge != seat {
				t.Errorf("%s: %+v, %v", options, a, err)
			}
			if recorder != nil && !strings.Contains(recorder.String(), "of a") {
				t.Errorf("%s: recorded is %q", options, recorder)
			}
		}
	}
	var log []string
	var recorded strings.Builder
	host := namedHost(&log)
	host.Recorder = &recorded
	r, err := run.Open(t.Context(), host, setOptions(t), run.File{GraderJudges: []string{"g"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.OwnJudges["g"].Ask(t.Context(), judge.Question{User: "Q"}); err != nil || !strings.Contains(recorded.String(), "of g") {
		t.Errorf("of a grader's own judge %q is recorded, %v", recorded.String(), err)
	}
	host.OpenModerator = func(context.Context, string) (metric.Moderate, error) { return nil, errors.New("no key") }
	if _, err := run.Open(t.Context(), host, setOptions(t, "moderation=openai"), run.File{Conversations: &run.Conversations{}}); err == nil || err.Error() != "moderation: no key" {
		t.Error(err)
	}
}

// TestOpenFallbacks: if a target fails, its fallbacks are asked in their order, and the record names the
// one that answers.
func TestOpenFallbacks(t *testing.T) {
	for fallbacks, want := range map[string]string{
		"": " | the target gave no answer: away", "other gone": "of other by other | ",
		"gone": " | the target gave no answer: away; its fallback `gone`: it is gone",
	} {
		var log []string
		host := namedHost(&log)
		open := host.OpenTarget
		host.OpenTarget = func(ctx context.Context, file, name string) (run.OpenedTarget, error) {
			opened, err := open(ctx, file, name)
			if name == "first" {
				opened.Target, opened.Fallbacks = awayFor("a"), strings.Fields(fallbacks)
			}
			return opened, err
		}
		r, err := run.Open(t.Context(), host, setOptions(t, "target=first"), run.File{Suite: &rubric.Suite{}})
		if err != nil {
			t.Fatal(err)
		}
		rec := r.RunCase(t.Context(), &rubric.Suite{}, &rubric.Case{ID: "a"}, func(*run.GraderRecord) {})
		got := rec.CandidateAnswer
		if rec.AnsweredBy != "" {
			got += " by " + rec.AnsweredBy
		}
		if got += " | " + rec.Error; got != want {
			t.Errorf("%q: %q, want %q", fallbacks, got, want)
		}
		if rec := r.RunCase(t.Context(), &rubric.Suite{}, &rubric.Case{ID: "b"}, func(*run.GraderRecord) {}); rec.CandidateAnswer != "no" || rec.AnsweredBy != "" {
			t.Errorf("%q: a target that answers: %+v", fallbacks, rec)
		}
	}
}

// TestUseOfFallback: who names a target trusts its definition, so a fallback is named by the definition if
// a file names the target, and else by nobody.
func TestUseOfFallback(t *testing.T) {
	for given, want := range map[string]string{"": "target prod by f, target other by definitions", "target=prod": ""} {
		var log, found []string
		host := namedHost(&log)
		open := host.OpenTarget
		host.OpenTarget = func(ctx context.Context, file, name string) (run.OpenedTarget, error) {
			opened, err := open(ctx, file, name)
			if name == "prod" {
				opened.Fallbacks = []string{"other"}
			}
			return opened, err
		}
		file := run.File{Path: "f", Suite: &rubric.Suite{}}
		if err := file.SetNames("f", []string{"prod"}, nil); err != nil {
			t.Fatal(err)
		}
		r, err := run.Open(t.Context(), host, setOptions(t, strings.Fields(given)...), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range r.Uses {
			found = append(found, use.Role+" "+use.Name+" by "+use.By)
		}
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

// TestOpenAgent: a conversation needs a target that is an agent, except in a plan.
func TestOpenAgent(t *testing.T) {
	agent := func(context.Context, metric.SessionInput) (s metric.Session, err error) { return s, err }
	const none = "the target `mine` cannot hold the conversations of an evalset; name a running agent, as in `adk:http://localhost:8000`"
	for _, c := range []struct {
		name  string
		asks  bool
		agent metric.OpenSession
		plan  *run.Plan
		want  string
	}{
		{"an agent", true, agent, nil, ""}, {"no agent", true, nil, nil, none}, {"recorded conversations", false, nil, nil, ""}, {"a plan", true, nil, &run.Plan{}, ""},
	} {
		var log []string
		host := namedHost(&log)
		open := host.OpenTarget
		host.Plan, host.OpenTarget = c.plan, func(ctx context.Context, file, name string) (run.OpenedTarget, error) {
			opened, err := open(ctx, file, name)
			opened.Agent = c.agent
			return opened, err
		}
		measure := func(metric.Ports, int) func(context.Context, *rubric.Case) (metric.CaseResult, error) { return nil }
		file := run.File{Suite: &rubric.Suite{}, Conversations: &run.Conversations{AsksAgent: c.asks, Measure: measure}}
		_, err := run.Open(t.Context(), host, setOptions(t, "target=mine"), file)
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%s: %s, want %q", c.name, got, c.want)
		}
	}
}

func TestIsBuiltIn(t *testing.T) {
	for name, want := range map[string]bool{"self": true, "echo:": true, "mock:an answer": true, "echo": false, "openai:m": false, "": false} {
		if got := run.IsBuiltIn(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestAsksAgent(t *testing.T) {
	isAgent := func(name string) bool { return name != "model" }
	for name, want := range map[string][2]bool{"adk:http://x": {true, true}, "agent": {false, true}, "model": {false, false}, run.SelfTargetName: {false, false}} {
		s := run.Settings{Targets: []string{name}}
		if got := [2]bool{s.AsksAgent(nil), s.AsksAgent(isAgent)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestNamesTarget checks which names need no definition in a targets file.
func TestNamesTarget(t *testing.T) {
	for name, want := range map[string]bool{
		"self": true, "echo:": true, "mock:Hi": true, "adk:http://localhost:8000": true, "answers.jsonl": true, "cli:cat": true, "openai:m": true,
		"prod": false, "openai": false, "openai:": false, "python:agent.py": false, "": false,
	} {
		if run.NamesTarget(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
