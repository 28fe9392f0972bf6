package lsp

import (
	"sync"

	"go.lsp.dev/protocol"
)

// methodTable is every method that is understood. Capabilities are offered in this
// order; a row is a method, its function, and what that offers (nil: nothing of
// its own).
func methodTable() []route {
	return []route{
		syncRequest(protocol.MethodInitialize, initialize),
		notification(protocol.MethodInitialized, initialized, nil),
		syncRequest(protocol.MethodShutdown, shutdown),

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
		request(protocol.MethodTextDocumentHover, hover, offerHover),
		request(protocol.MethodTextDocumentCompletion, completion, offerCompletion),
		request(protocol.MethodCompletionItemResolve, resolveCompletionItem, nil),
		request(protocol.MethodTextDocumentInlayHint, inlayHint, offerInlayHints),
		request(protocol.MethodTextDocumentDocumentLink, documentLink, offerDocumentLinks),
		request(protocol.MethodTextDocumentDocumentSymbol, documentSymbol, offerDocumentSymbols),
		request(protocol.MethodWorkspaceSymbol, workspaceSymbol, offerWorkspaceSymbols),
		request(protocol.MethodTextDocumentFoldingRange, foldingRange, offerFolding),
		request(protocol.MethodTextDocumentSelectionRange, selectionRange, offerSelectionRanges),
		request(protocol.MethodTextDocumentDocumentHighlight, documentHighlight, offerDocumentHighlights),
		request(protocol.MethodTextDocumentLinkedEditingRange, linkedEditingRange, offerLinkedEditing),
		request(protocol.MethodTextDocumentDefinition, definition, offerDefinition),
		request(protocol.MethodTextDocumentReferences, references, offerReferences),
		request(protocol.MethodTextDocumentPrepareRename, prepareRename, nil),
		request(protocol.MethodTextDocumentRename, rename, offerRename),
		request(protocol.MethodTextDocumentSemanticTokensFull, semanticTokens, offerSemanticTokens),
		request(protocol.MethodTextDocumentSemanticTokensFullDelta, semanticTokensDelta, nil),
		request(protocol.MethodTextDocumentSemanticTokensRange, semanticTokensRange, nil),
		request(protocol.MethodTextDocumentFormatting, formatting, offerFormatting),
		request(protocol.MethodTextDocumentRangeFormatting, rangeFormatting, offerRangeFormatting),
		request(protocol.MethodTextDocumentOnTypeFormatting, onTypeFormatting, offerOnTypeFormatting),
		request(protocol.MethodTextDocumentCodeAction, codeAction, offerCodeActions),
		request(protocol.MethodCodeActionResolve, resolveCodeAction, nil),
		request(protocol.MethodTextDocumentCodeLens, codeLens, offerCodeLenses),

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
	for _, r := range methodTable() {
		all[r.method] = r
	}
	return all
})
