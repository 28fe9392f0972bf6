package lsp

import (
	"context"
	"errors"
	"path"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/requests"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// featureRoutes returns the requests that all hosts of a language server answer.
func featureRoutes() (all []route) {
	for _, r := range requests.Routes() {
		own := route{method: r.Method, handle: func(_ context.Context, s *snapshot, params []byte) (any, error) { return s.answer(r, params) }}
		if r.Offer != nil {
			own.offer = func(o *protocol.ServerCapabilities, c *client) {
				name, value := r.Offer(&c.Client)
				if err := protocol.Unmarshal(mustEncode(map[string]any{name: value}), o); err != nil {
					panic(err) // the capability is not one of the protocol
				}
			}
		}
		all = append(all, own)
	}
	return all
}

// answer answers a request about an eval file.
func (s *snapshot) answer(r requests.Route, params []byte) (any, error) {
	if params == nil {
		return nil, errMissingParams
	}
	name, ask, err := r.Bind(params, protocol.Unmarshal)
	u := uri.URI("")
	if err == nil && name != "" {
		u, err = uri.Parse(name)
	}
	if err != nil {
		return nil, errInvalidParams
	}
	var f *ide.File
	if d := s.evalDocument(u); d != nil {
		f = s.openFile(d)
	}
	answer, err := ask(f)
	if fault := (*ide.Error)(nil); errors.As(err, &fault) {
		return nil, jsonrpc2.NewError(errorCodes[fault.Code], fault.Message)
	}
	return answer, err
}

// errorCodes maps the codes of features' errors to those of the protocol.
var errorCodes = map[string]jsonrpc2.Code{
	ide.Refused: jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), ide.Changed: protocol.CodeContentModified, ide.BadParams: jsonrpc2.InvalidParams,
}

// openFile returns a document as features see it.
func (s *snapshot) openFile(d *document) *ide.File {
	f := s.file(d.URI, d.Analysis)
	f.Host = ide.Host{
		Outcomes:      func(cases []*rubric.Case) ide.Results { return s.outcomes(d, cases) },
		AllOutcomes:   func() ide.Results { return s.documentOutcomes(d) },
		Others:        func() []*ide.File { return s.otherFiles(d) },
		DiagnosticsIn: func(span text.Span) []diag.Diagnostic { return d.DiagnosticsIn(span, s.duplicates[d.URI]) },
		FileURI:       f.Host.FileURI,
		LinkTarget:    func(link ide.Link) string { return string(s.linkTarget(d.URI, link)) },
		Targets:       d.deps.input.Targets,
		CaseIDs:       func() []string { return append(d.ListCaseIDs(), s.siblingIDs[d.URI]...) },
		Shown:         func(span text.Span) { s.session.setFocus(d, span) },
		ShowMessage:   func(message string) { s.session.showMessage(protocol.MessageTypeInfo, message) },
		MoreActions:   func(span text.Span) []ide.CodeAction { return s.ownActions(d, span) },
		Convert:       func() (*ide.WorkspaceEdit, error) { return s.convertEdit(d) },
	}
	if folder := s.session.disk.ListFolder; folder != nil && d.URI.IsFile() {
		f.Host.ReadDir = func(path string) []ide.DirEntry { return folder(d.URI.FsPath(), path) }
	}
	return f
}

// file returns a file without what its host supplies. It has a version if it is open.
func (s *snapshot) file(u uri.URI, a *analysis.Analysis) *ide.File {
	f := &ide.File{URI: string(u), Analysis: a, Client: &s.client.Client}
	f.Host.FileURI = func(name string) string { return string(uri.File(name)) }
	if d := s.Documents[u]; d != nil {
		f.Version = &d.Version
	}
	return f
}

// linkTarget returns the target of a link, or "" if the file does not exist.
func (s *snapshot) linkTarget(u uri.URI, link ide.Link) uri.URI {
	if link.URL != "" {
		address, err := uri.Parse(link.URL)
		if err != nil {
			return ""
		}
		return address
	}
	locate := s.session.disk.Locate
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
