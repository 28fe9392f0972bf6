package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func format(p rangeParams) ([]TextEdit, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	return textEdits(d.Analysis, assist.FormatRange(d.Analysis, within)), nil
}

func enter(p positionParams) ([]TextEdit, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	return textEdits(d.Analysis, assist.FormatOnEnter(d.Analysis, offset)), nil
}

// DocumentLink is a text that leads to an address.
type DocumentLink struct {
	Range  text.Range `json:"range"`
	Target string     `json:"target"`
}

// links are those to addresses: whether a file is there, nobody here can tell.
func links(p fileParams) ([]DocumentLink, error) {
	d, err := p.findDocument()
	if err != nil {
		return nil, err
	}
	all := []DocumentLink{}
	d.Chunks(func(part *analysis.Chunk) bool {
		for _, l := range assist.Links(part) {
			if l.URL != "" {
				all = append(all, DocumentLink{toRange(d.Analysis, part.ToFile(l.Span)), l.URL})
			}
		}
		return true
	})
	return all, nil
}
