package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// watchedFiles are the files that an analysis may depend on: evals, targets, cases,
// settings, and what messages and prompts refer to.
const watchedFiles = "**/*.{yaml,yml,jsonl,json,md,txt,py,js,mjs,ts,sh,prompt,tmpl,jinja,j2,wasm}"

// initialized is when a client may be asked for things: to tell when files and
// settings change, and what the settings are.
func initialized(s *session, _ *noParams) error {
	c := s.snapshot.Load().client
	var registrations []protocol.Registration
	if c.canWatchFiles {
		registrations = append(registrations, newRegistration(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesRegistrationOptions{
			Watchers: []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern(watchedFiles)}},
		}))
	}
	if c.canWatchConfiguration {
		registrations = append(registrations, newRegistration(protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationRegistrationOptions{
			Section: protocol.String(settingsSection),
		}))
	}
	if len(registrations) > 0 {
		s.runInBackground("register for changes", func(ctx context.Context) error {
			return s.peer.call(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{Registrations: registrations}, nil)
		})
	}
	if c.hasConfiguration {
		s.fetchSettings()
	}
	return nil
}

// newRegistration asks to be sent a method; there is one of each, so its name is
// its id.
func newRegistration(method string, options any) protocol.Registration {
	encoded, err := codec{}.Marshal(options)
	if err != nil { // options are structs of strings
		panic(err)
	}
	return protocol.Registration{ID: method, Method: method, RegisterOptions: encoded}
}
