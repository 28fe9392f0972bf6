package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
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

const maxColumn = 1<<31 - 1

// fromRange converts a client's range. It clamps lines and columns that do not fit an int32; these
// lie past every line's end anyway.
func fromRange(r protocol.Range) text.Range {
	clamp := func(p protocol.Position) text.Position {
		return text.Position{Line: int(min(p.Line, maxColumn)), Character: int(min(p.Character, maxColumn))}
	}
	return text.Range{Start: clamp(r.Start), End: clamp(r.End)}
}

// spanRange converts a span of a to a range in the client's encoding.
func (c *client) spanRange(a *analysis.Analysis, span text.Span) text.Range {
	return a.Range(span, c.Encoding)
}
