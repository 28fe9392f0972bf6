package lsp

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerWillRename(o *protocol.ServerCapabilities, _ *client) {
	if o.Workspace == nil {
		o.Workspace = &protocol.WorkspaceOptions{}
	}
	scheme := "file"
	o.Workspace.FileOperations = &protocol.FileOperationOptions{WillRename: protocol.FileOperationRegistrationOptions{
		Filters: []protocol.FileOperationFilter{{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**/*"}}},
	}}
}

// willRenameFiles answers the edits by which evals still lead to files that are to be
// renamed, and evals that are to be renamed to what they led to.
func willRenameFiles(ctx context.Context, s *snapshot, p *protocol.RenameFilesParams) (*protocol.WorkspaceEdit, error) {
	var edit *protocol.WorkspaceEdit
	evals, uris := s.otherFiles(nil)
	for _, a := range evals {
		var edits []text.Edit
		u := uris[a]
		a.Chunks(func(part *analysis.Chunk) bool {
			for _, e := range assist.RepointLinks(part, func(l assist.Link) (string, bool) { return s.repointLink(u, l, fileRenames(p.Files)) }) {
				edits = append(edits, text.Edit{Span: part.ToFile(e.Span), New: e.New})
			}
			return ctx.Err() == nil
		})
		if len(edits) > 0 {
			if edit == nil {
				edit = &protocol.WorkspaceEdit{}
			}
			s.addEdits(edit, u, a, edits)
		}
	}
	return edit, ctx.Err()
}

// fileRenames are files and folders that are to be renamed.
type fileRenames []protocol.FileRename

// renamedPath is the path that a file will have.
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

// repointLink is what a link in an eval file has to be once files are renamed; ok is
// false if it stays, or leads nowhere.
func (s *snapshot) repointLink(u uri.URI, l assist.Link, files fileRenames) (to string, ok bool) {
	target := s.linkTarget(u, l)
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
	from, below := strings.CutSuffix(target.Path(), "/"+path.Clean(l.Path)) // the folder that the link counts from
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
