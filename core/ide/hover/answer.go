package hover

import "github.com/rubric-ls/rubric/core/ide"

// At returns the documentation of an offset with the last results, or nil.
func At(f *ide.File, offset int) *ide.Hover {
	chunk := f.ChunkAt(offset)
	found, ok := Describe(chunk, chunk.FromFile(offset), f.Host.Outcomes())
	if !ok {
		return nil
	}
	return &ide.Hover{Contents: f.Client.Markup(found.Markdown), Range: f.SpanRange(chunk.ToFile(found.Span))}
}
