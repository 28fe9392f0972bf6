package run_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestNamedByFiles checks what a run in an untrusted workspace says.
func TestNamedByFiles(t *testing.T) {
	own := []*rubric.Case{{Target: "self"}, {Graders: []*rubric.Grader{{Judge: "strict"}}}, {Target: "mine"}}
	for want, c := range map[string]struct {
		targets []string
		cases   []*rubric.Case
		project string
	}{
		"":                              {},
		"f names the target `prod`":     {[]string{"prod"}, own, "target=p"},
		"project names the target `p`":  {nil, own, "target=p judge=q"},
		"project names the judge `q`":   {[]string{"self"}, nil, "target=p judge=q"},
		"f names the target `mine`":     {[]string{"self"}, own, "judge=offline"},
		"f names the judge `strict`":    {nil, own[:2], ""},
		"f names the target `unlisted`": {[]string{"unlisted", "self"}, nil, ""},
	} {
		file := run.File{Path: "f", Project: run.Named{Settings: setOptions(t, strings.Fields(c.project)...), Path: "project"}}
		if err := file.SetNames("f", c.targets, c.cases); err != nil || file.NamedByFiles() != want {
			t.Errorf("%q, %v, not %q", file.NamedByFiles(), err, want)
		}
		refusal := "nothing is run: this workspace is not trusted, and " + want + "; trust the workspace in your editor first"
		if refusal = strings.Replace(refusal, ", and ;", ";", 1); file.NotTrusted().Error() != refusal {
			t.Errorf("%s, not %s", file.NotTrusted(), refusal)
		}
	}
	if err := new(run.File).SetNames("f", []string{""}, nil); err == nil || err.Error() != "f: `target` must not be empty" {
		t.Error(err)
	}
}

// TestFindUses checks that only what files name needs a consent, and that finding it closes the run.
func TestFindUses(t *testing.T) {
	for given, want := range map[string]string{"": "target prod, judge strict", "target=self": "judge strict", "target=self judge=offline": "", "judge=offline": "target prod"} {
		var log []string
		file := run.File{Path: "f", Suite: &rubric.Suite{}}
		if err := file.SetNames("f", []string{"prod"}, []*rubric.Case{{Graders: []*rubric.Grader{{Judge: "strict"}}}}); err != nil {
			t.Fatal(err)
		}
		uses, err := run.FindUses(t.Context(), namedHost(&log), setOptions(t, strings.Fields(given)...), file)
		var found []string
		for _, use := range uses {
			found = append(found, use.Role+" "+use.Name)
		}
		if err != nil || strings.Join(found, ", ") != want {
			t.Errorf("%q: %q, %v; want %q", given, found, err, want)
		}
	}
	for _, c := range []struct {
		targets []string
		cases   []*rubric.Case
		want    string
	}{
		{[]string{"prod"}, nil, "target prod"},
		{nil, []*rubric.Case{{Target: "mine", Graders: []*rubric.Grader{{Judge: "strict"}}}}, "judge strict, target mine"},
	} {
		var log, found []string
		file := run.File{Path: "f", Suite: &rubric.Suite{Cases: c.cases}}
		if err := file.SetNames("f", c.targets, c.cases); err != nil {
			t.Fatal(err)
		}
		uses, err := run.FindUses(t.Context(), namedHost(&log), run.DefaultSettings(), file)
		for _, use := range uses {
			found = append(found, use.Role+" "+use.Name)
		}
		if err != nil || strings.Join(found, ", ") != c.want {
			t.Errorf("%q, %v; want %q", found, err, c.want)
		}
	}
	var log []string
	if uses, err := run.FindUses(t.Context(), namedHost(&log), setOptions(t, "target=prod"), run.File{Path: "f"}); uses != nil || err != nil || log != nil {
		t.Errorf("%v, %v, %q", uses, err, log)
	}
}

// TestWithAdvice checks what a host says of a target or a judge that files name.
func TestWithAdvice(t *testing.T) {
	gone := errors.New("it is gone")
	for role, want := range map[string]string{
		"target": "f names the target `x`: it is gone; choose another with --target, such as `self`, which grades the file's own answers",
		"judge":  "f names the judge `x`: it is gone; choose another with --judge, such as `offline`, which needs no model",
	} {
		err := run.WithAdvice(&run.NamedError{Use: run.Use{Role: role, Name: "x", By: "f"}, Err: gone}, "--")
		if err.Error() != want || !errors.Is(err, gone) {
			t.Error(err)
		}
	}
	if err := run.WithAdvice(gone, "--"); err != gone {
		t.Error(err)
	}
}

// TestReadProject checks which line of a project's settings an error names.
func TestReadProject(t *testing.T) {
	values := map[string]any{"samples": 3, "judge": []any{"a", "b"}, "adk": "2.0", "timeout": "1s"}
	lookup := func(o run.Option) (any, int) { return values[o.Key()], 7 }
	named, err := run.ReadProject("p", lookup)
	if err != nil || named.Path != "p" || named.Samples != 3 || !slices.Equal(named.Judges, []string{"a", "b"}) || named.ADK != "2.0" || named.IsSet("timeout") || named.IsSet("target") {
		t.Errorf("%+v, %v", named, err)
	}
	values["samples"] = 0
	if _, err := run.ReadProject("p", lookup); err == nil || err.Error() != "line 7: `samples` must be from 1 to 1000, not 0" {
		t.Error(err)
	}
}

