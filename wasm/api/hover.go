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

func hover(p placeParams) (*Hover, error) {
	d, offset, err := p.find()
	if err != nil {
		return nil, err
	}
	part := d.At(offset)
	told, ok := assist.HoverAt(part, part.Local(offset), d.resultsIn(part))
	if !ok {
		return nil, nil
	}
	return &Hover{markdown(told.Markdown), toRange(d.Analysis, part.Place(told.Span))}, nil
}
