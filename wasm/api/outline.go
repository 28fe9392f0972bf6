package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// DocumentSymbol is an entry of a file's outline.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          text.Range       `json:"range"`
	SelectionRange text.Range       `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}

// symbols gives those that a stretch touches, or all of a file's.
func symbols(p rangeParams) ([]DocumentSymbol, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	return toSymbols(d.Analysis, assist.SymbolsIn(d.Analysis, within)), nil
}

func toSymbols(a *analysis.Analysis, outline []assist.Symbol) []DocumentSymbol {
	all := make([]DocumentSymbol, 0, len(outline))
	for _, s := range outline {
		all = append(all, DocumentSymbol{
			Name: s.Name, Detail: s.Detail, Kind: s.Kind.LSPKind(),
			Range: toRange(a, s.Span), SelectionRange: toRange(a, s.NameSpan), Children: toSymbols(a, s.Children),
		})
	}
	return all
}

// FoldingRange is lines that can be folded away; Kind is comment for a run of
// those.
type FoldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// fold gives those that a stretch touches, or all of a file's.
func fold(p rangeParams) ([]FoldingRange, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	all := []FoldingRange{}
	for _, f := range assist.FoldsIn(d.Analysis, within) {
		lines := toRange(d.Analysis, f.Span)
		out := FoldingRange{StartLine: lines.Start.Line, EndLine: lines.End.Line}
		if f.IsComment {
			out.Kind = "comment"
		}
		all = append(all, out)
	}
	return all, nil
}

// selectionParams are places in a file.
type selectionParams struct {
	fileParams
	Positions []text.Position `json:"positions"`
}

// SelectionRange is what a selection is, and what it grows to.
type SelectionRange struct {
	Range  text.Range      `json:"range"`
	Parent *SelectionRange `json:"parent,omitempty"`
}

func selection(p selectionParams) ([]*SelectionRange, error) {
	d, err := p.findDocument()
	if err != nil {
		return nil, err
	}
	all := []*SelectionRange{}
	for _, position := range p.Positions {
		offset := d.Offset(position, text.UTF16)
		part := d.ChunkAt(offset)
		spans := assist.Selections(part, part.FromFile(offset))
		out := &SelectionRange{Range: toRange(d.Analysis, text.Span{End: d.Length()})}
		for i := len(spans) - 1; i >= 0; i-- {
			out = &SelectionRange{toRange(d.Analysis, part.ToFile(spans[i])), out}
		}
		all = append(all, out)
	}
	return all, nil
}
