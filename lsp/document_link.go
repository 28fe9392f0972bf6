package lsp

import (
	"context"
	"path"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerDocumentLinks(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentLinkProvider = &protocol.DocumentLinkOptions{}
}

// documentLink answers which texts lead to a file that is there, or to an
// address.
func documentLink(ctx context.Context, s *snapshot, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	links := []protocol.DocumentLink{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return links, nil
	}
	targets := map[assist.Link]uri.URI{} // files that many cases refer to
	d.Chunks(func(part *analysis.Chunk) bool {
		for _, link := range assist.Links(part) {
			span := part.ToFile(link.Span)
			link.Span = text.Span{}
			dest, cached := targets[link]
			if !cached && ctx.Err() == nil {
				dest = s.linkTarget(d.URI, link)
				targets[link] = dest
			}
			if dest != "" {
				links = append(links, protocol.DocumentLink{Range: s.client.toRange(d.Analysis, span), Target: &dest})
			}
		}
		return true
	})
	return links, nil
}

// linkTarget is what a link in a file leads to; "" if there is no such file.
func (s *snapshot) linkTarget(u uri.URI, link assist.Link) uri.URI {
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
