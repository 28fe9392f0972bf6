// What clients may ask, and what the evaluator is asked for each.

const place = ({ position }) => ({ position });
const range = ({ range }) => ({ range });
const all = () => ({});

/**
 * ask is a request about a document: the evaluator's method, the parameters that
 * it is given, and the answer where the document is none of ours.
 */
const ask = (method, params, nothing, finish = (result) => result) => async (session, p) =>
  finish(await session.documents.ask(p.textDocument.uri, method, params(p), nothing), session);

/** only the client that is known to know the command is sent it. */
const completion = (list, { retriggers }) => {
  if (!retriggers) for (const item of list.items) delete item.command;
  return list;
};

const possible = (lenses, { commands }) => lenses.filter(({ command }) => !command.command || commands.includes(command.command));

const none = Object.freeze([]);

/** Symbols, folds and lenses are of a range where a client says one: the protocol knows none there. */
export const requests = {
  "textDocument/hover": ask("hover", place, null),
  "textDocument/completion": (session, p) =>
    ask("complete", place, { isIncomplete: false, items: [] }, completion)(session, p),
  "textDocument/codeAction": ask("actions", ({ range, context }) => ({ range, only: context.only }), none),
  "textDocument/documentSymbol": ask("symbols", range, none),
  "textDocument/foldingRange": ask("fold", range, none),
  "textDocument/selectionRange": ask("selection", ({ positions }) => ({ positions }), none),
  "textDocument/inlayHint": ask("inlay", range, none),
  "textDocument/codeLens": ask("lens", range, none, possible),
  "textDocument/semanticTokens/full": ask("semantic", all, null),
  "textDocument/semanticTokens/range": ask("semantic", range, null),
  "textDocument/documentHighlight": ask("highlight", place, none),
  "textDocument/linkedEditingRange": ask("linked", place, null),
  "textDocument/documentLink": ask("links", all, none),
  "textDocument/definition": ask("definition", place, none),
  "textDocument/references": ask("references", ({ position, context }) => ({ position, declared: context.includeDeclaration }), none),
  "textDocument/prepareRename": ask("renameable", place, null),
  "textDocument/rename": ask("rename", ({ position, newName }) => ({ position, newName }), null),
  "textDocument/formatting": ask("format", all, none),
  "textDocument/rangeFormatting": ask("format", range, none),
  "textDocument/onTypeFormatting": (session, p) => (p.ch === "\n" ? ask("enter", place, none)(session, p) : none),

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

/** capabilities are what is on offer, in the order of the evaluator's own server. */
export function capabilities(can, client) {
  return {
    positionEncoding: client?.general?.positionEncodings ? "utf-16" : undefined,
    textDocumentSync: { openClose: true, change: 2, save: {} },
    completionProvider: { triggerCharacters: can.completionTriggers, resolveProvider: true },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    codeActionProvider: { codeActionKinds: can.actionKinds, resolveProvider: true },
    codeLensProvider: {},
    documentLinkProvider: {},
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: can.enterTrigger },
    renameProvider: { prepareProvider: true },
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    linkedEditingRangeProvider: true,
    semanticTokensProvider: { legend: { tokenTypes: can.tokenTypes, tokenModifiers: can.tokenModifiers }, range: true, full: true },
    inlayHintProvider: true,
  };
}
