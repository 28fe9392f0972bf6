//lint:file-ignore SA1019 old clients name the one folder that they know by the fields that came first

package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// initialize reads the client's capabilities and returns the server's.
func initialize(s *session, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	c := cache.NewClient(p, s.peer, s.isLocal)
	c.IsTrusted = c.IsTrusted && !s.server.Remote
	s.Update(func(next *cache.Snapshot) {
		if next.Client = c; !c.IsTrusted {
			next.RunSettings = next.RunSettings.Untrusted()
		}
		next.Folders = workspaceFolders(p)
	})
	if p.ProcessID != nil && s.isLocal {
		s.watchParent(int(*p.ProcessID))
	}
	s.traceValue.Store(&p.Trace)
	s.phase.Store(phaseServing)
	result := &protocol.InitializeResult{ServerInfo: protocol.ServerInfo{Name: s.server.Name, Version: protocol.NewOptional(s.server.Version)}}
	result.Capabilities.PositionEncoding = c.EncodingName
	for _, r := range allRoutes() {
		if r.offer != nil {
			r.offer(&result.Capabilities, c)
		}
	}
	offerOwnActions(&result.Capabilities)
	return result, nil
}

// workspaceFolders returns the client's folders. Old clients send a single root instead.
func workspaceFolders(p *protocol.InitializeParams) []protocol.WorkspaceFolder {
	if folders, ok := p.WorkspaceFolders.Get(); ok {
		return cloneFolders(folders)
	}
	root := uri.URI("")
	if path, ok := p.RootPath.Get(); ok && path != "" {
		root = uri.File(strings.Clone(path))
	}
	if p.RootURI != nil && *p.RootURI != "" {
		root = uri.URI(strings.Clone(string(*p.RootURI)))
	}
	if root == "" {
		return nil
	}
	return []protocol.WorkspaceFolder{{URI: root, Name: uri.Basename(root)}}
}

// cloneFolders copies the strings, which otherwise keep the whole message in memory.
func cloneFolders(folders []protocol.WorkspaceFolder) []protocol.WorkspaceFolder {
	return generic.Map(folders, func(f protocol.WorkspaceFolder) protocol.WorkspaceFolder {
		return protocol.WorkspaceFolder{URI: uri.URI(strings.Clone(string(f.URI))), Name: strings.Clone(f.Name)}
	})
}

// watchedFiles matches the files that an analysis may depend on: evals, targets, cases, settings,
// and files that messages and prompts refer to.
const watchedFiles = "**/*.{yaml,yml,jsonl,json,csv,md,txt,py,js,mjs,ts,sh,prompt,tmpl,jinja,j2,wasm}"

// initialized registers for file and settings changes and asks for the settings. Before this
// notification a server may send no requests.
func initialized(s *session, _ *noParams) error {
	c := s.snapshot().Client
	var registrations []protocol.Registration
	register := func(method string, options any) {
		registrations = append(registrations, protocol.Registration{ID: method, Method: method, RegisterOptions: transport.Encode(options)})
	}
	if c.CanWatchFiles {
		watchers := []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern(watchedFiles)}}
		register(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: watchers})
	}
	if c.CanWatchConfiguration {
		register(protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationRegistrationOptions{Section: protocol.String(settingsSection)})
	}
	if len(registrations) > 0 {
		s.InBackground("register for changes", func(ctx context.Context) error {
			return s.peer.Call(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{Registrations: registrations}, nil)
		})
	}
	if c.HasConfiguration {
		s.fetchSettings()
	}
	return nil
}
