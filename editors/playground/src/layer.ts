// A layer of decorations that come from the server. It requests them for the visible range once the text has been
// quiet for a moment, and maps them through edits until then. Decorations elsewhere stay until they become visible.
import { RangeSet, StateEffect, StateField, type Extension, type Range, type RangeValue } from "@codemirror/state";
import { LSPPlugin } from "@codemirror/lsp-client";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

/** LayerRequest is the request of a layer, and how its answer becomes marks. */
export interface LayerRequest<Answer, Mark extends RangeValue> {
  /** the server's capability; without it the layer stays empty */
  capability: keyof lsp.ServerCapabilities;
  method: string;
  /** how long the text must be quiet, in milliseconds */
  pause: number;
  marks(answer: Answer, plugin: LSPPlugin): Range<Mark>[];
}

/** Layer has the marks in an editor's state, and the extension that updates them. */
export interface Layer<Mark extends RangeValue> {
  field: StateField<RangeSet<Mark>>;
  isRenewed: (update: ViewUpdate) => boolean;
  requester: Extension;
}

/** refreshLayers makes every layer request again, although the text has not changed. */
export const refreshLayers = StateEffect.define<null>();

/** maxRequested limits the requested range, in characters. With everything folded, the whole text is visible. */
const maxRequested = 40_000;

/** visibleRange returns the visible range, up to the end of its last line. */
function visibleRange({ viewport: { from, to }, state: { doc } }: EditorView): { from: number; to: number } {
  return { from, to: to - from > maxRequested ? doc.lineAt(from + maxRequested).to : to };
}

/** Replacement replaces the marks of a range. */
interface Replacement<Mark extends RangeValue> {
  filterFrom: number;
  filterTo: number;
  add: Range<Mark>[];
}

/** layer creates a layer. */
export function layer<Answer, Mark extends RangeValue>(request: LayerRequest<Answer, Mark>): Layer<Mark> {
  const replaceMarks = StateEffect.define<Replacement<Mark>>();
  const field = StateField.define<RangeSet<Mark>>({
    create: () => RangeSet.empty,
    update(marks, transaction) {
      let all = marks.map(transaction.changes);
      for (const effect of transaction.effects) if (effect.is(replaceMarks)) all = all.update({ ...effect.value, filter: () => false, sort: true });
      return all;
    },
  });
  const requester = ViewPlugin.fromClass(class {
    timer = 0;
    /** the parameters of the pending request */
    pending: object | undefined;

    constructor(readonly view: EditorView) {
      this.schedule(0);
    }

    update({ docChanged, viewportChanged, transactions }: ViewUpdate): void {
      if (transactions.some((t) => t.effects.some((e) => e.is(refreshLayers)))) this.schedule(0);
      // An answer about the old text is useless and would delay the findings of the new one.
      if (docChanged && this.pending) LSPPlugin.get(this.view)?.client.cancelRequest(this.pending);
      if (docChanged || viewportChanged) this.schedule(request.pause);
    }

    schedule(pause: number): void {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.send(), pause);
    }

    async send(): Promise<void> {
      const { view } = this, plugin = LSPPlugin.get(view);
      if (!plugin) return;
      await plugin.client.initializing.catch(() => undefined); // the page says that the evaluator could not be loaded
      if (!plugin.client.serverCapabilities?.[request.capability]) return;
      if (this.pending) plugin.client.cancelRequest(this.pending); // its answer is no longer needed
      plugin.client.sync();
      const { doc } = view.state, { from: filterFrom, to: filterTo } = visibleRange(view);
      const range = { start: plugin.toPosition(filterFrom), end: plugin.toPosition(filterTo) };
      const pending = (this.pending = { textDocument: { uri: plugin.uri }, range });
      const answer = await plugin.client.request<object, Answer | null>(request.method, pending).catch(() => null);
      if (this.pending !== pending) return;
      this.pending = undefined;
      if (answer && view.state.doc === doc) view.dispatch({ effects: replaceMarks.of({ filterFrom, filterTo, add: request.marks(answer, plugin) }) });
    }

    destroy(): void {
      clearTimeout(this.timer);
    }
  });
  const isRenewed = ({ transactions }: ViewUpdate) => transactions.some((t) => t.effects.some((e) => e.is(replaceMarks)));
  return { field, isRenewed, requester };
}
