package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	scalars "github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
)

// RepointLinks are the edits of a part by which links lead to other paths, as when
// files are renamed. What to answers is written in the way that the old path is,
// with `file://` if that had it; ok is false for a link that stays.
func RepointLinks(p *analysis.Chunk, to func(Link) (path string, ok bool)) (edits []text.Edit) {
	for _, link := range Links(p) {
		path, ok := to(link)
		switch {
		case !ok || path == link.Path || link.URL != "":
		case link.node == nil:
			edits = append(edits, text.Edit{Span: link.Span, New: path})
		default:
			if strings.HasPrefix(link.node.Value, fileScheme) {
				path = fileScheme + path
			}
			edits = append(edits, text.Edit{Span: link.node.Span, New: scalars.FormatLike(link.node, path)})
		}
	}
	return edits
}
