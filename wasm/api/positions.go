package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// positionParams are a position in a file.
type positionParams struct {
	fileParams
	Position text.Position `json:"position"`
}

// findPosition returns the document and the offset of the position.
func (p positionParams) findPosition() (document, int, error) {
	d, err := p.fileParams.findDocument()
	if err != nil {
		return d, 0, err
	}
	return d, d.Offset(p.Position, text.UTF16), nil
}

// rangeParams are a range of a file. Without a range, they mean the whole file.
type rangeParams struct {
	fileParams
	Range *text.Range `json:"range,omitempty"`
}

// findRange returns the document and the span of the range.
func (p rangeParams) findRange() (document, text.Span, error) {
	d, err := p.fileParams.findDocument()
	switch {
	case err != nil:
		return d, text.Span{}, err
	case p.Range == nil:
		return d, text.Span{End: d.Length()}, nil
	}
	return d, d.Span(*p.Range, text.UTF16), nil
}

func spanRange(a *analysis.Analysis, span text.Span) text.Range { return a.Range(span, text.UTF16) }

// Location is an LSP location. URI is the document's name.
type Location struct {
	URI   string     `json:"uri"`
	Range text.Range `json:"range"`
}

// TextEdit is an LSP text edit.
type TextEdit struct {
	Range   text.Range `json:"range"`
	NewText string     `json:"newText"`
}

func textEdits(a *analysis.Analysis, edits []text.Edit) []TextEdit {
	out := make([]TextEdit, 0, len(edits))
	for _, e := range edits {
		out = append(out, TextEdit{spanRange(a, e.Span), e.New})
	}
	return out
}

// WorkspaceEdit holds edits of several documents.
type WorkspaceEdit struct {
	DocumentChanges []DocumentEdit `json:"documentChanges"`
}

// DocumentEdit holds the edits of one document.
type DocumentEdit struct {
	TextDocument VersionedDocument `json:"textDocument"`
	Edits        []TextEdit        `json:"edits"`
}

func (d document) toDocumentEdit(edits []text.Edit) DocumentEdit {
	return DocumentEdit{VersionedDocument{d.name, d.version}, textEdits(d.Analysis, edits)}
}

// VersionedDocument is a version of a document. Version is null for a document that is not open.
type VersionedDocument struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// MarkupContent is Markdown.
type MarkupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func toMarkup(page string) *MarkupContent { return &MarkupContent{"markdown", page} }

// Command is an LSP command.
type Command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}
