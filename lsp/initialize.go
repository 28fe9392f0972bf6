//lint:file-ignore SA1019 old clients name the one folder that they know by the fields that came first

package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// initialize gets to know the client and tells it what is on offer.
func initialize(s *session, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	c := meet(p, s.peer, s.local)
	c.trusted = c.trusted && !s.server.Remote
	s.update(func(next *Snapshot) {
		next.client = c
		next.Folders = foldersOf(p)
	})
	if p.ProcessID != nil && s.local {
		s.follow(int(*p.ProcessID))
	}
	s.phase.Store(serving)
	result := &protocol.InitializeResult{ServerInfo: protocol.ServerInfo{Name: s.server.Name, Version: protocol.NewOptional(s.server.Version)}}
	result.Capabilities.PositionEncoding = c.encodingName
	for _, r := range table() {
		if r.offer != nil {
			r.offer(&result.Capabilities, c)
		}
	}
	return result, nil
}

// foldersOf are the folders that a client works in, of which old ones know one.
func foldersOf(p *protocol.InitializeParams) []protocol.WorkspaceFolder {
	if folders, ok := p.WorkspaceFolders.Get(); ok {
		return cloned(folders)
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

// cloned lets go of the message that decoded strings are parts of.
func cloned(folders []protocol.WorkspaceFolder) []protocol.WorkspaceFolder {
	var all []protocol.WorkspaceFolder
	for _, f := range folders {
		all = append(all, protocol.WorkspaceFolder{URI: uri.URI(strings.Clone(string(f.URI))), Name: strings.Clone(f.Name)})
	}
	return all
}
