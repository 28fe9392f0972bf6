package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
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
	return text.Position{Line: int(min(p.Line, farthest)), Character: int(min(p.Character, farthest))}
}

const farthest = 1<<31 - 1

func fromRange(r protocol.Range) text.Range {
	return text.Range{Start: fromPosition(r.Start), End: fromPosition(r.End)}
}

func toPosition(p text.Position) protocol.Position {
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// toRange is a span as the client sees it.
func (c *client) toRange(a *analysis.Analysis, span text.Span) protocol.Range {
	r := a.Range(span, c.encoding)
	return protocol.Range{Start: toPosition(r.Start), End: toPosition(r.End)}
}

// toDiagnostics are findings in a document as the client takes them, the most
// severe if there are very many.
func (c *client) toDiagnostics(u uri.URI, a *analysis.Analysis, found []diag.Diagnostic) []protocol.Diagnostic {
	found = most(found)
	all := make([]protocol.Diagnostic, 0, len(found))
	for _, d := range found {
		all = append(all, c.toDiagnostic(u, a, d))
	}
	return all
}

func (c *client) toDiagnostic(u uri.URI, a *analysis.Analysis, d diag.Diagnostic) protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range:    c.toRange(a, d.Span),
		Severity: protocol.DiagnosticSeverity(d.Severity), // numbered as in the protocol
		Code:     protocol.String(d.Code),
		Source:   protocol.NewOptional(sourceName),
		Message:  protocol.String(d.Message),
	}
	out.CodeDescription.Href = rulePage(d.Code) // some clients use it that do not say so
	if c.related {
		for _, n := range d.Notes {
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: u, Range: c.toRange(a, n.Span)}, Message: n.Message,
			})
		}
	}
	for _, tag := range d.Tags {
		if t := protocol.DiagnosticTag(tag); slices.Contains(c.tags, t) { // numbered as in the protocol
			out.Tags = protocol.NewDiagnosticTags(append(out.Tags.Slice(), t)...)
		}
	}
	return out
}

// sourceName is whose findings they are, where an editor shows those of several
// servers.
const sourceName = "rubric"

// rulePage is where a rule is explained; `rubric explain` prints the same.
func rulePage(rule string) uri.URI {
	return uri.URI("https://github.com/rubric-ls/rubric/blob/main/core/lint/README.md#" + rule)
}

// toEdits are edits as the client takes them.
func (c *client) toEdits(a *analysis.Analysis, edits []text.Edit) []protocol.TextEdit {
	out := make([]protocol.TextEdit, 0, len(edits))
	for _, e := range edits {
		out = append(out, protocol.TextEdit{Range: c.toRange(a, e.Span), NewText: e.New})
	}
	return out
}

// toWorkspaceEdit are edits of a document, of the version that they are for
// where the client can check that.
func (c *client) toWorkspaceEdit(d *Document, edits []text.Edit) *protocol.WorkspaceEdit {
	out := c.toEdits(d.Analysis, edits)
	if !c.documentChanges {
		return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{d.URI: out}}
	}
	change := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: d.URI}, Version: &d.Version,
	}}
	for i := range out {
		change.Edits = append(change.Edits, &out[i])
	}
	return &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{change}}
}
