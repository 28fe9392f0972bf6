package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// section is whose settings are ours, in every editor.
const section = "rubric"

// settings are a client's settings for us.
type settings struct {
	// Rules are the severities of rules by their id, as in a project's settings.
	Rules map[string]string `json:"rules"`
	Running
}

// didChangeConfiguration takes in new settings. Clients that can be asked send
// nothing of use with it.
func didChangeConfiguration(s *session, p *protocol.DidChangeConfigurationParams) error {
	if s.now.Load().client.configuration {
		s.pullSettings()
		return nil
	}
	var all struct {
		Rubric *settings `json:"rubric"`
	}
	if err := protocol.Unmarshal(p.Settings, &all); err != nil || all.Rubric == nil {
		return err // others' settings are none of ours
	}
	s.apply(all.Rubric)
	return nil
}

// pullSettings asks the client for its settings. Of several answers the one to
// the last question counts.
func (s *session) pullSettings() {
	asked := s.settingsAsked.Add(1)
	s.meanwhile("read the settings", func(ctx context.Context) error {
		name := section
		var answer []*settings
		err := s.peer.call(ctx, protocol.MethodWorkspaceConfiguration,
			&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &answer)
		if err == nil && asked == s.settingsAsked.Load() && len(answer) == 1 {
			if answer[0] == nil { // the client has none
				answer[0] = &settings{}
			}
			s.apply(answer[0])
		}
		return err
	})
}

// apply has settings hold from now on. A faulty one is told and left out.
func (s *session) apply(new *settings) {
	severities := map[string]diag.Severity{}
	for rule, name := range new.Rules {
		severity, err := lint.Severity(rule, strings.ToLower(name))
		if err != nil {
			s.tell(protocol.MessageTypeWarning, "rubric.rules: "+err.Error())
			continue
		}
		severities[strings.Clone(rule)] = severity
	}
	running := new.Running.settled()
	if !s.now.Load().client.trusted {
		running = running.confined()
	}
	if s.now.Load().Running != running && s.results.any() {
		defer s.refresh()
	}
	s.update(func(next *Snapshot) { next.Severities, next.Running = severities, running })
	s.renew()
}

// tell puts a line into the client's log.
func (s *session) tell(kind protocol.MessageType, line string) {
	s.peer.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: line})
}

// show shows a line to whoever sits at the client: an answer to what they asked
// for.
func (s *session) show(kind protocol.MessageType, line string) {
	s.peer.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: line})
}

// meanwhile does what has to wait for the client, beside everything else.
func (s *session) meanwhile(what string, do func(context.Context) error) {
	go func() {
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		defer cancel()
		_, err := s.guard(what, func() (any, error) { return nil, do(ctx) })
		if err != nil && s.ctx.Err() == nil {
			s.log("%s: %v", what, err)
		}
	}()
}
