package api

import (
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// SemanticTokens are the colours of a text, five numbers each, by the legend that
// `capabilities` gives.
type SemanticTokens struct {
	Data []uint32 `json:"data"`
}

func semantic(p rangeParams) (SemanticTokens, error) {
	d, within, err := p.findRange()
	if err != nil {
		return SemanticTokens{}, err
	}
	tokens := assist.EncodeTokens(assist.TokensIn(d.Analysis, within, text.UTF16))
	return SemanticTokens{append([]uint32{}, tokens...)}, nil
}
