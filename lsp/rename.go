package lsp

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	idenavigation "github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/text"
)

func offerRename(o *protocol.ServerCapabilities, c *client) {
	if !c.canPrepareRename { // without prepare support the client may not accept options
		o.RenameProvider = protocol.Boolean(true)
		return
	}
	o.RenameProvider = &protocol.RenameOptions{PrepareProvider: &c.canPrepareRename}
}

// prepareRename returns the name at a position, if it can be renamed.
func prepareRename(_ context.Context, s *snapshot, p *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	span, name, err := idenavigation.PrepareRename(d.Analysis, offset)
	if err != nil {
		return nil, requestFailed(err)
	}
	return &protocol.PrepareRenamePlaceholder{Range: s.client.spanRange(d.Analysis, span), Placeholder: name}, nil
}

// rename returns the edits that rename a name in all files.
func rename(_ context.Context, s *snapshot, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	others, uris := s.otherFiles(d)
	changes, err := idenavigation.Rename(d.Analysis, offset, p.NewName, others)
	if err != nil {
		return nil, requestFailed(err)
	}
	edit := &protocol.WorkspaceEdit{}
	for _, c := range changes {
		s.addEdits(edit, uris[c.File], c.File, c.Edits)
	}
	return edit, nil
}

func offerWillRename(o *protocol.ServerCapabilities, _ *client) {
	if o.Workspace == nil {
		o.Workspace = &protocol.WorkspaceOptions{}
	}
	scheme := "file"
	o.Workspace.FileOperations = &protocol.FileOperationOptions{WillRename: protocol.FileOperationRegistrationOptions{
		Filters: []protocol.FileOperationFilter{{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**/*"}}},
	}}
}

// willRenameFiles returns edits that keep links valid: links to renamed files, and links in renamed
// eval files.
func willRenameFiles(ctx context.Context, s *snapshot, p *protocol.RenameFilesParams) (*protocol.WorkspaceEdit, error) {
	var edit *protocol.WorkspaceEdit
	evals, uris := s.otherFiles(nil)
	for _, a := range evals {
		var edits []text.Edit
		u := uris[a]
		a.Chunks(func(chunk *analysis.Chunk) bool {
			for _, e := range idenavigation.RepointLinks(chunk, func(l idenavigation.Link) (string, bool) { return s.repointLink(u, l, fileRenames(p.Files)) }) {
				edits = append(edits, text.Edit{Span: chunk.ToFile(e.Span), New: e.New})
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
func (s *snapshot) repointLink(u uri.URI, l idenavigation.Link, files fileRenames) (to string, ok bool) {
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
