package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// InlayHint is a word between those of the text: what holds and is not written.
type InlayHint struct {
	Position    text.Position  `json:"position"`
	Label       string         `json:"label"`
	Tooltip     *MarkupContent `json:"tooltip,omitempty"`
	PaddingLeft bool           `json:"paddingLeft"`
}

func inlay(p rangeParams) ([]InlayHint, error) {
	d, within, err := p.find()
	if err != nil {
		return nil, err
	}
	all := []InlayHint{}
	d.PartsIn(within, func(part *analysis.Part) bool {
		for _, h := range assist.Hints(part, d.resultsIn(part)) {
			place := part.Place(text.Span{Start: h.Offset, End: h.Offset})
			if place.Start < within.Start || place.Start > within.End {
				continue
			}
			hint := InlayHint{Position: d.Position(place.Start, text.UTF16), Label: h.Label, PaddingLeft: true}
			if h.Tooltip != "" {
				hint.Tooltip = markdown(h.Tooltip)
			}
			all = append(all, hint)
		}
		return true
	})
	return all, nil
}

// CodeLens is a line above the text that says or does something.
type CodeLens struct {
	Range   text.Range `json:"range"`
	Command Command    `json:"command"`
}

// lensTarget is what a lens's command is about: a file, or a case of it.
type lensTarget struct {
	URI  string `json:"uri"`
	Case string `json:"case,omitzero"`
}

func lens(p fileParams) ([]CodeLens, error) {
	d, err := p.find()
	if err != nil {
		return nil, err
	}
	all := []CodeLens{}
	for _, l := range assist.LensesOf(d.Analysis, d.results(d.lastRun())) {
		out := CodeLens{Range: toRange(d.Analysis, l.Span), Command: Command{Title: l.Title, Command: l.Command}}
		out.Range.End = text.Position{Line: out.Range.Start.Line, Character: max(out.Range.Start.Character, out.Range.End.Character)}
		if l.Command != "" {
			out.Command.Arguments = []any{lensTarget{d.name, l.Case}}
		}
		all = append(all, out)
	}
	return all, nil
}
