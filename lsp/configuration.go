package lsp

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
)

// settingsSection is the section of this server's settings, in every editor.
const settingsSection = "rubric"

// settings are the client's settings for this server: the rules' severities by id under `rules`, as
// in the project's settings file, and the options of a run.
type settings map[string]any

// didChangeConfiguration applies new settings. Clients that answer workspace/configuration send
// nothing useful here, so the server asks them.
func didChangeConfiguration(s *session, p *protocol.DidChangeConfigurationParams) error {
	if s.snapshot.Load().client.hasConfiguration {
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

// fetchSettings asks the client for its settings. If several requests overlap, only the answer to
// the last one counts.
func (s *session) fetchSettings() {
	attempt := s.settingsRequests.Add(1)
	s.runInBackground("read the settings", func(ctx context.Context) error {
		name := settingsSection
		var answers []settings
		err := s.peer.Call(ctx, protocol.MethodWorkspaceConfiguration,
			&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &answers)
		if err == nil && attempt == s.settingsRequests.Load() && len(answers) == 1 {
			s.applySettings(answers[0])
		}
		return err
	})
}

// applySettings makes updated the current settings. Invalid severities are logged and skipped.
func (s *session) applySettings(updated settings) {
	running, problems := run.ReadSettings(settingsSection, updated)
	severities := map[string]diag.Severity{}
	rules, _ := updated["rules"].(map[string]any)
	for rule, name := range rules {
		severity, err := lint.ParseSeverity(rule, strings.ToLower(fmt.Sprint(name)))
		if err != nil {
			problems = append(problems, "rubric.rules: "+err.Error())
			continue
		}
		severities[rule] = severity
	}
	for _, problem := range problems {
		s.logMessage(protocol.MessageTypeWarning, problem)
	}
	if !s.snapshot.Load().client.isTrusted {
		running = running.Untrusted()
	}
	if !reflect.DeepEqual(s.snapshot.Load().RunSettings, running) && s.results.hasAny() {
		defer s.refreshViews()
	}
	s.update(func(next *snapshot) { next.Severities, next.RunSettings = severities, running })
	s.reload()
}

// logMessage writes a line to the client's log.
func (s *session) logMessage(kind protocol.MessageType, line string) {
	s.peer.Notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: line})
}

// showMessage shows a line to the user, in answer to a command.
func (s *session) showMessage(kind protocol.MessageType, line string) {
	s.peer.Notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: line})
}

// runInBackground runs a task that waits for the client.
func (s *session) runInBackground(name string, task func(context.Context) error) {
	go func() {
		ctx, cancel := context.WithTimeout(s.ctx, callTimeout)
		defer cancel()
		_, err := s.runGuarded(name, func() (any, error) { return nil, task(ctx) })
		if err != nil && s.ctx.Err() == nil {
			s.log("%s: %v", name, err)
		}
	}()
}

// severities returns the rule severities for a document, given those of its project. Client settings
// override them, as flags do on the command line.
func (s *session) severities(ofProject map[string]diag.Severity) map[string]diag.Severity {
	severities := map[string]diag.Severity{}
	maps.Copy(severities, ofProject)
	maps.Copy(severities, s.snapshot.Load().Severities)
	return severities
}
