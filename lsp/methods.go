package lsp

import (
	"context"
	"errors"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/requests"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// methodTable lists the methods besides those of [featureRoutes]. A row is a method, its function, and
// the function that offers it, or nil. Capabilities are offered in this order.
func methodTable() []route {
	return []route{
		syncRequest(protocol.MethodInitialize, initialize),
		notification(protocol.MethodInitialized, initialized, nil),
		syncRequest(protocol.MethodShutdown, shutdown),
		notification(protocol.MethodSetTrace, setTrace, nil),

		notification(protocol.MethodTextDocumentDidOpen, (*session).Open, offer(`{"textDocumentSync":{"openClose":true,"change":2,"save":{}}}`)),
		notification(protocol.MethodTextDocumentDidChange, (*session).Edit, nil),
		notification(protocol.MethodTextDocumentDidSave, (*session).Saved, nil),
		notification(protocol.MethodTextDocumentDidClose, (*session).Close, nil),

		notification(protocol.MethodWorkspaceDidChangeConfiguration, didChangeConfiguration, nil),
		notification(protocol.MethodWorkspaceDidChangeWatchedFiles, filesChanged[protocol.DidChangeWatchedFilesParams], nil),
		notification(protocol.MethodWorkspaceDidCreateFiles, filesChanged[protocol.CreateFilesParams], offer(`{"workspace":{"fileOperations":{"didCreate":{"filters":[{"scheme":"file","pattern":{"glob":"**/*"}}]}}}}`)),
		notification(protocol.MethodWorkspaceDidDeleteFiles, filesChanged[protocol.DeleteFilesParams], offer(`{"workspace":{"fileOperations":{"didDelete":{"filters":[{"scheme":"file","pattern":{"glob":"**/*"}}]}}}}`)),
		notification(protocol.MethodWorkspaceDidChangeWorkspaceFolders, didChangeWorkspaceFolders, offer(`{"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}}}`)),
		request(protocol.MethodWorkspaceWillRenameFiles, willRenameFiles, offer(`{"workspace":{"fileOperations":{"willRename":{"filters":[{"scheme":"file","pattern":{"glob":"**/*"}}]}}}}`)),
		notification(protocol.MethodWorkspaceDidRenameFiles, didRenameFiles, offer(`{"workspace":{"fileOperations":{"didRename":{"filters":[{"scheme":"file","pattern":{"glob":"**/*"}}]}}}}`)),

		request(protocol.MethodTextDocumentDiagnostic, diagnostic, offerDiagnostics),
		request(protocol.MethodWorkspaceDiagnostic, workspaceDiagnostic, nil),
		request(protocol.MethodTextDocumentSemanticTokensFull, semanticTokens, nil),
		request(protocol.MethodTextDocumentSemanticTokensFullDelta, semanticTokensDelta, offerTokenDelta),
		request(protocol.MethodWorkspaceSymbol, workspaceSymbol, offer(`{"workspaceSymbolProvider":true}`)),
		request(protocol.MethodWorkspaceExecuteCommand, executeCommand, offerCommands),
		notification(protocol.MethodWindowWorkDoneProgressCancel, cancelProgress, nil),
		request(methodTestItems, testItems, nil),
		request(methodScore, scoreTyped, nil),
		request(methodReport, writeReport, nil),
		request(methodRecords, caseRecords, nil),
		request(methodJudges, listJudges, nil),
		request(methodTargets, listTargets, nil),
		request(methodCompare, compareRuns, nil),
	}
}

// offer returns a function that adds capabilities, given as JSON.
func offer(capabilities string) func(*protocol.ServerCapabilities, *cache.Client) {
	return func(o *protocol.ServerCapabilities, _ *cache.Client) {
		if err := protocol.Unmarshal([]byte(capabilities), o); err != nil {
			panic(err) // the capability is not one of the protocol
		}
	}
}

var routes = sync.OnceValue(func() map[string]route {
	all := map[string]route{}
	for _, r := range allRoutes() {
		all[r.method] = r // this server's own methods win
	}
	return all
})

// allRoutes returns the methods that all hosts of a language server answer, and this server's own.
func allRoutes() []route { return append(featureRoutes(), methodTable()...) }

// route is one method that clients may send: a request or a notification. One of handle, handleSync
// and handleNotification is set.
type route struct {
	method string
	// handle answers a request from the snapshot that was current when it was read.
	handle func(ctx context.Context, s *snapshot, params []byte) (any, error)
	// handleSync answers a request before the next message is read.
	handleSync func(s *session, params []byte) (any, error)
	// handleNotification handles a notification.
	handleNotification func(s *session, params []byte) error
	// offer adds the method to the server's capabilities.
	offer func(o *protocol.ServerCapabilities, c *cache.Client)
}

// noParams is the parameter type of methods whose parameters are ignored.
type noParams struct{}

// request is a route for a request. F runs concurrently, sees only its snapshot, and is abandoned
// when the client cancels.
func request[P, R any](method string, f func(context.Context, *snapshot, *P) (R, error), offer func(*protocol.ServerCapabilities, *cache.Client)) route {
	return route{method: method, offer: offer, handle: func(ctx context.Context, s *snapshot, raw []byte) (any, error) {
		return withParams(raw, func(p *P) (any, error) { return f(ctx, s, p) })
	}}
}

// syncRequest is a route for a request that changes the session.
func syncRequest[P, R any](method string, f func(*session, *P) (R, error)) route {
	return route{method: method, handleSync: func(s *session, raw []byte) (any, error) {
		return withParams(raw, func(p *P) (any, error) { return f(s, p) })
	}}
}

// notification is a route for a notification. An error of f is logged.
func notification[P any](method string, f func(*session, *P) error, offer func(*protocol.ServerCapabilities, *cache.Client)) route {
	return route{method: method, offer: offer, handleNotification: func(s *session, raw []byte) error {
		_, err := withParams(raw, func(p *P) (any, error) { return nil, f(s, p) })
		return err
	}}
}

// withParams calls f with decoded parameters. Invalid ones are an InvalidParams error.
func withParams[P any](raw []byte, f func(*P) (any, error)) (any, error) {
	p := new(P)
	if _, empty := any(p).(*noParams); empty {
		return f(p)
	}
	if raw == nil {
		return nil, errMissingParams
	}
	if err := protocol.Unmarshal(raw, p); err != nil {
		return nil, errInvalidParams
	}
	return f(p)
}

var (
	errMissingParams = jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters are missing")
	errInvalidParams = jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters do not fit this method")
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
	if d := s.Documents[u]; d != nil && (d.IsEvalFile() || requests.AnswersHalfTyped(r.Method, d.Analysis)) {
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

// filesChanged handles that files have changed on disk. An editor tells of those that it creates and deletes itself,
// because its watcher may miss a file in a new folder.
func filesChanged[P any](s *session, _ *P) error {
	s.FilesChanged()
	return nil
}

// didChangeWorkspaceFolders adds and removes workspace folders.
func didChangeWorkspaceFolders(s *session, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.Update(func(next *cache.Snapshot) {
		folders := slices.DeleteFunc(slices.Clone(next.Folders), func(f protocol.WorkspaceFolder) bool {
			return slices.ContainsFunc(p.Event.Removed, func(gone protocol.WorkspaceFolder) bool { return gone.URI == f.URI })
		})
		next.Folders = append(folders, cloneFolders(p.Event.Added)...)
	})
	return nil
}
