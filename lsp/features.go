package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/requests"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// featureRoutes returns the requests that all hosts of a language server answer.
func featureRoutes() (all []route) {
	for _, r := range requests.Routes() {
		own := route{method: r.Method, handle: func(_ context.Context, s *snapshot, params []byte) (any, error) { return s.answer(r, params) }}
		if r.Offer != nil {
			own.offer = func(o *protocol.ServerCapabilities, c *cache.Client) {
				name, value := r.Offer(&c.Client)
				offer(string(transport.Encode(map[string]any{name: value})))(o, c)
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
	if d := s.EvalDocument(u); d != nil {
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

// openFile returns a document as features see it, with this server's own actions.
func (s *snapshot) openFile(d *cache.Document) *ide.File {
	f := s.OpenFile(d)
	f.Host.MoreActions = func(span text.Span) []ide.CodeAction { return s.ownActions(d, span) }
	f.Host.RunNames = func() *ide.RunNames { return s.runNames(s.session.ctx, d) }
	f.Host.RunningJob = func(caseID string) string { return s.session.jobs.runOf(d.URI, caseID) }
	f.Host.Convert = func(to string) (*ide.WorkspaceEdit, error) { return s.convertEdit(d, to) }
	return f
}
