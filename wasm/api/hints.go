package api

import (
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	idehover "github.com/rubric-ls/rubric/core/ide/hover"
	ideinlay "github.com/rubric-ls/rubric/core/ide/inlay"
	idelens "github.com/rubric-ls/rubric/core/ide/lens"
	idetoken "github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
)

// Hover is the documentation of a position.
type Hover struct {
	Contents *MarkupContent `json:"contents"`
	Range    text.Range     `json:"range"`
}

func hover(p positionParams) (*Hover, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	chunk := d.ChunkAt(offset)
	info, ok := idehover.At(chunk, chunk.FromFile(offset), d.resultsInChunk(chunk))
	if !ok {
		return nil, nil
	}
	return &Hover{toMarkup(info.Markdown), spanRange(d.Analysis, chunk.ToFile(info.Span))}, nil
}

// InlayHint is an LSP inlay hint: an effective value that the text leaves out.
type InlayHint struct {
	Position    text.Position  `json:"position"`
	Label       string         `json:"label"`
	Tooltip     *MarkupContent `json:"tooltip,omitempty"`
	PaddingLeft bool           `json:"paddingLeft"`
}

func inlay(p rangeParams) ([]InlayHint, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	all := []InlayHint{}
	d.ChunksIn(within, func(chunk *analysis.Chunk) bool {
		for _, h := range ideinlay.Hints(chunk, d.resultsInChunk(chunk)) {
			place := chunk.ToFile(text.Span{Start: h.Offset, End: h.Offset})
			if place.Start < within.Start || place.Start > within.End {
				continue
			}
			hint := InlayHint{Position: d.Position(place.Start, text.UTF16), Label: h.Label, PaddingLeft: true}
			if h.Tooltip != "" {
				hint.Tooltip = toMarkup(h.Tooltip)
			}
			all = append(all, hint)
		}
		return true
	})
	return all, nil
}

// CodeLens is an LSP code lens.
type CodeLens struct {
	Range   text.Range `json:"range"`
	Command Command    `json:"command"`
}

// lensTarget is the argument of a lens's command: a file, or one case of it.
type lensTarget struct {
	URI  string `json:"uri"`
	Case string `json:"case,omitzero"`
}

// lens returns the lenses in a range, or in the whole file. Only the lens above the file counts the
// results of all cases.
func lens(p rangeParams) ([]CodeLens, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	whole := sync.OnceValue(func() ide.Results { return d.results(d.casesWithResults()) })
	all := []CodeLens{}
	d.ChunksIn(within, func(chunk *analysis.Chunk) bool {
		results := d.results(chunk.Suite.Cases)
		if isMeasured(d.Analysis) || within.Start == 0 && chunk.ToFile(text.Span{}).Start == 0 {
			results = whole()
		}
		for _, l := range idelens.Lenses(chunk, results) {
			if l.Span = chunk.ToFile(l.Span); l.Span.Start >= within.Start && l.Span.Start <= within.End {
				all = append(all, d.toCodeLens(l))
			}
		}
		return true
	})
	return all, nil
}

func (d document) toCodeLens(l idelens.Lens) CodeLens {
	out := CodeLens{Range: spanRange(d.Analysis, l.Span), Command: Command{Title: l.Title, Command: l.Command}}
	out.Range.End = text.Position{Line: out.Range.Start.Line, Character: max(out.Range.Start.Character, out.Range.End.Character)}
	if l.Command != "" {
		out.Command.Arguments = []any{lensTarget{d.name, l.CaseID}}
	}
	return out
}

// SemanticTokens are LSP semantic tokens: five numbers each, with the legend of `capabilities`.
type SemanticTokens struct {
	Data []uint32 `json:"data"`
}

func semantic(p rangeParams) (SemanticTokens, error) {
	d, within, err := p.findRange()
	if err != nil {
		return SemanticTokens{}, err
	}
	tokens := idetoken.EncodeTokens(idetoken.TokensIn(d.Analysis, within, text.UTF16))
	return SemanticTokens{append([]uint32{}, tokens...)}, nil
}
