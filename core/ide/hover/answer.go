package hover

import (
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/metric"
)

// At returns the documentation of an offset with the last results, or nil.
func At(f *ide.File, offset int) *ide.Hover {
	chunk := f.ChunkAt(offset)
	var criteria []metric.Criterion
	if f.Host.Metrics != nil {
		criteria = f.Host.Metrics()
	}
	found, ok := Describe(chunk, chunk.FromFile(offset), f.Host.Outcomes(), criteria...)
	if !ok {
		return nil
	}
	return &ide.Hover{Contents: f.Client.Markup(found.Markdown), Range: f.SpanRange(chunk.ToFile(found.Span))}
}
