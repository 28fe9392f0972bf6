package lsp

import (
	"context"
	"path"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	idenavigation "github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/text"
)

func offerDefinition(o *protocol.ServerCapabilities, _ *client) {
	o.DefinitionProvider = protocol.Boolean(true)
}

// definition returns where a name is declared, or the file that a link leads to.
func definition(_ context.Context, s *snapshot, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return protocol.LocationSlice{}, nil
	}
	others, uris := s.otherFiles(d)
	found := s.client.toLocations(uris, idenavigation.Definitions(d.Analysis, offset, others))
	chunk := d.ChunkAt(offset)
	if link, ok := idenavigation.LinkAt(chunk, chunk.FromFile(offset)); ok && len(found) == 0 && link.URL == "" {
		if file := s.linkTarget(d.URI, link); file != "" {
			found = append(found, protocol.Location{URI: file})
		}
	}
	return protocol.LocationSlice(found), nil
}

func offerReferences(o *protocol.ServerCapabilities, _ *client) {
	o.ReferencesProvider = protocol.Boolean(true)
}

// references returns the locations of a name.
func references(_ context.Context, s *snapshot, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return []protocol.Location{}, nil
	}
	others, uris := s.otherFiles(d)
	return s.client.toLocations(uris, idenavigation.References(d.Analysis, offset, others, p.Context.IncludeDeclaration)), nil
}

func offerDocumentHighlights(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentHighlightProvider = protocol.Boolean(true)
}

// documentHighlight returns the ranges that refer to the same name as the cursor's.
func documentHighlight(_ context.Context, s *snapshot, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	highlights := []protocol.DocumentHighlight{}
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return highlights, nil
	}
	for _, h := range idenavigation.Highlights(d.Analysis, offset) {
		highlights = append(highlights, protocol.DocumentHighlight{
			Range: s.client.spanRange(d.Analysis, h.Span), Kind: protocol.DocumentHighlightKind(h.Kind), // same numbers as in the protocol
		})
	}
	return highlights, nil
}

func offerLinkedEditing(o *protocol.ServerCapabilities, _ *client) {
	o.LinkedEditingRangeProvider = protocol.Boolean(true)
}

// linkedEditingRange returns the ranges that change together while the user types in one.
func linkedEditingRange(_ context.Context, s *snapshot, p *protocol.LinkedEditingRangeParams) (*protocol.LinkedEditingRanges, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	spans := idenavigation.LinkedSpans(d.Analysis, offset)
	if spans == nil {
		return nil, nil
	}
	linked := &protocol.LinkedEditingRanges{WordPattern: new(idenavigation.LinkedPattern)}
	for _, span := range spans {
		linked.Ranges = append(linked.Ranges, s.client.spanRange(d.Analysis, span))
	}
	return linked, nil
}

func offerDocumentLinks(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentLinkProvider = &protocol.DocumentLinkOptions{}
}

// documentLink returns the links to existing files and to web addresses.
func documentLink(ctx context.Context, s *snapshot, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	links := []protocol.DocumentLink{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return links, nil
	}
	targets := map[idenavigation.Link]uri.URI{} // many cases refer to the same files
	d.Chunks(func(chunk *analysis.Chunk) bool {
		for _, link := range idenavigation.Links(chunk) {
			span := chunk.ToFile(link.Span)
			link.Span = text.Span{}
			dest, cached := targets[link]
			if !cached && ctx.Err() == nil {
				dest = s.linkTarget(d.URI, link)
				targets[link] = dest
			}
			if dest != "" {
				links = append(links, protocol.DocumentLink{Range: s.client.spanRange(d.Analysis, span), Target: &dest})
			}
		}
		return true
	})
	return links, nil
}

// linkTarget returns the target of a link, or "" if the file does not exist.
func (s *snapshot) linkTarget(u uri.URI, link idenavigation.Link) uri.URI {
	if link.URL != "" {
		address, err := uri.Parse(link.URL)
		if err != nil {
			return ""
		}
		return address
	}
	locate := s.session.disk.Locate
	if locate == nil || !u.IsFile() {
		return ""
	}
	names := []string{link.Path}
	if link.Dir != "" {
		names = []string{path.Join(link.Dir, link.Path), link.Path}
	}
	for _, name := range names {
		if file := locate(u.FsPath(), name); file != "" {
			return uri.File(file)
		}
	}
	return ""
}
