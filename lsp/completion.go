package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerCompletion(o *protocol.ServerCapabilities, _ *client) {
	o.CompletionProvider = &protocol.CompletionOptions{
		TriggerCharacters: assist.CompletionTriggers[:],
		ResolveProvider:   new(true),
	}
}

// completion answers what could stand at a place.
func completion(_ context.Context, s *snapshot, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return list, nil
	}
	part := d.ChunkAt(offset)
	items := assist.Complete(part, part.FromFile(offset), s.completionHost(d, offset))
	list.IsIncomplete = assist.IsIncomplete(items)
	for i, item := range items {
		item.Edit.Span = part.ToFile(item.Edit.Span)
		list.Items = append(list.Items, s.client.toItem(d, i, item))
	}
	return list, nil
}

// completionHost is what completion has to know of the rest of the document and beside it.
func (s *snapshot) completionHost(d *document, offset int) assist.Host {
	h := assist.NewHost(d.Analysis, offset)
	h.Targets = d.deps.input.Targets
	h.CaseIDs = func() []string { return append(d.ListCaseIDs(), s.siblingIDs[d.URI]...) }
	if folder := s.session.disk.ListFolder; folder != nil && d.URI.IsFile() {
		h.ReadDir = func(path string) []assist.DirEntry { return folder(d.URI.FsPath(), path) }
	}
	return h
}
