package run_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestOptionNames checks the three names of an option.
func TestOptionNames(t *testing.T) {
	o := run.FindOption("max-calls")
	if o.Key() != "max_calls" || o.Setting() != "maxCalls" || o.Description(run.Editor) != "Limit the questions to models and commands that judge; the rest is ungraded. 0 means no limit." {
		t.Errorf("%s %s %s", o.Key(), o.Setting(), o.Description(run.Editor))
	}
}

// TestDescription checks what is added to an option's description, or takes its place.
func TestDescription(t *testing.T) {
	for _, c := range []struct {
		option string
		host   run.Hosts
		want   string
	}{
		{"max-calls", run.CommandLine, "Limit the questions to models and commands that judge; the rest is ungraded. 0 means no limit."},
		{"max-calls", run.Project, "Limit the questions to models and commands that judge; the rest is ungraded."},
		{"prompt", run.CommandLine, "Ask with the template `FILE`, or with a text (repeatable)."},
	} {
		if got := run.FindOption(c.option).Description(c.host); got != c.want {
			t.Errorf("%s: %s", c.option, got)
		}
	}
}

// TestRefusesZero checks that a project's settings cannot say 0 where 0 would be no limit.
func TestRefusesZero(t *testing.T) {
	for _, c := range []struct {
		option, value string
		refused       bool
	}{
		{"max-calls", "0", true}, {"max-calls", "1", false}, {"max-warnings", "0", false}, {"max-calls", "", false},
	} {
		s, o := run.Settings{}, run.FindOption(c.option)
		if c.value != "" {
			if err := o.Set(&s, c.option, c.value); err != nil {
				t.Fatal(err)
			}
		}
		if err := o.RefusesZero(s, "max_calls"); (err != nil) != c.refused || err != nil && err.Error() != "max_calls must be above 0" {
			t.Errorf("%s %q: %v", c.option, c.value, err)
		}
	}
}

// TestSetOption sets options to texts, as flags do, and to decoded JSON values.
func TestSetOption(t *testing.T) {
	for _, c := range []struct {
		option string
		value  any
		want   string // the value as text, or the error after the name
	}{
		{"samples", "7", "7"}, {"samples", 7.0, "7"}, {"samples", 7, "7"}, {"samples", "1000", "1000"}, {"samples", "1", "1"},
		{"samples", "0", "must be from 1 to 1000, not 0"},
		{"samples", 1001, "must be from 1 to 1000, not 1001"},
		{"samples", "1.5", "must be a whole number, not `1.5`"},
		{"samples", true, "must be a whole number, not `true`"},
		{"samples", "many", "must be a whole number, not `many`"},
		{"workers", "10001", "must be from 1 to 10000, not 10001"},
		{"threshold", "0.5", "0.5"}, {"threshold", 1.0, "1"}, {"threshold", "0", "0"},
		{"threshold", "1.01", "must be from 0 to 1, not 1.01"},
		{"threshold", "-1", "must be from 0 to 1, not -1"},
		{"threshold", "nan", "must be from 0 to 1, not nan"},
		{"threshold", "high", "must be a number, not `high`"},
		{"max-calls", "0", "0"}, {"max-cost", 0.25, "0.25"},
		{"max-calls", -1.0, "must not be negative, but is -1"},
		{"max-calls", "3000000000", "must be from 0 to 2147483647, not 3000000000"},
		{"max-cost", "nan", "must be from 0 to 2147483647, not nan"},
		{"timeout", "30s", "30s"},
		{"timeout", "0s", "must be a duration such as `30s` or `2m`, not `0s`"},
		{"timeout", 30.0, "must be a duration such as `30s` or `2m`, not `30`"},
		{"allow-exec", "true", "true"}, {"allow-exec", false, "false"},
		{"allow-exec", "yes", "must be `true` or `false`, not `yes`"},
		{"allow-exec", 1.0, "must be `true` or `false`, not `1`"},
		{"profile", "agentv", "agentv"},
		{"profile", "agentv-5", "must be " + score.ProfileNames + ", not `agentv-5`"},
		{"profile", 4.0, "must be a text, not `4`"},
		{"adk", "2.0", "2.0"}, {"adk", "2", "must be `latest` or `2.0`, not `2`"},
		{"judge", "openai:m", "openai:m"}, {"judge", []string{"a", "b"}, "a,b"}, {"judge", []any{"a", "b"}, "a,b"},
		{"judge", []any{}, "must not be empty"}, {"judge", " ", "must not be empty"}, {"judge", []any{"a", ""}, "must not be empty"},
		{"judge", []any{1.0}, "must be a text or a list of texts, not `[1]`"},
		{"judge", 1.0, "must be a text or a list of texts, not `1`"},
		{"prices", "p.yaml", "p.yaml"},
		{"min-pass-rate", 0.9, "0.9"}, {"min-pass-rate", []any{1.0, "safety=1"}, "1,safety=1"}, {"min-mean", "a=b=0.5", "a=b=0.5"},
		{"min-pass-rate", 95.0, "must be a number from 0 to 1, or TAG=NUMBER, not `95`"},
		{"min-mean", []any{0.5, "nan"}, "must be a number from 0 to 1, or TAG=NUMBER, not `nan`"},
		{"max-warnings", 0.0, "0"}, {"max-warnings", -1.0, "must not be negative, but is -1"},
	} {
		s, o := run.DefaultSettings(), run.FindOption(c.option)
		before := s
		err := o.Set(&s, "--"+c.option, c.value)
		switch {
		case err != nil:
			if err.Error() != "--"+c.option+" "+c.want || !reflect.DeepEqual(s, before) {
				t.Errorf("%s = %v: %v", c.option, c.value, err)
			}
		case o.Text(s) != c.want || !s.IsSet(c.option):
			t.Errorf("%s = %v: %q", c.option, c.value, o.Text(s))
		}
	}
}

