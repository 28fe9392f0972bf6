package lsp

import (
	"sync"

	"go.lsp.dev/protocol"
)

// table is every method that is understood. Capabilities are offered in this
// order; a row is a method, its function, and what that offers (nil: nothing of
// its own).
func table() []route {
	return []route{
		inTurn(protocol.MethodInitialize, initialize),
		told(protocol.MethodInitialized, initialized, nil),
		inTurn(protocol.MethodShutdown, shutdown),

		told(protocol.MethodTextDocumentDidOpen, didOpen, offerSync),
		told(protocol.MethodTextDocumentDidChange, didChange, nil),
		told(protocol.MethodTextDocumentDidSave, didSave, nil),
		told(protocol.MethodTextDocumentDidClose, didClose, nil),

		told(protocol.MethodWorkspaceDidChangeConfiguration, didChangeConfiguration, nil),
		told(protocol.MethodWorkspaceDidChangeWatchedFiles, didChangeWatchedFiles, nil),
		told(protocol.MethodWorkspaceDidChangeWorkspaceFolders, didChangeWorkspaceFolders, offerFolders),
		on(protocol.MethodWorkspaceWillRenameFiles, willRenameFiles, offerRenamedFiles),

		on(protocol.MethodTextDocumentDiagnostic, diagnostic, offerDiagnostics),
		on(protocol.MethodWorkspaceDiagnostic, workspaceDiagnostic, nil),
		on(protocol.MethodTextDocumentHover, hover, offerHover),
		on(protocol.MethodTextDocumentCompletion, completion, offerCompletion),
		on(protocol.MethodCompletionItemResolve, resolveItem, nil),
		on(protocol.MethodTextDocumentInlayHint, inlayHint, offerHints),
		on(protocol.MethodTextDocumentDocumentLink, documentLink, offerLinks),
		on(protocol.MethodTextDocumentDocumentSymbol, documentSymbol, offerSymbols),
		on(protocol.MethodWorkspaceSymbol, workspaceSymbol, offerWorkspaceSymbols),
		on(protocol.MethodTextDocumentFoldingRange, foldingRange, offerFolding),
		on(protocol.MethodTextDocumentSelectionRange, selectionRange, offerSelections),
		on(protocol.MethodTextDocumentDocumentHighlight, documentHighlight, offerHighlights),
		on(protocol.MethodTextDocumentLinkedEditingRange, linkedEditingRange, offerLinked),
		on(protocol.MethodTextDocumentDefinition, definition, offerDefinition),
		on(protocol.MethodTextDocumentReferences, references, offerReferences),
		on(protocol.MethodTextDocumentPrepareRename, prepareRename, nil),
		on(protocol.MethodTextDocumentRename, rename, offerRename),
		on(protocol.MethodTextDocumentSemanticTokensFull, semanticTokens, offerTokens),
		on(protocol.MethodTextDocumentSemanticTokensFullDelta, semanticTokensDelta, nil),
		on(protocol.MethodTextDocumentSemanticTokensRange, semanticTokensRange, nil),
		on(protocol.MethodTextDocumentFormatting, formatting, offerFormatting),
		on(protocol.MethodTextDocumentRangeFormatting, rangeFormatting, offerRangeFormatting),
		on(protocol.MethodTextDocumentOnTypeFormatting, onTypeFormatting, offerOnType),
		on(protocol.MethodTextDocumentCodeAction, codeAction, offerActions),
		on(protocol.MethodCodeActionResolve, resolveAction, nil),
		on(protocol.MethodTextDocumentCodeLens, codeLens, offerLenses),

		on(protocol.MethodWorkspaceExecuteCommand, executeCommand, offerCommands),
		told(protocol.MethodWindowWorkDoneProgressCancel, cancelProgress, nil),
		on(methodTestItems, testItems, nil),
		on(methodScore, scoreTyped, nil),
		on(methodReport, report, nil),
		on(methodRecords, records, nil),
		on(methodJudges, judges, nil),
	}
}

var routes = sync.OnceValue(func() map[string]route {
	all := map[string]route{}
	for _, r := range table() {
		all[r.method] = r
	}
	return all
})
