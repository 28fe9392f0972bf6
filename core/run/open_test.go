package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// openingHost opens every name, and notes what it opened and closed.
func openingHost(log *[]string) run.Host {
	note := func(what string) { *log = append(*log, what) }
	return run.Host{
		OpenTarget: func(_ context.Context, file, name string) (run.OpenedTarget, error) {
			note("target " + name + " for " + file)
			return run.OpenedTarget{Target: run.MockTarget("an answer"), Name: "the " + name, Judge: "its-judge", Workers: 7}, nil
		},
		OpenJudge: func(_ context.Context, file, name string) (run.OpenedJudge, error) {
			note("judge " + name + " for " + file)
			opened := run.OpenedJudge{
				Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { return judge.Answer{Text: name}, nil }),
				Close: func() { note("close " + name) },
			}
			if strings.HasPrefix(name, "replay:panel") {
				opened.Names = []string{"a", "b"}
			}
			if name == "gone" {
				return run.OpenedJudge{}, errors.New("it is gone")
			}
			return opened, nil
		},
		OpenModerator: func(context.Context, string) (metric.Moderate, error) { return nil, nil },
		Exec: func(string) grade.Exec {
			return func(context.Context, grade.Command) (o grade.Output, err error) { return }
		},
		Sandbox: func(string) (grade.Exec, func()) {
			return func(context.Context, grade.Command) (o grade.Output, err error) { return }, func() { note("close sandbox") }
		},
	}
}

// setOptions returns settings with name=value pairs.
func setOptions(t *testing.T, values ...string) (s run.Settings) {
	t.Helper()
	for _, v := range values {
		name, value, _ := strings.Cut(v, "=")
		var decoded any = value
		if strings.Contains(value, ",") {
			decoded = strings.Split(value, ",")
		}
		if err := run.FindOption(name).Set(&s, name, decoded); err != nil {
			t.Fatal(err)
		}
	}
	return s.WithDefaults()
}

// TestOpen checks who answers and who judges, under which names.
func TestOpen(t *testing.T) {
	evalset := &run.Conversations{Source: "recorded.json", Profile: metric.Latest, Measure: func(metric.Ports, int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
		return nil
	}}
	for _, c := range []struct {
		name, options string
		set           *run.Conversations
		want          string // target | judge | seats workers | what was opened, or the error
	}{
		{"nothing", "", nil, "self (expected output) | offline | 1 3 | "},
		{"a mock", "target=mock:Hello", nil, "mock | offline | 1 3 | "},
		{"a target and the judge that it names", "target=mine", nil, "the mine | its-judge | 1 7 | target mine for f, judge its-judge for f, close its-judge"},
		{"another judge than it names", "target=mine judge=j workers=2", nil, "the mine | j | 1 2 | target mine for f, judge j for f, close j"},
		{"offline, though it names a judge", "target=mine judge=offline", nil, "the mine | offline | 1 7 | target mine for f"},
		{"a panel", "judge=a,b,offline", nil, "self (expected output) | a + b + offline | 3 3 | judge a for f, judge b for f, close a, close b"},
		{"a judge twice", "judge=a,a", nil, "judge: `a` is on the panel twice; use more samples to ask a judge several times"},
		{"a judge that is gone", "judge=a,gone", nil, "judge: it is gone"},
		{"the recording of a panel", "replay=panel judge=x", nil, "self (expected output) | a + b | 2 3 | judge replay:panel for f, close replay:panel"},
		{"the recording of three judges without their names", "replay=tape judge=x,y,z", nil, "self (expected output) | replay:tape | 3 3 | judge replay:tape for f, close replay:tape"},
		{"the recording of a panel on a panel", "judge=replay:panel,x", nil, "judge: `replay:panel` is the recording of a panel and cannot be on another panel"},
		{"an evalset has no target", "target=mine", evalset, "recorded.json | offline | 1 3 | "},
		{"an evalset with a panel", "judge=a,b", evalset, "an evalset needs exactly one judge"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log []string
			host := openingHost(&log)
			host.Sandbox = nil
			r, err := run.Open(t.Context(), host, setOptions(t, strings.Fields(c.options)...), run.File{Path: "f", Suite: &rubric.Suite{}, Conversations: c.set})
			if err != nil {
				if err.Error() != c.want {
					t.Error(err)
				}
				opened := slices.DeleteFunc(slices.Clone(log), func(l string) bool { return !strings.HasPrefix(l, "judge a") })
				if len(opened) > 0 && !slices.Contains(log, "close a") {
					t.Errorf("the judge stays open: %v", log)
				}
				return
			}
			r.Close()
			if got := r.TargetName + " | " + r.JudgeName + " | " + strings.Join([]string{string(rune('0' + r.Seats)), string(rune('0' + r.Workers))}, " ") + " | " + strings.Join(log, ", "); got != c.want {
				t.Errorf("\n%s, not\n%s", got, c.want)
			}
		})
	}
}

// TestOpenWithoutHost checks that a host without functions runs what needs none, and refuses the rest.
func TestOpenWithoutHost(t *testing.T) {
	for options, want := range map[string]string{
		"": "", "target=x": "the target `x` is not available here", "judge=x": "judge: `x` is not available here; choose `offline`",
		"moderation=openai": "the moderation endpoint `openai` is not available here",
	} {
		file := run.File{Suite: &rubric.Suite{}}
		if strings.HasPrefix(options, "moderation") {
			file.Conversations = &run.Conversations{}
		}
		if _, err := run.Open(t.Context(), run.Host{}, setOptions(t, strings.Fields(options)...), file); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v", options, err)
		}
	}
}

