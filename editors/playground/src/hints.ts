// Inlay hints: what holds though it is not written, between the words.
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
    const shown = document.createElement("span");
    shown.className = "cm-hint";
    shown.textContent = this.label;
    return shown;
  }
}

const { field, asking } = layer<lsp.InlayHint[], Decoration>({
  capability: "inlayHintProvider",
  method: "textDocument/inlayHint",
  pause: 150,
  marks: (hints, plugin) => hints.map((h) => Decoration.widget({ widget: new Hint(String(h.label)), side: 1 }).range(plugin.fromPosition(h.position))),
});

/** hints has the server's hints shown. */
export const hints: LSPClientExtension = {
  clientCapabilities: { textDocument: { inlayHint: {} } },
  editorExtension: [field, asking, EditorView.decorations.from(field)],
};
