package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
)

// topic is what an item's documentation is about, to be looked up when the item
// is looked at.
type topic struct {
	URI   uri.URI `json:"uri"`
	Topic string  `json:"topic"`
}

// resolveCompletionItem adds the documentation of an item.
func resolveCompletionItem(_ context.Context, s *snapshot, item *protocol.CompletionItem) (*protocol.CompletionItem, error) {
	if item.Data == nil {
		return item, nil
	}
	var data topic
	if err := protocol.Unmarshal(item.Data, &data); err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the item's data is not ours")
	}
	if d := s.evalDocument(data.URI); d != nil {
		if page := assist.ResolveDoc(d.ChunkAt(0).Table, data.Topic); page != "" {
			item.Documentation = s.client.toMarkup(page)
		}
	}
	return item, nil
}
