package lsp

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/run"
)

// runSettings reads the options of a run from a client's settings. Faulty values are left out, and
// problems says why. A default counts as not set, because clients send the defaults too.
func runSettings(values map[string]any) (s run.Settings, problems []string) {
	for _, o := range run.Options(run.Editor) {
		value := values[o.Setting()]
		if value == nil || value == "" || fmt.Sprint(value) == fmt.Sprint(o.Default()) {
			continue
		}
		called := settingsSection + "." + o.Setting()
		if list, isList := value.([]any); isList && len(list) > 1 && o.Name != "judge" {
			problems = append(problems, called+" must be one text, not a list")
		} else if err := o.Set(&s, called, value); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return s.WithDefaults(), problems
}

// restrictSettings removes everything that starts a program or opens a connection.
func restrictSettings(s run.Settings) run.Settings {
	for _, o := range run.Options(run.Editor) {
		if o.NeedsTrust && o.Name != "sandboxed-graders" {
			s = s.Unset(o.Name)
		}
	}
	return s
}

// configOf returns who answers and who judges a document's cases. An ADK evalset has no target,
// because the conversations are part of it.
func configOf(s run.Settings, d *document) runConfig {
	if d.ADK() != adk.None {
		return runConfig{run.SelfTargetName, strings.Join(s.Judges, run.PanelSeparator), s.Moderation, ""}
	}
	return runConfig{s.Targets[0], strings.Join(s.Judges, run.PanelSeparator), "", s.Profile}
}
