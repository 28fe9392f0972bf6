package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func offerTextSync(o *protocol.ServerCapabilities, _ *client) {
	enabled, kind := true, protocol.TextDocumentSyncKindIncremental
	o.TextDocumentSync = &protocol.TextDocumentSyncOptions{OpenClose: &enabled, Change: &kind, Save: &protocol.SaveOptions{}}
}

// didOpen adds a document. It replaces a document that is already open.
func didOpen(s *session, p *protocol.DidOpenTextDocumentParams) error {
	u := uri.URI(strings.Clone(string(p.TextDocument.URI)))
	s.setDocument(newDocument(u, p.TextDocument.Version, strings.Clone(p.TextDocument.Text), s.loadDependencies(u)))
	s.scheduleDiagnostics(u)
	return nil
}

// didChange applies edits to a document.
func didChange(s *session, p *protocol.DidChangeTextDocumentParams) error {
	snap := s.snapshot.Load()
	d := snap.Documents[p.TextDocument.URI]
	if d == nil {
		return fmt.Errorf("`%s` is not open", p.TextDocument.URI)
	}
	s.setDocument(d.applyChanges(p.TextDocument.Version, p.ContentChanges, snap.client.Encoding))
	s.scheduleDiagnostics(d.URI)
	return nil
}

// didClose removes a document and clears its diagnostics.
func didClose(s *session, p *protocol.DidCloseTextDocumentParams) error {
	u := p.TextDocument.URI
	if s.snapshot.Load().Documents[u] == nil {
		return fmt.Errorf("`%s` is not open", u)
	}
	s.update(func(next *snapshot) {
		next.Documents = maps.Clone(next.Documents)
		delete(next.Documents, u)
	})
	s.tokens.remove(u)
	s.scheduleDiagnostics(u)
	return nil
}

// didSave schedules a reload of dependencies, because other files may refer to the saved one.
func didSave(s *session, _ *protocol.DidSaveTextDocumentParams) error {
	s.reloadTimer.Reset(s.server.quiet())
	return nil
}

// didChangeWatchedFiles schedules a reload of dependencies. The delay joins bursts: a branch switch
// changes thousands of files.
func didChangeWatchedFiles(s *session, _ *protocol.DidChangeWatchedFilesParams) error {
	s.filesChanged.Store(true)
	s.reloadTimer.Reset(s.server.quiet())
	return nil
}

func offerWorkspaceFolders(o *protocol.ServerCapabilities, _ *client) {
	supported := true
	if o.Workspace == nil {
		o.Workspace = &protocol.WorkspaceOptions{}
	}
	o.Workspace.WorkspaceFolders = &protocol.WorkspaceFoldersServerCapabilities{
		Supported: &supported, ChangeNotifications: protocol.Boolean(true),
	}
}

// didChangeWorkspaceFolders adds and removes workspace folders.
func didChangeWorkspaceFolders(s *session, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.update(func(next *snapshot) {
		folders := slices.DeleteFunc(slices.Clone(next.Folders), func(f protocol.WorkspaceFolder) bool {
			return slices.ContainsFunc(p.Event.Removed, func(gone protocol.WorkspaceFolder) bool { return gone.URI == f.URI })
		})
		next.Folders = append(folders, cloneFolders(p.Event.Added)...)
	})
	return nil
}
