package lsp

import (
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

func didOpen(s *session, p *protocol.DidOpenTextDocumentParams) error {
	s.Open(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
	return nil
}

func didChange(s *session, p *protocol.DidChangeTextDocumentParams) error {
	return s.Edit(p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges)
}

func didClose(s *session, p *protocol.DidCloseTextDocumentParams) error {
	return s.Close(p.TextDocument.URI)
}

func didSave(s *session, _ *protocol.DidSaveTextDocumentParams) error {
	s.Saved()
	return nil
}

func didChangeWatchedFiles(s *session, _ *protocol.DidChangeWatchedFilesParams) error {
	s.FilesChanged()
	return nil
}

// didChangeWorkspaceFolders adds and removes workspace folders.
func didChangeWorkspaceFolders(s *session, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.Update(func(next *cache.Snapshot) {
		folders := slices.DeleteFunc(slices.Clone(next.Folders), func(f protocol.WorkspaceFolder) bool {
			return slices.ContainsFunc(p.Event.Removed, func(gone protocol.WorkspaceFolder) bool { return gone.URI == f.URI })
		})
		next.Folders = append(folders, cloneFolders(p.Event.Added)...)
	})
	return nil
}
