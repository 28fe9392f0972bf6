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

func offerLinks(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentLinkProvider = &protocol.DocumentLinkOptions{}
}

// documentLink answers which texts lead to a file that is there, or to an
// address.
func documentLink(ctx context.Context, at *Snapshot, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	all := []protocol.DocumentLink{}
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	found := map[assist.Link]uri.URI{} // files that many cases refer to
	d.Parts(func(part *analysis.Part) bool {
		for _, link := range assist.Links(part) {
			span := part.Place(link.Span)
			link.Span = text.Span{}
			target, known := found[link]
			if !known && ctx.Err() == nil {
				target = at.target(d.URI, link)
				found[link] = target
			}
			if target != "" {
				all = append(all, protocol.DocumentLink{Range: at.client.toRange(d.Analysis, span), Target: &target})
			}
		}
		return true
	})
	return all, nil
}

// target is what a link in a file leads to; "" if there is no such file.
func (at *Snapshot) target(u uri.URI, link assist.Link) uri.URI {
	if link.Address != "" {
		address, err := uri.Parse(link.Address)
		if err != nil {
			return ""
		}
		return address
	}
	locate := at.session.disk.Locate
	if locate == nil || !u.IsFile() {
		return ""
	}
	names := []string{link.Path}
	if link.Folder != "" {
		names = []string{path.Join(link.Folder, link.Path), link.Path}
	}
	for _, name := range names {
		if file := locate(u.FsPath(), name); file != "" {
			return uri.File(file)
		}
	}
	return ""
}
