package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/ide"
	idecompletion "github.com/rubric-ls/rubric/core/ide/completion"
)

func offerCompletion(o *protocol.ServerCapabilities, _ *client) {
	o.CompletionProvider = &protocol.CompletionOptions{
		TriggerCharacters: idecompletion.CompletionTriggers[:],
		ResolveProvider:   new(true),
	}
}

// completion returns the completions at a position.
func completion(_ context.Context, s *snapshot, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return list, nil
	}
	chunk := d.ChunkAt(offset)
	items := idecompletion.Complete(chunk, chunk.FromFile(offset), s.completionHost(d, offset))
	list.IsIncomplete = idecompletion.IsIncomplete(items)
	for i, item := range items {
		item.Edit.Span = chunk.ToFile(item.Edit.Span)
		list.Items = append(list.Items, s.client.toItem(d, i, item))
	}
	return list, nil
}

// completionHost supplies completion with names from the rest of the document, its targets and its
// folder.
func (s *snapshot) completionHost(d *document, offset int) idecompletion.Host {
	h := idecompletion.NewHost(d.Analysis, offset)
	h.Targets = d.deps.input.Targets
	h.CaseIDs = func() []string { return append(d.ListCaseIDs(), s.siblingIDs[d.URI]...) }
	if folder := s.session.disk.ListFolder; folder != nil && d.URI.IsFile() {
		h.ReadDir = func(path string) []ide.DirEntry { return folder(d.URI.FsPath(), path) }
	}
	return h
}

// topic is the data of a completion item: the documentation page to load on resolve.
type topic struct {
	URI   uri.URI `json:"uri"`
	Topic string  `json:"topic"`
}

// resolveCompletionItem adds the item's documentation.
func resolveCompletionItem(_ context.Context, s *snapshot, item *protocol.CompletionItem) (*protocol.CompletionItem, error) {
	if item.Data == nil {
		return item, nil
	}
	var data topic
	if err := protocol.Unmarshal(item.Data, &data); err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the item's data is not from this server")
	}
	if d := s.evalDocument(data.URI); d != nil {
		if page := idecompletion.ResolveDoc(d.ChunkAt(0).Table, data.Topic); page != "" {
			item.Documentation = s.client.toMarkup(page)
		}
	}
	return item, nil
}
