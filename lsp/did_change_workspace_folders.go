package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
)

func offerWorkspaceFolders(o *protocol.ServerCapabilities, _ *client) {
	supported := true
	if o.Workspace == nil {
		o.Workspace = &protocol.WorkspaceOptions{}
	}
	o.Workspace.WorkspaceFolders = &protocol.WorkspaceFoldersServerCapabilities{
		Supported: &supported, ChangeNotifications: protocol.Boolean(true),
	}
}

// didChangeWorkspaceFolders takes folders in and lets others go.
func didChangeWorkspaceFolders(s *session, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.update(func(next *snapshot) {
		folders := slices.DeleteFunc(slices.Clone(next.Folders), func(f protocol.WorkspaceFolder) bool {
			return slices.ContainsFunc(p.Event.Removed, func(gone protocol.WorkspaceFolder) bool { return gone.URI == f.URI })
		})
		next.Folders = append(folders, cloneFolders(p.Event.Added)...)
	})
	return nil
}
