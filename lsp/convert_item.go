package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

// toItem is the nth item of a completion, in spans of the document.
func (c *client) toItem(d *document, n int, item assist.CompletionItem) protocol.CompletionItem {
	edit := item.Plain()
	out := protocol.CompletionItem{
		Label:    item.Label,
		Kind:     protocol.CompletionItemKind(item.Kind),       // numbered as in the protocol
		SortText: protocol.NewOptional(fmt.Sprintf("%04d", n)), // in the order given
	}
	if item.Detail != "" {
		out.Detail = protocol.NewOptional(item.Detail)
	}
	if item.Filter != "" {
		out.FilterText = protocol.NewOptional(item.Filter)
	}
	if c.hasAsIsInsertion {
		out.InsertTextMode = protocol.InsertTextModeAsIs
	}
	if len(item.Stops) > 0 && c.hasSnippets {
		out.InsertTextFormat = protocol.InsertTextFormatSnippet
		edit = item.Snippet()
	}
	out.TextEdit = &protocol.TextEdit{Range: c.toRange(d.Analysis, edit.Span), NewText: edit.New}
	if item.Retrigger && c.canRetrigger {
		out.Command = protocol.Command{Title: "complete again", Command: "editor.action.triggerSuggest"}
	}
	if item.DocKey != "" {
		if encoded, err := (codec{}).Marshal(topic{d.URI, item.DocKey}); err == nil {
			out.Data = encoded
		}
	}
	return out
}
