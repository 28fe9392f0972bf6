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

// resolveItem adds the documentation of an item.
func resolveItem(_ context.Context, at *Snapshot, item *protocol.CompletionItem) (*protocol.CompletionItem, error) {
	if item.Data == nil {
		return item, nil
	}
	var about topic
	if err := protocol.Unmarshal(item.Data, &about); err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the item's data is not ours")
	}
	if d := at.about(about.URI); d != nil {
		if page := assist.Topic(d.At(0).Table, about.Topic); page != "" {
			item.Documentation = at.client.toMarkup(page)
		}
	}
	return item, nil
}
