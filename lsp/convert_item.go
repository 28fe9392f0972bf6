package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// itemKinds are what the protocol has that is nearest to what items are.
var itemKinds = map[assist.Kind]protocol.CompletionItemKind{
	assist.KeyItem:      protocol.CompletionItemKindProperty,
	assist.ValueItem:    protocol.CompletionItemKindEnumMember,
	assist.SnippetItem:  protocol.CompletionItemKindSnippet,
	assist.NameItem:     protocol.CompletionItemKindReference,
	assist.FileItem:     protocol.CompletionItemKindFile,
	assist.FolderItem:   protocol.CompletionItemKindFolder,
	assist.VariableItem: protocol.CompletionItemKindVariable,
	assist.RuleItem:     protocol.CompletionItemKindConstant,
}

// toItem is the nth item of a completion, in spans of the document.
func (c *client) toItem(d *Document, n int, item assist.Item) protocol.CompletionItem {
	out := protocol.CompletionItem{
		Label:    item.Label,
		Kind:     itemKinds[item.Kind],
		SortText: protocol.NewOptional(fmt.Sprintf("%04d", n)), // in the order given
		TextEdit: &protocol.TextEdit{Range: c.toRange(d.Analysis, item.Edit.Span), NewText: item.Edit.New},
	}
	if item.Detail != "" {
		out.Detail = protocol.NewOptional(item.Detail)
	}
	if item.Filter != "" {
		out.FilterText = protocol.NewOptional(item.Filter)
	}
	if c.asIs {
		out.InsertTextMode = protocol.InsertTextModeAsIs
	}
	switch {
	case len(item.Stops) > 0 && c.snippets:
		out.InsertTextFormat = protocol.InsertTextFormatSnippet
		out.TextEdit = &protocol.TextEdit{Range: c.toRange(d.Analysis, item.Edit.Span), NewText: snippet(item.Edit.New, item.Stops)}
	case len(item.Stops) > 0:
		out.TextEdit = &protocol.TextEdit{Range: c.toRange(d.Analysis, item.Edit.Span), NewText: without(item.Edit.New, item.Stops)}
	}
	if item.Again && c.retriggers {
		out.Command = protocol.Command{Title: "complete again", Command: "editor.action.triggerSuggest"}
	}
	if item.Topic != "" {
		if encoded, err := (codec{}).Marshal(topic{d.URI, item.Topic}); err == nil {
			out.Data = encoded
		}
	}
	return out
}

// literal is text in a snippet.
var literal = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)

// snippet is words with their places to fill in, as the protocol writes them.
func snippet(words string, stops []text.Span) string {
	var b strings.Builder
	at := 0
	for i, s := range stops {
		fmt.Fprintf(&b, "%s${%d:%s}", literal.Replace(words[at:s.Start]), i+1, literal.Replace(words[s.Start:s.End]))
		at = s.End
	}
	return b.String() + literal.Replace(words[at:])
}

// without is words without what is in the places to fill in.
func without(words string, stops []text.Span) string {
	var b strings.Builder
	at := 0
	for _, s := range stops {
		b.WriteString(words[at:s.Start])
		at = s.End
	}
	return b.String() + words[at:]
}
