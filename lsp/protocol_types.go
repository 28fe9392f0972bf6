package lsp

import (
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	idecompletion "github.com/rubric-ls/rubric/core/ide/completion"
	idenavigation "github.com/rubric-ls/rubric/core/ide/navigation"
	ideoutline "github.com/rubric-ls/rubric/core/ide/outline"
	idetoken "github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// pathOf returns the path of a URI. The path of an untitled buffer or of a virtual file does not
// exist on this machine.
func pathOf(u uri.URI) string {
	if u.IsFile() {
		return u.FsPath()
	}
	return strings.TrimPrefix(u.Path(), "/")
}

// fromPosition converts a client position. It clamps lines and columns that do not fit an int32;
// these lie past every line's end anyway.
func fromPosition(p protocol.Position) text.Position {
	return text.Position{Line: int(min(p.Line, maxColumn)), Character: int(min(p.Character, maxColumn))}
}

const maxColumn = 1<<31 - 1

func fromRange(r protocol.Range) text.Range {
	return text.Range{Start: fromPosition(r.Start), End: fromPosition(r.End)}
}

func toPosition(p text.Position) protocol.Position {
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// spanRange converts a span of a to a range in the client's encoding.
func (c *client) spanRange(a *analysis.Analysis, span text.Span) protocol.Range {
	return toRange(a.Range(span, c.encoding))
}

func toRange(r text.Range) protocol.Range {
	return protocol.Range{Start: toPosition(r.Start), End: toPosition(r.End)}
}

// toDiagnostic converts a finding to the client's form, with rng as its range.
func (c *client) toDiagnostic(u uri.URI, a *analysis.Analysis, finding diag.Diagnostic, rng protocol.Range) protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range:    rng,
		Severity: protocol.DiagnosticSeverity(finding.Severity), // same numbers as in the protocol
		Code:     protocol.String(finding.Code),
		Source:   protocol.NewOptional(diagnosticSource),
		Message:  protocol.String(finding.Message),
	}
	out.CodeDescription.Href = uri.URI(lint.PageURL(finding.Code)) // some clients use it without declaring support
	if c.hasRelatedInformation {
		for _, n := range finding.Notes {
			location := protocol.Location{URI: u, Range: c.spanRange(a, n.Span)}
			if n.Source != nil {
				location = protocol.Location{URI: uri.File(n.Source.Name), Range: toRange(n.Source.SpanRange(n.Span, c.encoding))}
			}
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: location, Message: n.Message})
		}
	}
	for _, tag := range finding.Tags {
		if t := protocol.DiagnosticTag(tag); slices.Contains(c.tags, t) { // same numbers as in the protocol
			out.Tags = protocol.NewDiagnosticTags(append(out.Tags.Slice(), t)...)
		}
	}
	return out
}

// diagnosticSource is the source name that editors show next to a diagnostic.
const diagnosticSource = "rubric"

// toEdits converts the edits of one file.
func (c *client) toEdits(a *analysis.Analysis, edits []text.Edit) []protocol.TextEdit {
	out := make([]protocol.TextEdit, 0, len(edits))
	for _, e := range edits {
		out = append(out, protocol.TextEdit{Range: c.spanRange(a, e.Span), NewText: e.New})
	}
	return out
}

// toWorkspaceEdit wraps the edits of one document.
func (s *snapshot) toWorkspaceEdit(d *document, edits []text.Edit) *protocol.WorkspaceEdit {
	edit := &protocol.WorkspaceEdit{}
	s.addEdits(edit, d.URI, d.Analysis, edits)
	return edit
}

// addEdits adds the edits of a file. It states the document version if the client checks versions;
// closed files have none.
func (s *snapshot) addEdits(edit *protocol.WorkspaceEdit, u uri.URI, a *analysis.Analysis, edits []text.Edit) {
	out := s.client.toEdits(a, edits)
	if !s.client.hasDocumentChanges {
		if edit.Changes == nil {
			edit.Changes = map[uri.URI][]protocol.TextEdit{}
		}
		edit.Changes[u] = out
		return
	}
	change := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u},
	}}
	if d := s.Documents[u]; d != nil {
		change.TextDocument.Version = &d.Version
	}
	for i := range out {
		change.Edits = append(change.Edits, &out[i])
	}
	edit.DocumentChanges = append(edit.DocumentChanges, change)
}

// toMarkup returns Markdown, or the same text as plain text for clients that do not render
// Markdown.
func (c *client) toMarkup(markdown string) *protocol.MarkupContent {
	if c.isPlainText {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: markdown}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown}
}

// toSymbol converts a symbol without its children.
func (c *client) toSymbol(a *analysis.Analysis, s ideoutline.Symbol) *protocol.DocumentSymbol {
	out := &protocol.DocumentSymbol{
		Name: s.Name, Kind: protocol.SymbolKind(s.Kind.LSPKind()),
		Range: c.spanRange(a, s.Span), SelectionRange: c.spanRange(a, s.NameSpan),
	}
	if s.Detail != "" {
		out.Detail = &s.Detail
	}
	return out
}

// toSymbolInformation converts a symbol for a flat list, with the name of its container.
func (c *client) toSymbolInformation(a *analysis.Analysis, u uri.URI, s ideoutline.Symbol, container string) protocol.SymbolInformation {
	out := protocol.SymbolInformation{Location: protocol.Location{URI: u, Range: c.spanRange(a, s.Span)}}
	out.Name, out.Kind = s.Name, protocol.SymbolKind(s.Kind.LSPKind())
	if container != "" {
		out.ContainerName = &container
	}
	return out
}

// toSelectionRange links spans, innermost first, into a selection range.
func (c *client) toSelectionRange(a *analysis.Analysis, spans []text.Span) protocol.SelectionRange {
	var out *protocol.SelectionRange
	for _, span := range slices.Backward(spans) {
		out = &protocol.SelectionRange{Range: c.spanRange(a, span), Parent: out}
	}
	return *out
}

// toLocations converts locations. Uris maps each analysis to its file.
func (c *client) toLocations(uris map[*analysis.Analysis]uri.URI, found []idenavigation.Location) []protocol.Location {
	locations := []protocol.Location{}
	for _, l := range found {
		locations = append(locations, protocol.Location{URI: uris[l.File], Range: c.spanRange(l.File, l.Span)})
	}
	return locations
}

// toTokens encodes the semantic tokens within a span.
func (c *client) toTokens(a *analysis.Analysis, within text.Span) []uint32 {
	return idetoken.EncodeTokens(idetoken.TokensIn(a, within, c.encoding))
}

// toItem converts the nth item of a completion list. Its spans are those of the document.
func (c *client) toItem(d *document, n int, item idecompletion.CompletionItem) protocol.CompletionItem {
	edit := item.Plain()
	out := protocol.CompletionItem{
		Label:    item.Label,
		Kind:     protocol.CompletionItemKind(item.Kind),       // same numbers as in the protocol
		SortText: protocol.NewOptional(fmt.Sprintf("%04d", n)), // keeps the given order
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
	out.TextEdit = &protocol.TextEdit{Range: c.spanRange(d.Analysis, edit.Span), NewText: edit.New}
	if item.Retrigger && c.canRetrigger {
		out.Command = protocol.Command{Title: "complete again", Command: "editor.action.triggerSuggest"}
	}
	if item.DocKey != "" {
		out.Data = mustEncode(topic{d.URI, item.DocKey})
	}
	return out
}