// TestReadSettings checks that an editor's defaults set nothing, and that its other values count.
func TestReadSettings(t *testing.T) {
	defaults := map[string]any{}
	for _, o := range run.Options(run.Editor) {
		defaults[o.Setting()] = o.EditorDefault()
	}
	s, problems := run.ReadSettings("rubric", defaults)
	for _, o := range run.Options(run.Editor) {
		if s.IsSet(o.Name) && o.Type() != "boolean" || o.Text(s) != o.Text(run.DefaultSettings()) {
			t.Errorf("%s is %s", o.Name, o.Text(s))
		}
	}
	if problems != nil {
		t.Error(problems)
	}
	s, problems = run.ReadSettings("rubric", map[string]any{"target": []any{"a", "b"}, "judge": []any{"a", "b"}, "samples": 1.0, "workers": "x", "config": "c"})
	want := []string{"rubric.target must be one text, not a list", "rubric.workers must be a whole number, not `x`"}
	if !slices.Equal(problems, want) || s.IsSet("target") || len(s.Judges) != 2 || !s.IsSet("samples") || s.IsSet("workers") || s.Workers != 3 || s.IsSet("config") {
		t.Errorf("%q %+v", problems, s)
	}
}

// TestReadListOfOne checks that a list of one text is as good as the text.
func TestReadListOfOne(t *testing.T) {
	if s, problems := run.ReadSettings("rubric", map[string]any{"target": []any{"a"}}); problems != nil || !slices.Equal(s.Targets, []string{"a"}) {
		t.Errorf("%q %+v", problems, s)
	}
}

// TestUntrusted checks that settings for an untrusted workspace run nothing, whatever files name.
func TestUntrusted(t *testing.T) {
	s := setOptions(t, "target=cli:x", "judge=cli:y", "moderation=openai", "allow-exec=true", "sandboxed-graders=true", "samples=4").Untrusted()
	if s.Targets[0] != "self" || s.Judges[0] != "offline" || !s.IsSet("target") || !s.IsSet("judge") || s.Moderation != "" || s.AllowExec || !s.SandboxedGraders || s.Samples != 4 {
		t.Errorf("%+v", s)
	}
}

// TestVerdictFrom checks which cases pass from a threshold.
func TestVerdictFrom(t *testing.T) {
	half := 0.5
	scored := run.Record{Score: &half, Verdict: score.Fail}
	unmet, partly, failed, ungraded := scored, scored, scored, run.Record{Verdict: score.Ungraded}
	unmet.Gates, partly.Ungraded, failed.Error = []score.Gate{{Met: true}, {}}, 1, "no answer"
	for _, c := range []struct {
		record    run.Record
		threshold float64
		want      score.Verdict
	}{
		{scored, 0, score.Fail}, {run.Record{Score: &half, Verdict: score.Borderline}, 0, score.Borderline}, {scored, 0.5, score.Pass}, {scored, 0.51, score.Fail}, {unmet, 0.5, score.Fail}, {partly, 0.5, score.Fail},
		{failed, 0.5, score.Fail}, {ungraded, 0.5, score.Ungraded}, {run.Record{Score: &half, Verdict: score.Pass}, 0.9, score.Fail},
		{run.Record{Verdict: score.Pass}, 0.1, score.Fail}, {run.Record{Verdict: score.Pass}, 0, score.Pass},
	} {
		if got := c.record.VerdictFrom(c.threshold); got != c.want || (got == score.Pass) != c.record.Passes(c.threshold) {
			t.Errorf("%+v from %v: %s", c.record, c.threshold, got)
		}
	}
}

// TestPreview checks the line that shows a preview.
func TestPreview(t *testing.T) {
	code := &rubric.Grader{Name: "g", Kind: rubric.CodeJudge}
	cases := []*rubric.Case{{ID: "a", Graders: []*rubric.Grader{code, {Name: "c", Kind: rubric.Composite, Members: []*rubric.Grader{code}}}}, {ID: "b"}}
	p := run.Preview{Target: "t", Judge: "j", Questions: 1}
	slices.Reverse(cases) // the faulty one is the first
	runnable := p.AddCases(cases, map[string]string{"b": "it is faulty"})
	if len(runnable) != 1 || p.Programs != 2 || !slices.Equal(p.Skipped, []run.NotRun{{Case: "b", Reason: "it is faulty"}}) {
		t.Errorf("%+v", p)
	}
	p.Notes = []string{"a note", "another"}
	if want := "1 case would be answered by `t` and judged by `j`: 1 question, 2 programs; `b` is not run: it is faulty; a note; nothing is run, because this workspace is not trusted"; p.String() != want {
		t.Error(p.String())
	}
	for want, p := range map[string]run.Preview{
		"it is broken": {Errors: []string{"it is broken"}},
		"0 cases would be answered by `t` and judged by `j`: 0 questions":        {Target: "t", Judge: "j", Trusted: true},
		"1 case would be answered by `t` and judged by `j`: 2 questions; a note": {Target: "t", Judge: "j", Trusted: true, Questions: 2, Cases: p.Cases, Notes: []string{"a note"}},
	} {
		if got := p.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
