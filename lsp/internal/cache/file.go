package cache

import (
	"path"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// OpenFile returns a document as features see it.
func (s *Snapshot) OpenFile(d *Document) *ide.File {
	f := s.File(d.URI, d.Analysis)
	f.Host = ide.Host{
		Outcomes:      func() ide.Results { return s.outcomes(d) },
		Others:        func() []*ide.File { return s.OtherFiles(d) },
		DiagnosticsIn: func(span text.Span) []diag.Diagnostic { return d.DiagnosticsIn(span, s.duplicates[d.URI]) },
		FileURI:       f.Host.FileURI,
		LinkTarget:    func(link ide.Link) string { return string(s.LinkTarget(d.URI, link)) },
		Targets:       d.deps.input.Targets,
		CaseIDs:       func() []string { return append(d.ListCaseIDs(), s.siblingIDs[d.URI]...) },
		Shown:         func(span text.Span) { s.shared.setFocus(d, span) },
		ShowMessage:   func(message string) { s.Client.ShowMessage(protocol.MessageTypeInfo, message) },
	}
	if folder := s.shared.disk.ListFolder; folder != nil && d.URI.IsFile() {
		f.Host.ReadDir = func(path string) []ide.DirEntry { return folder(d.URI.FsPath(), path) }
	}
	return f
}

// File returns a file without what its host supplies. It has a version if it is open.
func (s *Snapshot) File(u uri.URI, a *analysis.Analysis) *ide.File {
	f := &ide.File{URI: string(u), Analysis: a, Client: &s.Client.Client}
	f.Host.FileURI = func(name string) string { return string(uri.File(name)) }
	if d := s.Documents[u]; d != nil {
		f.Version = &d.Version
	}
	return f
}

// LinkTarget returns the target of a link, or "" if the file does not exist.
func (s *Snapshot) LinkTarget(u uri.URI, link ide.Link) uri.URI {
	if link.URL != "" {
		address, err := uri.Parse(link.URL)
		if err != nil {
			return ""
		}
		return address
	}
	locate := s.shared.disk.Locate
	if locate == nil || !u.IsFile() {
		return ""
	}
	names := []string{link.Path}
	if link.Dir != "" {
		names = []string{path.Join(link.Dir, link.Path), link.Path}
	}
	for _, name := range names {
		if file := locate(u.FsPath(), name); file != "" {
			return uri.File(file)
		}
	}
	return ""
}
