// A line break takes the indentation that the server would give it.
import { LSPPlugin, type LSPClientExtension } from "@codemirror/lsp-client";
import { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

/** pressed reports whether an edit is a line break that somebody typed, and nothing but blanks after it. */
function pressed(inserted: string): boolean {
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
    const at = (p: lsp.Position) => mapping.mapPosition(plugin.uri, p); // somebody may have typed on
    const changes = view.state.changes(edits.map((e) => ({ from: at(e.range.start), to: at(e.range.end), insert: e.newText })));
    view.dispatch({ changes, selection: view.state.selection.map(changes, 1), userEvent: "input.indent" });
  });
}

/** enter has the server indent what somebody begins. */
export const enter: LSPClientExtension = {
  clientCapabilities: { textDocument: { onTypeFormatting: {} } },
  editorExtension: EditorView.updateListener.of(({ transactions, view }) => {
    for (const t of transactions) {
      if (!t.docChanged || !t.isUserEvent("input") || t.isUserEvent("input.indent")) continue;
      t.changes.iterChanges((_from, _to, _begin, _end, inserted) => void (inserted.lines === 2 && pressed(inserted.toString()) && indent(view)));
    }
  }),
};
