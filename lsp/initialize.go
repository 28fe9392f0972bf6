//lint:file-ignore SA1019 old clients name the one folder that they know by the fields that came first

package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// initialize gets to know the client and tells it what is on offer.
func initialize(s *session, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	c := newClient(p, s.peer, s.isLocal)
	c.isTrusted = c.isTrusted && !s.server.Remote
	s.update(func(next *snapshot) {
		next.client = c
		next.Folders = workspaceFolders(p)
	})
	if p.ProcessID != nil && s.isLocal {
		s.watchParent(int(*p.ProcessID))
	}
	s.phase.Store(phaseServing)
	result := &protocol.InitializeResult{ServerInfo: protocol.ServerInfo{Name: s.server.Name, Version: protocol.NewOptional(s.server.Version)}}
	result.Capabilities.PositionEncoding = c.encodingName
	for _, r := range methodTable() {
		if r.offer != nil {
			r.offer(&result.Capabilities, c)
		}
	}
	return result, nil
}

// workspaceFolders are the folders that a client works in, of which old ones know one.
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

// cloneFolders lets go of the message that decoded strings are parts of.
func cloneFolders(folders []protocol.WorkspaceFolder) []protocol.WorkspaceFolder {
	var clones []protocol.WorkspaceFolder
	for _, f := range folders {
		clones = append(clones, protocol.WorkspaceFolder{URI: uri.URI(strings.Clone(string(f.URI))), Name: strings.Clone(f.Name)})
	}
	return clones
}
