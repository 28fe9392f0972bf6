package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// pathOf is the file that a URI names. Others (a buffer that was never saved, a
// file in a virtual folder) have a path that is not of this machine.
func pathOf(u uri.URI) string {
	if u.IsFile() {
		return u.FsPath()
	}
	return strings.TrimPrefix(u.Path(), "/")
}

// fromPosition is a client's position as ours. Columns that no int32 holds are
// past every line's end as they are.
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

// toRange is a span as the client sees it.
func (c *client) toRange(a *analysis.Analysis, span text.Span) protocol.Range {
	return toRange(a.Range(span, c.encoding))
}

func toRange(r text.Range) protocol.Range {
	return protocol.Range{Start: toPosition(r.Start), End: toPosition(r.End)}
}

// toDiagnostic is a finding in a file, at a place, as the client takes it.
func (c *client) toDiagnostic(u uri.URI, a *analysis.Analysis, finding analysis.Finding, rng protocol.Range) protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range:    rng,
		Severity: protocol.DiagnosticSeverity(finding.Severity), // numbered as in the protocol
		Code:     protocol.String(finding.Code),
		Source:   protocol.NewOptional(diagnosticSource),
		Message:  protocol.String(finding.Message),
	}
	out.CodeDescription.Href = uri.URI(lint.PageURL(finding.Code)) // some clients use it that do not say so
	if c.hasRelatedInformation {
		for _, n := range finding.Notes {
			location := protocol.Location{URI: u, Range: c.toRange(a, finding.ToFile(n.Span))}
			if n.Source != nil {
				location = protocol.Location{URI: uri.File(n.Source.Name), Range: toRange(n.Source.SpanRange(n.Span, c.encoding))}
			}
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: location, Message: n.Message})
		}
	}
	for _, tag := range finding.Tags {
		if t := protocol.DiagnosticTag(tag); slices.Contains(c.tags, t) { // numbered as in the protocol
			out.Tags = protocol.NewDiagnosticTags(append(out.Tags.Slice(), t)...)
		}
	}
	return out
}

// diagnosticSource is whose findings they are, where an editor shows those of several
// servers.
const diagnosticSource = "rubric"

// toEdits are edits as the client takes them.
func (c *client) toEdits(a *analysis.Analysis, edits []text.Edit) []protocol.TextEdit {
	out := make([]protocol.TextEdit, 0, len(edits))
	for _, e := range edits {
		out = append(out, protocol.TextEdit{Range: c.toRange(a, e.Span), NewText: e.New})
	}
	return out
}

// toWorkspaceEdit are edits of one document.
func (s *snapshot) toWorkspaceEdit(d *document, edits []text.Edit) *protocol.WorkspaceEdit {
	edit := &protocol.WorkspaceEdit{}
	s.addEdits(edit, d.URI, d.Analysis, edits)
	return edit
}

// addEdits adds edits of a file, of the version that they are for where the client
// can check that; a file that is not open has none.
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

// toMarkup is Markdown, or the same as text for clients that draw none.
func (c *client) toMarkup(markdown string) *protocol.MarkupContent {
	if c.isPlainText {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: markdown}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown}
}

// toSymbol is a symbol without those in it.
func (c *client) toSymbol(a *analysis.Analysis, s assist.Symbol) *protocol.DocumentSymbol {
	out := &protocol.DocumentSymbol{
		Name: s.Name, Kind: protocol.SymbolKind(s.Kind.LSPKind()),
		Range: c.toRange(a, s.Span), SelectionRange: c.toRange(a, s.NameSpan),
	}
	if s.Detail != "" {
		out.Detail = &s.Detail
	}
	return out
}

// toSymbolInformation is a symbol by itself, with the name of what it is in.
func (c *client) toSymbolInformation(a *analysis.Analysis, u uri.URI, s assist.Symbol, container string) protocol.SymbolInformation {
	out := protocol.SymbolInformation{Location: protocol.Location{URI: u, Range: c.toRange(a, s.Span)}}
	out.Name, out.Kind = s.Name, protocol.SymbolKind(s.Kind.LSPKind())
	if container != "" {
		out.ContainerName = &container
	}
	return out
}

// toSelectionRange is a selection that grows through spans.
func (c *client) toSelectionRange(a *analysis.Analysis, spans []text.Span) protocol.SelectionRange {
	var out *protocol.SelectionRange
	for _, span := range slices.Backward(spans) {
		out = &protocol.SelectionRange{Range: c.toRange(a, span), Parent: out}
	}
	return *out
}

// toLocations are places in files that where names.
func (c *client) toLocations(uris map[*analysis.Analysis]uri.URI, found []assist.Location) []protocol.Location {
	locations := []protocol.Location{}
	for _, l := range found {
		locations = append(locations, protocol.Location{URI: uris[l.File], Range: c.toRange(l.File, l.Span)})
	}
	return locations
}

// toTokens are the tokens in a stretch of a file.
func (c *client) toTokens(a *analysis.Analysis, within text.Span) []uint32 {
	return assist.EncodeTokens(assist.TokensIn(a, within, c.encoding))
}
