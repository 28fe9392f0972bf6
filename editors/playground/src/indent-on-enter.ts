// Indents a new line as the server's on-type formatting says.
import { LSPPlugin, type LSPClientExtension } from "@codemirror/lsp-client";
import { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

/** isLineBreak reports whether inserted text is a typed line break with indentation. */
function isLineBreak(inserted: string): boolean {
  return /^\n[ \t]*$/.test(inserted);
}

async function indent(view: EditorView): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (!plugin?.client.serverCapabilities?.documentOnTypeFormattingProvider) return;
  plugin.client.sync();
  const params: lsp.DocumentOnTypeFormattingParams = {
    textDocument: { uri: plugin.uri }, position: plugin.toPosition(view.state.selection.main.head), ch: "\n", options: { tabSize: 2, insertSpaces: true },
  };
  await plugin.client.withMapping(async (mapping) => {
    const edits = await plugin.client.request<lsp.DocumentOnTypeFormattingParams, lsp.TextEdit[] | null>("textDocument/onTypeFormatting", params).catch(() => null);
    if (!edits?.length || LSPPlugin.get(view) !== plugin) return;
    const positionNow = (p: lsp.Position) => mapping.mapPosition(plugin.uri, p); // the user may have typed on
    const changes = view.state.changes(edits.map((e) => ({ from: positionNow(e.range.start), to: positionNow(e.range.end), insert: e.newText })));
    view.dispatch({ changes, selection: view.state.selection.map(changes, 1), userEvent: "input.indent" });
  });
}

/** indentOnEnter requests the indentation after each typed line break. */
export const indentOnEnter: LSPClientExtension = {
  clientCapabilities: { textDocument: { onTypeFormatting: {} } },
  editorExtension: EditorView.updateListener.of(({ transactions, view }) => {
    for (const t of transactions) {
      if (!t.docChanged || !t.isUserEvent("input") || t.isUserEvent("input.indent")) continue;
      t.changes.iterChanges((_from, _to, _begin, _end, inserted) => void (inserted.lines === 2 && isLineBreak(inserted.toString()) && indent(view)));
    }
  }),
};
