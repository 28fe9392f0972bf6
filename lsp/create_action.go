package lsp

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	findings "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// createActions returns the fixes that create files that an eval file names and that are missing, but no programs: empty,
// and in its folder or below. A cursor is about its line.
func (s *snapshot) createActions(d *cache.Document, selection text.Span) (all []ide.CodeAction) {
	base, err := url.Parse(string(d.URI))
	if err != nil || !s.Client.CanCreateFiles {
		return nil
	}
	if body := d.Body(); selection.Start == selection.End {
		selection.Start = strings.LastIndexByte(body[:selection.Start], '\n') + 1
		selection.End += len(body[selection.End:])
		if end := strings.IndexByte(body[selection.Start:], '\n'); end >= 0 {
			selection.End = selection.Start + end
		}
	}
	f := s.OpenFile(d)
	for _, found := range f.Host.DiagnosticsIn(selection) {
		written, _ := d.Tree().NodeAt(found.Span.Start).Str()
		name := v4.TrimFileScheme(written)
		if found.Code != "missing-file" || !found.Span.Meets(selection) || !filepath.IsLocal(name) || path.Ext(name) == "" || rubric.IsProgram(name) {
			continue
		}
		all = append(all, ide.CodeAction{
			Title: "create `" + name + "`", Kind: action.QuickFix,
			Diagnostics: []ide.Finding{findings.New(f, found, findings.Underlined(f, found.Span))},
			Edit:        &ide.WorkspaceEdit{DocumentChanges: []any{ide.CreateFile{Kind: "create", URI: base.JoinPath("..", name).String()}}},
		})
	}
	return all
}
