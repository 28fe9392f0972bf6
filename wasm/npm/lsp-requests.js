// The table of LSP requests and the evaluator's method for each.

const pickPosition = ({ position }) => ({ position });
const pickRange = ({ range }) => ({ range });
const pickNothing = () => ({});

/**
 * documentRequest answers a request about a document with a method of the evaluator. `fallback` is the result for a
 * document that is not an eval file.
 */
const documentRequest = (method, params, fallback, finish = (result) => result) => async (session, p) =>
  finish(await session.documents.request(p.textDocument.uri, method, params(p), fallback), session);

/** Only VS Code knows the command that asks for completions again. */
const withoutCommands = (list, { retriggers }) => {
  if (!retriggers) for (const item of list.items) delete item.command;
  return list;
};

const withKnownCommand = (lenses, { commands }) => lenses.filter(({ command }) => !command.command || commands.includes(command.command));

const emptyList = Object.freeze([]);

/** Symbols, folds and lenses accept a range, beyond what the protocol defines. */
export const requests = {
  "textDocument/hover": documentRequest("hover", pickPosition, null),
  "textDocument/completion": (session, p) =>
    documentRequest("complete", pickPosition, { isIncomplete: false, items: [] }, withoutCommands)(session, p),
  "textDocument/codeAction": documentRequest("actions", ({ range, context }) => ({ range, only: context.only }), emptyList),
  "textDocument/documentSymbol": documentRequest("symbols", pickRange, emptyList),
  "textDocument/foldingRange": documentRequest("fold", pickRange, emptyList),
  "textDocument/selectionRange": documentRequest("selection", ({ positions }) => ({ positions }), emptyList),
  "textDocument/inlayHint": documentRequest("inlay", pickRange, emptyList),
  "textDocument/codeLens": documentRequest("lens", pickRange, emptyList, withKnownCommand),
  "textDocument/semanticTokens/full": documentRequest("semantic", pickNothing, null),
  "textDocument/semanticTokens/range": documentRequest("semantic", pickRange, null),
  "textDocument/documentHighlight": documentRequest("highlight", pickPosition, emptyList),
  "textDocument/linkedEditingRange": documentRequest("linked", pickPosition, null),
  "textDocument/documentLink": documentRequest("links", pickNothing, emptyList),
  "textDocument/definition": documentRequest("definition", pickPosition, emptyList),
  "textDocument/references": documentRequest("references", ({ position, context }) => ({ position, declared: context.includeDeclaration }), emptyList),
  "textDocument/prepareRename": documentRequest("renameable", pickPosition, null),
  "textDocument/rename": documentRequest("rename", ({ position, newName }) => ({ position, newName }), null),
  "textDocument/formatting": documentRequest("format", pickNothing, emptyList),
  "textDocument/rangeFormatting": documentRequest("format", pickRange, emptyList),
  "textDocument/onTypeFormatting": (session, p) => (p.ch === "\n" ? documentRequest("enter", pickPosition, emptyList)(session, p) : emptyList),

  async "completionItem/resolve"({ documents }, item) {
    if (!item.data) return item;
    const { documentation } = await documents.call("resolve", { data: item.data });
    return documentation ? { ...item, documentation } : item;
  },
  async "codeAction/resolve"(session, action) {
    if (!action.data) return action;
    const { edit, note } = await session.documents.call("resolve", { data: action.data });
    if (note) session.notify("window/showMessage", { type: 3, message: `rubric: ${note}` });
    return { ...action, edit };
  },

  "rubric/score": ({ documents }, { uri, case: id, grades }) => documents.call("grade", { document: uri, case: id, grades }),
  "rubric/call": (session, { method, params = {} }) => session.call(method, params),
};

/** capabilities returns the server's capabilities, in the order in which the Go server lists them. */
export function capabilities(offered, client) {
  return {
    positionEncoding: client?.general?.positionEncodings ? "utf-16" : undefined,
    textDocumentSync: { openClose: true, change: 2, save: {} },
    completionProvider: { triggerCharacters: offered.completionTriggers, resolveProvider: true },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    codeActionProvider: { codeActionKinds: offered.actionKinds, resolveProvider: true },
    codeLensProvider: {},
    documentLinkProvider: {},
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: offered.enterTrigger },
    renameProvider: { prepareProvider: true },
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    linkedEditingRangeProvider: true,
    semanticTokensProvider: { legend: { tokenTypes: offered.tokenTypes, tokenModifiers: offered.tokenModifiers }, range: true, full: true },
    inlayHintProvider: true,
  };
}
