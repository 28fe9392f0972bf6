package lsp

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/text"
)

// willRenameFiles returns edits that keep links valid: links to renamed files, and links in renamed
// eval files.
func willRenameFiles(ctx context.Context, s *snapshot, p *protocol.RenameFilesParams) (*ide.WorkspaceEdit, error) {
	var edit *ide.WorkspaceEdit
	for _, f := range s.OtherFiles(nil) {
		var edits []text.Edit
		f.Chunks(func(chunk *analysis.Chunk) bool {
			for _, e := range navigation.RepointLinks(chunk, func(l ide.Link) (string, bool) { return s.repointLink(uri.URI(f.URI), l, fileRenames(p.Files)) }) {
				edits = append(edits, text.Edit{Span: chunk.ToFile(e.Span), New: e.New})
			}
			return ctx.Err() == nil
		})
		if len(edits) > 0 {
			if edit == nil {
				edit = &ide.WorkspaceEdit{}
			}
			f.AddEdits(edit, edits)
		}
	}
	return edit, ctx.Err()
}

// didRenameFiles keeps the results of renamed eval files.
func didRenameFiles(s *session, p *protocol.RenameFilesParams) error {
	for _, f := range p.Files {
		from, oldErr := uri.Parse(f.OldURI)
		to, newErr := uri.Parse(f.NewURI)
		if oldErr == nil && newErr == nil {
			s.Results.Move(from, to)
		}
	}
	s.ResultsChanged(true)
	return nil
}

// fileRenames are the files and folders to rename.
type fileRenames []protocol.FileRename

// renamedPath returns the path of a file after the renames.
func (fr fileRenames) renamedPath(u uri.URI) string {
	for _, f := range fr {
		old, now := uri.URI(f.OldURI).Path(), uri.URI(f.NewURI).Path()
		if u.Path() == old {
			return now
		}
		if rest, inside := strings.CutPrefix(u.Path(), old+"/"); inside {
			return now + "/" + rest
		}
	}
	return u.Path()
}

// repointLink returns the new text of a link, or false if the link stays or has no target.
func (s *snapshot) repointLink(u uri.URI, l ide.Link, files fileRenames) (to string, ok bool) {
	target := s.LinkTarget(u, l)
	if l.URL != "" || target == "" {
		return "", false
	}
	home, newHome, now := path.Dir(u.Path()), path.Dir(files.renamedPath(u)), files.renamedPath(target)
	if home == newHome && now == target.Path() {
		return "", false
	}
	if path.IsAbs(l.Path) {
		return now, now != target.Path()
	}
	from, below := strings.CutSuffix(target.Path(), "/"+path.Clean(l.Path)) // the folder that the link is relative to
	if !below {
		from = home
	}
	if from == home || strings.HasPrefix(from, home+"/") {
		from = newHome + strings.TrimPrefix(from, home)
	}
	to, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(now))
	if err != nil {
		return "", false
	}
	to = filepath.ToSlash(to)
	if strings.HasPrefix(l.Path, "./") && !strings.HasPrefix(to, "../") {
		to = "./" + to
	}
	return to, true
}
