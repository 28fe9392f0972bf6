package api

import (
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// Hover is what is told of a place.
type Hover struct {
	Contents *MarkupContent `json:"contents"`
	Range    text.Range     `json:"range"`
}

func hover(p positionParams) (*Hover, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	part := d.ChunkAt(offset)
	info, ok := assist.HoverAt(part, part.FromFile(offset), d.resultsInPart(part))
	if !ok {
		return nil, nil
	}
	return &Hover{markdown(info.Markdown), toRange(d.Analysis, part.ToFile(info.Span))}, nil
}
