// What can be folded away: cases, criteria, long texts, as the server says.
import { foldGutter, foldService } from "@codemirror/language";
import type { LSPClientExtension } from "@codemirror/lsp-client";
import { RangeValue } from "@codemirror/state";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";

const foldable = new (class extends RangeValue {})();

const { field, asking, renewed } = layer<lsp.FoldingRange[], RangeValue>({
  capability: "foldingRangeProvider",
  method: "textDocument/foldingRange",
  pause: 300,
  seen: false,
  *marks(folds, { view: { state: { doc } } }) {
    for (const { startLine, endLine } of folds) if (endLine > startLine && endLine < doc.lines) yield foldable.range(doc.line(startLine + 1).to, doc.line(endLine + 1).to);
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

/** folds has the server's folds beside the text, and by the keyboard. */
export const folds: LSPClientExtension = {
  clientCapabilities: { textDocument: { foldingRange: { lineFoldingOnly: true } } },
  editorExtension: [field, asking, service, foldGutter({ foldingChanged: renewed })],
};