// TestCombinedSettings checks which of several sources counts.
func TestCombinedSettings(t *testing.T) {
	set := func(values ...string) (s run.Settings) {
		for _, v := range values {
			name, value, _ := strings.Cut(v, "=")
			if err := run.FindOption(name).Set(&s, name, value); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	s := set("samples=3", "max-calls=0").Or(set("samples=5", "max-calls=9", "judge=openai:m")).WithDefaults()
	if s.Samples != 3 || s.MaxCalls != 0 || s.Judges[0] != "openai:m" || s.Workers != 3 || s.Profile != score.Spec || s.Timeout != 2*time.Minute {
		t.Errorf("%+v", s)
	}
	if !s.IsSet("judge") || s.IsSet("workers") {
		t.Error("only what was set is set")
	}
	if s = s.Unset("judge"); s.IsSet("judge") || s.Judges[0] != "offline" {
		t.Errorf("%+v", s)
	}
}

// TestEveryOption checks that each option has a field, texts, a host and a default that is valid.
func TestEveryOption(t *testing.T) {
	fields := reflect.TypeFor[run.Settings]().NumField() - 1 // without the set of given options
	seen := map[string]bool{}
	for _, o := range run.Options(run.CommandLine | run.Editor | run.Project | run.Page) {
		if seen[o.Name] || o.Description(run.Editor) == "" || o.Hosts&run.CommandLine != 0 && o.Help == "" {
			t.Errorf("%q is there twice, or has no description", o.Name)
		}
		seen[o.Name] = true
		if o.Default() == "" || o.Min > 0 && o.Default() == 0 {
			continue
		}
		s := run.Settings{}
		if err := o.Set(&s, o.Name, o.Default()); err != nil && o.Name != "timeout" {
			t.Errorf("its own default: %v", err)
		}
	}
	if len(seen) != fields {
		t.Errorf("%d options for %d fields", len(seen), fields)
	}
}
