package lsp

import (
	"sync"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// methodTable lists the methods besides those of [featureRoutes]. A row is a method, its function, and
// the function that offers it, or nil. Capabilities are offered in this order.
func methodTable() []route {
	return []route{
		syncRequest(protocol.MethodInitialize, initialize),
		notification(protocol.MethodInitialized, initialized, nil),
		syncRequest(protocol.MethodShutdown, shutdown),
		notification(protocol.MethodSetTrace, setTrace, nil),

		notification(protocol.MethodTextDocumentDidOpen, didOpen, offer(`{"textDocumentSync":{"openClose":true,"change":2,"save":{}}}`)),
		notification(protocol.MethodTextDocumentDidChange, didChange, nil),
		notification(protocol.MethodTextDocumentDidSave, didSave, nil),
		notification(protocol.MethodTextDocumentDidClose, didClose, nil),

		notification(protocol.MethodWorkspaceDidChangeConfiguration, didChangeConfiguration, nil),
		notification(protocol.MethodWorkspaceDidChangeWatchedFiles, didChangeWatchedFiles, nil),
		notification(protocol.MethodWorkspaceDidChangeWorkspaceFolders, didChangeWorkspaceFolders, offer(`{"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}}}`)),
		request(protocol.MethodWorkspaceWillRenameFiles, willRenameFiles, offer(`{"workspace":{"fileOperations":{"willRename":{"filters":[{"scheme":"file","pattern":{"glob":"**/*"}}]}}}}`)),

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
