// Folding ranges of the server: cases, criteria and long texts. It requests only those on the screen, because a long
// file has many more.
import { foldEffect, foldGutter, foldService } from "@codemirror/language";
import { LSPPlugin, type LSPClientExtension } from "@codemirror/lsp-client";
import { Prec, RangeValue, type Text } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";
import { requestInChunks } from "./chunked-request";

const foldable = new (class extends RangeValue {})();
const method = "textDocument/foldingRange";

/** hiddenRange returns the range that a fold hides, from the end of its first line. It is undefined if the fold does not fit the text. */
const hiddenRange = (doc: Text, { startLine, endLine }: lsp.FoldingRange) => (endLine > startLine && endLine < doc.lines ? { from: doc.line(startLine + 1).to, to: doc.line(endLine + 1).to } : undefined);

const { field, requester, isRenewed } = layer<lsp.FoldingRange[], RangeValue>({
  capability: "foldingRangeProvider",
  method,
  pause: 300,
  marks(folding, { view: { state: { doc } } }) {
    return folding.flatMap((fold) => {
      const { from, to } = hiddenRange(doc, fold) ?? {};
      return from === undefined ? [] : foldable.range(from, to);
    });
  },
});

const service = foldService.of((state, from, to) => {
  let range: { from: number; to: number } | null = null;
  state.field(field).between(from, to, (start, end) => {
    if (start < from || start > to || end <= to) return undefined;
    range = { from: to, to: end };
    return false;
  });
  return range;
});

/** lastAction is the user's last fold-all or unfold-all command in an editor. */
const lastAction = new WeakMap<EditorView, object>();

/** foldAll folds all outermost ranges. */
async function foldAll(view: EditorView): Promise<void> {
  const plugin = LSPPlugin.get(view), action = {};
  if (!plugin) return;
  lastAction.set(view, action);
  await requestInChunks<lsp.FoldingRange[]>(plugin.client, plugin.uri, method, (folding, { doc, from, to }) => {
    if (lastAction.get(view) !== action || view.state.doc !== doc) return undefined;
    let next = from;
    const effects = folding.flatMap((fold) => {
      const range = hiddenRange(doc, fold);
      if (!range || range.from < next) return [];
      next = range.to + 1;
      return foldEffect.of(range);
    });
    view.dispatch({ effects });
    return Math.max(to + 1, next);
  });
}

const keys = keymap.of([
  { key: "Ctrl-Alt-[", run: (view) => (void foldAll(view), true) },
  { key: "Ctrl-Alt-]", run: (view) => !lastAction.set(view, {}) }, // the library's command follows
]);

/** folding shows the server's folding ranges, with a gutter and keys. */
export const folding: LSPClientExtension = {
  clientCapabilities: { textDocument: { foldingRange: { lineFoldingOnly: true } } },
  editorExtension: [field, requester, service, Prec.high(keys), foldGutter({ foldingChanged: isRenewed })],
};
