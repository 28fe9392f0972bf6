package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// settingsSection is whose settings are ours, in every editor.
const settingsSection = "rubric"

// settings are a client's settings for us.
type settings struct {
	// Rules are the severities of rules by their id, as in a project's settings.
	Rules map[string]string `json:"rules"`
	RunSettings
}

// didChangeConfiguration takes in new settings. Clients that can be asked send
// nothing of use with it.
func didChangeConfiguration(s *session, p *protocol.DidChangeConfigurationParams) error {
	if s.snapshot.Load().client.hasConfiguration {
		s.fetchSettings()
		return nil
	}
	var all struct {
		Rubric *settings `json:"rubric"`
	}
	if err := protocol.Unmarshal(p.Settings, &all); err != nil || all.Rubric == nil {
		return err // others' settings are none of ours
	}
	s.applySettings(all.Rubric)
	return nil
}

// fetchSettings asks the client for its settings. Of several answers the one to
// the last question counts.
func (s *session) fetchSettings() {
	attempt := s.settingsRequests.Add(1)
	s.runInBackground("read the settings", func(ctx context.Context) error {
		name := settingsSection
		var answers []*settings
		err := s.peer.call(ctx, protocol.MethodWorkspaceConfiguration,
			&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &answers)
		if err == nil && attempt == s.settingsRequests.Load() && len(answers) == 1 {
			if answers[0] == nil { // the client has none
				answers[0] = &settings{}
			}
			s.applySettings(answers[0])
		}
		return err
	})
}

// applySettings has settings hold from now on. A faulty one is told and left out.
func (s *session) applySettings(updated *settings) {
	severities := map[string]diag.Severity{}
	for rule, name := range updated.Rules {
		severity, err := lint.ParseSeverity(rule, strings.ToLower(name))
		if err != nil {
			s.logMessage(protocol.MessageTypeWarning, "rubric.rules: "+err.Error())
			continue
		}
		severities[strings.Clone(rule)] = severity
	}
	running := updated.RunSettings.withDefaults()
	if !s.snapshot.Load().client.isTrusted {
		running = running.restricted()
	}
	if s.snapshot.Load().RunSettings != running && s.results.hasAny() {
		defer s.refreshViews()
	}
	s.update(func(next *snapshot) { next.Severities, next.RunSettings = severities, running })
	s.reload()
}

// logMessage puts a line into the client's log.
func (s *session) logMessage(kind protocol.MessageType, line string) {
	s.peer.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: line})
}

// showMessage shows a line to whoever sits at the client: an answer to what they asked
// for.
func (s *session) showMessage(kind protocol.MessageType, line string) {
	s.peer.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: line})
}

// runInBackground does what has to wait for the client, beside everything else.
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
