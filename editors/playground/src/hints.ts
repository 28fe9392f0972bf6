// Inlay hints: what holds though it is not written, between the words.
import { StateEffect, StateField } from "@codemirror/state";
import { LSPPlugin, type LSPClientExtension } from "@codemirror/lsp-client";
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

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

const renew = StateEffect.define<DecorationSet>();

const shown = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(hints, transaction) {
    for (const effect of transaction.effects) if (effect.is(renew)) return effect.value;
    return hints.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** pause is how long the text has to be quiet, in milliseconds, before hints are asked for. */
const pause = 150;

const asking = ViewPlugin.fromClass(class {
  timer = 0;

  constructor(readonly view: EditorView) {
    this.later();
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.later();
  }

  later(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), pause);
  }

  async ask(): Promise<void> {
    const plugin = LSPPlugin.get(this.view);
    if (!plugin?.client.serverCapabilities?.inlayHintProvider) return this.later();
    plugin.client.sync();
    const doc = this.view.state.doc;
    const { from, to } = this.view.viewport;
    const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
    const hints = await plugin.client.request<lsp.InlayHintParams, lsp.InlayHint[] | null>("textDocument/inlayHint", { textDocument: { uri: plugin.uri }, range }).catch(() => null);
    if (!hints || this.view.state.doc !== doc) return;
    const marks = hints.map((h) => Decoration.widget({ widget: new Hint(String(h.label)), side: 1 }).range(plugin.fromPosition(h.position)));
    this.view.dispatch({ effects: renew.of(Decoration.set(marks, true)) });
  }

  destroy(): void {
    clearTimeout(this.timer);
  }
});

/** hints has the server's hints shown. */
export const hints: LSPClientExtension = {
  clientCapabilities: { textDocument: { inlayHint: {} } },
  editorExtension: [shown, asking],
};
