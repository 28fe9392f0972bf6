package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

// settingsSection is the section of this server's settings, in every editor.
const settingsSection = "rubric"

// settings are the client's settings for this server: the rules' severities by id under `rules`, as
// in the project's settings file, and the options of a run.
type settings map[string]any

// didChangeConfiguration applies new settings. Clients that answer workspace/configuration send
// nothing useful here, so the server asks them.
func didChangeConfiguration(s *session, p *protocol.DidChangeConfigurationParams) error {
	if s.snapshot().Client.HasConfiguration {
		s.fetchSettings()
		return nil
	}
	var all struct {
		Rubric settings `json:"rubric"`
	}
	if err := protocol.Unmarshal(p.Settings, &all); err != nil || all.Rubric == nil {
		return err // not this server's settings
	}
	s.applySettings(all.Rubric)
	return nil
}

// fetchSettings asks the client for its settings, however late it answers. If several requests overlap, only the
// answer to the last one counts.
func (s *session) fetchSettings() {
	attempt := s.settingsRequests.Add(1)
	s.InBackground("read the settings", func(context.Context) error {
		name := settingsSection
		var answers []settings
		err := s.peer.Call(s.ctx, protocol.MethodWorkspaceConfiguration,
			&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &answers)
		if err == nil && attempt == s.settingsRequests.Load() && len(answers) == 1 {
			s.applySettings(answers[0])
		}
		return err
	})
}

// settingNames are the known settings. The last two are VS Code's own.
var settingNames = append(generic.Map(run.Options(run.Editor), run.Option.Setting), "rules", "server", "trace")

// applySettings makes updated the current settings. It skips invalid ones, and shows what is wrong with them.
func (s *session) applySettings(updated settings) {
	running, problems := run.ReadSettings(settingsSection, updated)
	rules, isObject := updated["rules"].(map[string]any)
	if value := updated["rules"]; !isObject && value != nil && fmt.Sprint(value) != "[]" { // Lua's empty table
		problems = append(problems, fmt.Sprintf("rubric.rules must be an object of severities by rule id, not `%v`", value))
	}
	names := map[string]string{}
	for rule, name := range rules {
		names[rule] = fmt.Sprint(name)
	}
	severities, faults := lint.ParseSeverities(names)
	for _, fault := range faults {
		problems = append(problems, "rubric.rules: "+fault)
	}
	for _, name := range slices.Sorted(maps.Keys(updated)) {
		if !slices.Contains(settingNames, name) {
			problems = append(problems, fmt.Sprintf("there is no setting `rubric.%s`%s", name, spell.DidYouMean(name, settingNames)))
		}
	}
	for _, problem := range problems {
		s.Current().Client.ShowMessage(protocol.MessageTypeWarning, problem)
	}
	s.SetSettings(severities, running)
}
