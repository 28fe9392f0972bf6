// Inlay hints: values that apply by default, shown in the text.
import type { LSPClientExtension } from "@codemirror/lsp-client";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";

class Hint extends WidgetType {
  constructor(readonly label: string) {
    super();
  }

  eq(other: Hint): boolean {
    return other.label === this.label;
  }

  toDOM(): HTMLElement {
    const span = document.createElement("span");
    span.className = "cm-hint";
    span.textContent = this.label;
    return span;
  }
}

const { field, requester } = layer<lsp.InlayHint[], Decoration>({
  capability: "inlayHintProvider",
  method: "textDocument/inlayHint",
  pause: 150,
  marks: (inlayHints, plugin) => inlayHints.map((h) => Decoration.widget({ widget: new Hint(String(h.label)), side: 1 }).range(plugin.fromPosition(h.position))),
});

/** inlayHints shows the server's inlay hints. */
export const inlayHints: LSPClientExtension = {
  clientCapabilities: { textDocument: { inlayHint: {} } },
  editorExtension: [field, requester, EditorView.decorations.from(field)],
};
