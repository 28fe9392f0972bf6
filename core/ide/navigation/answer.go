package navigation

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// DefinitionAt returns where the name at an offset is declared, or the file that a link leads to.
func DefinitionAt(f *ide.File, offset int) []ide.Location {
	others := newWorkspace(f)
	found := others.locations(Definitions(f.Analysis, offset, others.analyses))
	chunk := f.ChunkAt(offset)
	if link, ok := LinkAt(chunk, chunk.FromFile(offset)); ok && len(found) == 0 && link.URL == "" {
		if target := linkTarget(f, link); target != "" {
			found = append(found, ide.Location{URI: target})
		}
	}
	return found
}

// ReferencesAt returns the locations of the name at an offset. declared includes its declaration.
func ReferencesAt(f *ide.File, offset int, declared bool) []ide.Location {
	others := newWorkspace(f)
	return others.locations(References(f.Analysis, offset, others.analyses, declared))
}

// HighlightsAt returns the ranges that refer to the same name as an offset.
func HighlightsAt(f *ide.File, offset int) []ide.DocumentHighlight {
	all := []ide.DocumentHighlight{}
	for _, h := range Highlights(f.Analysis, offset) {
		all = append(all, ide.DocumentHighlight{Range: f.SpanRange(h.Span), Kind: int(h.Kind)}) // same numbers as in the protocol
	}
	return all
}

// LinkedAt returns the ranges that change together while the user types at an offset, or nil.
func LinkedAt(f *ide.File, offset int) *ide.LinkedRanges {
	spans := LinkedSpans(f.Analysis, offset)
	if spans == nil {
		return nil
	}
	linked := &ide.LinkedRanges{WordPattern: LinkedPattern}
	for _, span := range spans {
		linked.Ranges = append(linked.Ranges, f.SpanRange(span))
	}
	return linked
}

// LinksInRange returns the links within a span that lead somewhere.
func LinksInRange(f *ide.File, within text.Span) []ide.DocumentLink {
	all := []ide.DocumentLink{}
	targets := map[ide.Link]string{} // many cases refer to the same files
	f.ChunksIn(within, func(chunk *analysis.Chunk) bool {
		for _, link := range Links(chunk) {
			target, cached := targets[link.Link]
			if !cached {
				target = linkTarget(f, link)
				targets[link.Link] = target
			}
			if target != "" {
				all = append(all, ide.DocumentLink{Range: f.SpanRange(chunk.ToFile(link.Span)), Target: target})
			}
		}
		return true
	})
	return all
}

func linkTarget(f *ide.File, link Link) string {
	if f.Host.LinkTarget == nil {
		return link.URL
	}
	return f.Host.LinkTarget(link.Link)
}

// RenameableAt returns the name at an offset. An error says why it cannot be renamed.
func RenameableAt(f *ide.File, offset int) (ide.Renameable, error) {
	span, name, err := PrepareRename(f.Analysis, offset)
	if err != nil {
		return ide.Renameable{}, ide.Refuse(err)
	}
	return ide.Renameable{Range: f.SpanRange(span), Placeholder: name}, nil
}

// RenameAt returns the edits that rename the name at an offset in all files.
func RenameAt(f *ide.File, offset int, to string) (edit ide.WorkspaceEdit, err error) {
	others := newWorkspace(f)
	changes, err := Rename(f.Analysis, offset, to, others.analyses)
	if err != nil {
		return edit, ide.Refuse(err)
	}
	for _, c := range changes {
		others.files[c.File].AddEdits(&edit, c.Edits)
	}
	return edit, nil
}

// workspace is a file with the other files of its host.
type workspace struct {
	analyses []*analysis.Analysis // of the other files
	files    map[*analysis.Analysis]*ide.File
}

func newWorkspace(f *ide.File) workspace {
	ws := workspace{files: map[*analysis.Analysis]*ide.File{f.Analysis: f}}
	for _, other := range f.Host.Others() {
		ws.analyses = append(ws.analyses, other.Analysis)
		ws.files[other.Analysis] = other
	}
	return ws
}

func (ws workspace) locations(found []Location) []ide.Location {
	all := []ide.Location{}
	for _, l := range found {
		f := ws.files[l.File]
		all = append(all, ide.Location{URI: f.URI, Range: f.SpanRange(l.Span)})
	}
	return all
}
