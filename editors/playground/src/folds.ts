// What can be folded away: cases, criteria, long texts, as the server says. A long file
// has many times more folds than are on the screen.
import { foldEffect, foldGutter, foldService } from "@codemirror/language";
import { LSPPlugin, type LSPClientExtension } from "@codemirror/lsp-client";
import { Prec, RangeValue, type Text } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";
import { stretches } from "./stretches";

const foldable = new (class extends RangeValue {})();
const method = "textDocument/foldingRange";

/** hidden is what a fold hides, from its first line's end on; nothing of one that is not of this text. */
const hidden = (doc: Text, { startLine, endLine }: lsp.FoldingRange) => (endLine > startLine && endLine < doc.lines ? { from: doc.line(startLine + 1).to, to: doc.line(endLine + 1).to } : undefined);

const { field, asking, renewed } = layer<lsp.FoldingRange[], RangeValue>({
  capability: "foldingRangeProvider",
  method,
  pause: 300,
  marks(folds, { view: { state: { doc } } }) {
    return folds.flatMap((fold) => {
      const { from, to } = hidden(doc, fold) ?? {};
      return from === undefined ? [] : foldable.range(from, to);
    });
  },
});

const service = foldService.of((state, from, to) => {
  let found: { from: number; to: number } | null = null;
  state.field(field).between(from, to, (start, end) => {
    if (start < from || start > to || end <= to) return undefined;
    found = { from: to, to: end };
    return false;
  });
  return found;
});

/** last is what somebody last did with all folds of an editor. */
const last = new WeakMap<EditorView, object>();

/** foldAll folds what is in nothing else that can be folded. */
async function foldAll(view: EditorView): Promise<void> {
  const plugin = LSPPlugin.get(view), mine = {};
  if (!plugin) return;
  last.set(view, mine);
  await stretches<lsp.FoldingRange[]>(plugin.client, plugin.uri, method, (folds, { doc, from, to }) => {
    if (last.get(view) !== mine || view.state.doc !== doc) return undefined;
    let next = from;
    const effects = folds.flatMap((fold) => {
      const found = hidden(doc, fold);
      if (!found || found.from < next) return [];
      next = found.to + 1;
      return foldEffect.of(found);
    });
    view.dispatch({ effects });
    return Math.max(to + 1, next);
  });
}

const keys = keymap.of([
  { key: "Ctrl-Alt-[", run: (view) => (void foldAll(view), true) },
  { key: "Ctrl-Alt-]", run: (view) => !last.set(view, {}) }, // and then what the library does
]);

/** folds has the server's folds beside the text, and by the keyboard. */
export const folds: LSPClientExtension = {
  clientCapabilities: { textDocument: { foldingRange: { lineFoldingOnly: true } } },
  editorExtension: [field, asking, service, Prec.high(keys), foldGutter({ foldingChanged: renewed })],
};
