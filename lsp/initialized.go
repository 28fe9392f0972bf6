package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// watched are the files that an analysis may depend on: evals, targets, cases,
// settings, and what messages and prompts refer to.
const watched = "**/*.{yaml,yml,jsonl,json,md,txt,py,js,mjs,ts,sh,prompt,tmpl,jinja,j2,wasm}"

// initialized is when a client may be asked for things: to tell when files and
// settings change, and what the settings are.
func initialized(s *session, _ *none) error {
	c := s.now.Load().client
	var wanted []protocol.Registration
	if c.watchFiles {
		wanted = append(wanted, registration(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesRegistrationOptions{
			Watchers: []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern(watched)}},
		}))
	}
	if c.watchConfiguration {
		wanted = append(wanted, registration(protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationRegistrationOptions{
			Section: protocol.String(section),
		}))
	}
	if len(wanted) > 0 {
		s.meanwhile("register for changes", func(ctx context.Context) error {
			return s.peer.call(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{Registrations: wanted}, nil)
		})
	}
	if c.configuration {
		s.pullSettings()
	}
	return nil
}

// registration asks to be sent a method; there is one of each, so its name is
// its id.
func registration(method string, options any) protocol.Registration {
	encoded, err := codec{}.Marshal(options)
	if err != nil { // options are structs of strings
		panic(err)
	}
	return protocol.Registration{ID: method, Method: method, RegisterOptions: encoded}
}