// TestOpenPrograms checks that programs need a setting, and sandboxed graders none.
func TestOpenPrograms(t *testing.T) {
	var log []string
	for _, options := range [][]string{nil, {"allow-exec=true"}} {
		r, err := run.Open(t.Context(), openingHost(&log), setOptions(t, options...), run.File{Suite: &rubric.Suite{}})
		if err != nil || (r.Exec != nil) != (options != nil) || r.Sandbox == nil {
			t.Fatalf("%v: %v", options, err)
		}
		r.Close()
	}
	if strings.Join(log, ", ") != "close sandbox, close sandbox" {
		t.Error(log)
	}
}

// TestSamplesOfMetrics checks how often the judge of an evalset is asked.
func TestSamplesOfMetrics(t *testing.T) {
	for _, c := range []struct {
		options  string
		recorded bool
		want     int // 0: as configured
	}{{"", false, 1}, {"", true, 0}, {"judge=model", false, 0}, {"judge=model samples=1", false, 1}, {"samples=4", false, 4}} {
		var log []string
		host, got := openingHost(&log), -1
		if c.recorded {
			host.Recorder = new(strings.Builder)
		}
		_, err := run.Open(t.Context(), host, setOptions(t, strings.Fields(c.options)...), run.File{Conversations: &run.Conversations{
			Measure: func(_ metric.Ports, samples int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
				got = samples
				return nil
			},
		}})
		if err != nil || got != c.want {
			t.Errorf("%q: %d samples, %v", c.options, got, err)
		}
	}
}

// TestOpenNamed checks whose word counts where several name a target and a judge, and what a user
// must consent to.
func TestOpenNamed(t *testing.T) {
	for _, c := range []struct {
		given, file, project string
		definesJudge         string
		want                 string // target | judge | workers | uses, or the error
	}{
		{"", "", "", "", "self (expected output) | offline | 3 | "},
		{"", "", "target=p judge=q workers=5", "", "the p | q | 5 | target p by project, judge q by project"},
		{"", "target=f", "target=p judge=q", "", "the f | q | 3 | target f by file, judge q by project"},
		{"", "target=f", "judge=q", "d", "the f | d | 3 | target f by file, judge d by definitions"},
		{"", "target=f judge=g", "judge=q", "d", "the f | g | 3 | target f by file, judge g by file"},
		{"target=t", "target=f judge=g", "target=p", "", "the t | g | 3 | judge g by file"},
		{"target=t", "", "judge=q", "d", "the t | d | 3 | "},
		{"target=t judge=j workers=2", "target=f judge=g", "target=p judge=q workers=5", "d", "the t | j | 2 | "},
		{"target=self judge=offline", "target=f judge=g", "target=p judge=q", "d", "self (expected output) | offline | 3 | "},
		{"replay=tape", "target=self judge=g", "", "", "self (expected output) | replay:tape | 3 | "},
		{"", "target=mock:A", "judge=offline", "", "mock | offline | 3 | "},
		{"", "target=gone", "", "", "file names the target `gone`: it is gone"},
		{"", "judge=gone", "", "", "file names the judge `gone`: it is gone"},
		{"", "", "judge=gone", "", "project names the judge `gone`: it is gone"},
		{"judge=gone", "", "", "", "judge: it is gone"},
		{"", "target=a,b", "", "", "file names the target `a`: it is one of 2 targets, but only one is run here; choose one"},
	} {
		access := run.Access{Command: "program", File: "definitions"}
		gone := errors.New("it is gone")
		host := run.Host{
			OpenTarget: func(_ context.Context, _, name string) (run.OpenedTarget, error) {
				if name == "gone" {
					return run.OpenedTarget{}, gone
				}
				return run.OpenedTarget{Target: run.MockTarget("A"), Name: "the " + name, Judge: c.definesJudge, Access: access}, nil
			},
			OpenJudge: func(_ context.Context, _, name string) (run.OpenedJudge, error) {
				if name == "gone" {
					return run.OpenedJudge{}, gone
				}
				return run.OpenedJudge{Access: access}, nil
			},
		}
		file := run.File{
			Named:   run.Named{Settings: setOptions(t, strings.Fields(c.file)...), Path: "file"},
			Project: run.Named{Settings: setOptions(t, strings.Fields(c.project)...), Path: "project"},
		}
		var got string
		opened, err := run.Open(t.Context(), host, setOptions(t, strings.Fields(c.given)...), file)
		if err != nil {
			got = err.Error()
		} else {
			var uses []string
			for _, use := range opened.Uses {
				uses = append(uses, use.Role+" "+use.Name+" by "+use.By)
			}
			got = fmt.Sprintf("%s | %s | %d | %s", opened.TargetName, opened.JudgeName, opened.Workers, strings.Join(uses, ", "))
		}
		if got != c.want {
			t.Errorf("%q %q %q:\ngot  %s\nwant %s", c.given, c.file, c.project, got, c.want)
		}
		var named *run.NamedError
		if err != nil && errors.As(err, &named) != !strings.Contains(c.given, "gone") {
			t.Errorf("%q %q: %#v", c.given, c.file, err)
		}
	}
}
