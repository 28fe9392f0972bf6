package lsp

import (
	"context"
	"sync"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

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
		p, err := decodeParams[P](raw)
		if err != nil {
			return nil, err
		}
		return f(ctx, s, p)
	}}
}

// syncRequest is a route for a request that changes the session.
func syncRequest[P, R any](method string, f func(*session, *P) (R, error)) route {
	return route{method: method, handleSync: func(s *session, raw []byte) (any, error) {
		p, err := decodeParams[P](raw)
		if err != nil {
			return nil, err
		}
		return f(s, p)
	}}
}

// notification is a route for a notification. An error of f is logged.
func notification[P any](method string, f func(*session, *P) error, offer func(*protocol.ServerCapabilities, *cache.Client)) route {
	return route{method: method, offer: offer, handleNotification: func(s *session, raw []byte) error {
		p, err := decodeParams[P](raw)
		if err != nil {
			return err
		}
		return f(s, p)
	}}
}

// decodeParams decodes parameters. Invalid ones are an InvalidParams error.
func decodeParams[P any](raw []byte) (*P, error) {
	p := new(P)
	if _, empty := any(p).(*noParams); empty {
		return p, nil
	}
	if raw == nil {
		return nil, errMissingParams
	}
	if err := protocol.Unmarshal(raw, p); err != nil {
		return nil, errInvalidParams
	}
	return p, nil
}

// methodTable lists the methods besides those of [featureRoutes]. A row is a method, its function, and
// the function that offers it, or nil. Capabilities are offered in this order.
func methodTable() []route {
	return []route{
		syncRequest(protocol.MethodInitialize, initialize),
		notification(protocol.MethodInitialized, initialized, nil),
		syncRequest(protocol.MethodShutdown, shutdown),
		notification(protocol.MethodSetTrace, setTrace, nil),

		notification(protocol.MethodTextDocumentDidOpen, didOpen, offerTextSync),
		notification(protocol.MethodTextDocumentDidChange, didChange, nil),
		notification(protocol.MethodTextDocumentDidSave, didSave, nil),
		notification(protocol.MethodTextDocumentDidClose, didClose, nil),

		notification(protocol.MethodWorkspaceDidChangeConfiguration, didChangeConfiguration, nil),
		notification(protocol.MethodWorkspaceDidChangeWatchedFiles, didChangeWatchedFiles, nil),
		notification(protocol.MethodWorkspaceDidChangeWorkspaceFolders, didChangeWorkspaceFolders, offerWorkspaceFolders),
		request(protocol.MethodWorkspaceWillRenameFiles, willRenameFiles, offerWillRename),

		request(protocol.MethodTextDocumentDiagnostic, diagnostic, offerDiagnostics),
		request(protocol.MethodWorkspaceDiagnostic, workspaceDiagnostic, nil),
		request(protocol.MethodTextDocumentSemanticTokensFull, semanticTokens, nil),
		request(protocol.MethodTextDocumentSemanticTokensFullDelta, semanticTokensDelta, offerTokenDelta),
		request(protocol.MethodWorkspaceSymbol, workspaceSymbol, offerWorkspaceSymbols),
		request(protocol.MethodWorkspaceExecuteCommand, executeCommand, offerCommands),
		notification(protocol.MethodWindowWorkDoneProgressCancel, cancelProgress, nil),
		request(methodTestItems, testItems, nil),
		request(methodScore, scoreTyped, nil),
		request(methodReport, writeReport, nil),
		request(methodRecords, caseRecords, nil),
		request(methodJudges, listJudges, nil),
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

var (
	errMissingParams = jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters are missing")
	errInvalidParams = jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters do not fit this method")
)
