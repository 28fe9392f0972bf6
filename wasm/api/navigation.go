package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	idefold "github.com/rubric-ls/rubric/core/ide/fold"
	idenavigation "github.com/rubric-ls/rubric/core/ide/navigation"
	ideoutline "github.com/rubric-ls/rubric/core/ide/outline"
	ideselection "github.com/rubric-ls/rubric/core/ide/selection"
	"github.com/rubric-ls/rubric/core/text"
)

// DocumentHighlight is a related range: 1 the same text, 2 a reference, 3 the declaration.
type DocumentHighlight struct {
	Range text.Range `json:"range"`
	Kind  int        `json:"kind"`
}

func highlight(p positionParams) ([]DocumentHighlight, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	all := []DocumentHighlight{}
	for _, h := range idenavigation.Highlights(d.Analysis, offset) {
		all = append(all, DocumentHighlight{spanRange(d.Analysis, h.Span), int(h.Kind)}) // same numbers as in the protocol
	}
	return all, nil
}

// LinkedRanges are ranges that change together while the user types in one.
type LinkedRanges struct {
	Ranges      []text.Range `json:"ranges"`
	WordPattern string       `json:"wordPattern"`
}

func linked(p positionParams) (*LinkedRanges, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	spans := idenavigation.LinkedSpans(d.Analysis, offset)
	if spans == nil {
		return nil, nil
	}
	out := &LinkedRanges{WordPattern: idenavigation.LinkedPattern}
	for _, span := range spans {
		out.Ranges = append(out.Ranges, spanRange(d.Analysis, span))
	}
	return out, nil
}

func toLocations(documents map[*analysis.Analysis]document, found []idenavigation.Location) []Location {
	all := []Location{}
	for _, l := range found {
		all = append(all, Location{documents[l.File].name, spanRange(l.File, l.Span)})
	}
	return all
}

func definition(p positionParams) ([]Location, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	others, documents := d.otherDocuments()
	return toLocations(documents, idenavigation.Definitions(d.Analysis, offset, others)), nil
}

// referencesParams are a position. Declared includes the declaration in the result.
type referencesParams struct {
	positionParams
	Declared bool `json:"declared,omitempty"`
}

func references(p referencesParams) ([]Location, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	others, documents := d.otherDocuments()
	return toLocations(documents, idenavigation.References(d.Analysis, offset, others, p.Declared)), nil
}

// Renameable is a name that can be renamed.
type Renameable struct {
	Range       text.Range `json:"range"`
	Placeholder string     `json:"placeholder"`
}

func renameable(p positionParams) (Renameable, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return Renameable{}, err
	}
	span, name, err := idenavigation.PrepareRename(d.Analysis, offset)
	if err != nil {
		return Renameable{}, failf(Refused, "%s", err)
	}
	return Renameable{spanRange(d.Analysis, span), name}, nil
}

// renameParams are a position and the new name.
type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

func rename(p renameParams) (WorkspaceEdit, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return WorkspaceEdit{}, err
	}
	others, documents := d.otherDocuments()
	changes, err := idenavigation.Rename(d.Analysis, offset, p.NewName, others)
	if err != nil {
		return WorkspaceEdit{}, failf(Refused, "%s", err)
	}
	all := WorkspaceEdit{}
	for _, c := range changes {
		all.DocumentChanges = append(all.DocumentChanges, documents[c.File].toDocumentEdit(c.Edits))
	}
	return all, nil
}

// DocumentSymbol is an LSP document symbol.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          text.Range       `json:"range"`
	SelectionRange text.Range       `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}

// symbols returns the symbols that touch a range, or all of the file.
func symbols(p rangeParams) ([]DocumentSymbol, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	return toSymbols(d.Analysis, ideoutline.SymbolsIn(d.Analysis, within)), nil
}

func toSymbols(a *analysis.Analysis, outline []ideoutline.Symbol) []DocumentSymbol {
	all := make([]DocumentSymbol, 0, len(outline))
	for _, s := range outline {
		all = append(all, DocumentSymbol{
			Name: s.Name, Detail: s.Detail, Kind: s.Kind.LSPKind(),
			Range: spanRange(a, s.Span), SelectionRange: spanRange(a, s.NameSpan), Children: toSymbols(a, s.Children),
		})
	}
	return all
}

// FoldingRange is an LSP folding range of whole lines. Kind is "comment" for a block of comments.
type FoldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// fold returns the folding ranges that touch a range, or all of the file.
func fold(p rangeParams) ([]FoldingRange, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	all := []FoldingRange{}
	for _, f := range idefold.FoldsIn(d.Analysis, within) {
		lines := spanRange(d.Analysis, f.Span)
		out := FoldingRange{StartLine: lines.Start.Line, EndLine: lines.End.Line}
		if f.IsComment {
			out.Kind = "comment"
		}
		all = append(all, out)
	}
	return all, nil
}

// selectionParams are positions in a file.
type selectionParams struct {
	fileParams
	Positions []text.Position `json:"positions"`
}

// SelectionRange is a range and the next larger one.
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
		chunk := d.ChunkAt(offset)
		spans := ideselection.Selections(chunk, chunk.FromFile(offset))
		out := &SelectionRange{Range: spanRange(d.Analysis, text.Span{End: d.Length()})}
		for i := len(spans) - 1; i >= 0; i-- {
			out = &SelectionRange{spanRange(d.Analysis, chunk.ToFile(spans[i])), out}
		}
		all = append(all, out)
	}
	return all, nil
}
