// A layer over the text: what the server says of it, asked again when the text has
// been quiet for a moment, and moved along with edits until then. A layer is asked about what
// is on the screen: what stands elsewhere stays, until that is seen.
import { RangeSet, StateEffect, StateField, type Extension, type Range, type RangeValue } from "@codemirror/state";
import { LSPPlugin } from "@codemirror/lsp-client";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

/** Question is what a layer asks the server, and what it makes of the answer. */
export interface Question<Answer, Mark extends RangeValue> {
  /** of the server, without which nothing is asked */
  capability: keyof lsp.ServerCapabilities;
  method: string;
  /** how long the text has to be quiet, in milliseconds */
  pause: number;
  marks(answer: Answer, plugin: LSPPlugin): Range<Mark>[];
}

/** Layer is a layer's marks in an editor's state, and what keeps them up to date. */
export interface Layer<Mark extends RangeValue> {
  field: StateField<RangeSet<Mark>>;
  renewed: (update: ViewUpdate) => boolean;
  asking: Extension;
}

/** again has every layer ask again: what the server says has changed, and the text has not. */
export const again = StateEffect.define<null>();

/** most is how long a stretch is at most that is asked about, in letters: with all of a long text folded, all of it is on the screen. */
const most = 40_000;

/** stretch is what is on the screen, to its last whole line. */
function stretch({ viewport: { from, to }, state: { doc } }: EditorView): { from: number; to: number } {
  return { from, to: to - from > most ? doc.lineAt(from + most).to : to };
}

/** Renewal are the marks of a stretch, in place of those that are there. */
interface Renewal<Mark extends RangeValue> {
  filterFrom: number;
  filterTo: number;
  add: Range<Mark>[];
}

/** layer makes a layer of a question. */
export function layer<Answer, Mark extends RangeValue>(question: Question<Answer, Mark>): Layer<Mark> {
  const renew = StateEffect.define<Renewal<Mark>>();
  const field = StateField.define<RangeSet<Mark>>({
    create: () => RangeSet.empty,
    update(before, transaction) {
      let all = before.map(transaction.changes);
      for (const effect of transaction.effects) if (effect.is(renew)) all = all.update({ ...effect.value, filter: () => false, sort: true });
      return all;
    },
  });
  const asking = ViewPlugin.fromClass(class {
    timer = 0;
    /** asked is what is being asked. */
    asked: object | undefined;

    constructor(readonly view: EditorView) {
      this.later(0);
    }

    update({ docChanged, viewportChanged, transactions }: ViewUpdate): void {
      if (transactions.some((t) => t.effects.some((e) => e.is(again)))) this.later(0);
      // An answer about the text as it was is of no use, and the findings in the new one would wait for it.
      if (docChanged && this.asked) LSPPlugin.get(this.view)?.client.cancelRequest(this.asked);
      if (docChanged || viewportChanged) this.later(question.pause);
    }

    later(pause: number): void {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.ask(), pause);
    }

    async ask(): Promise<void> {
      const { view } = this, plugin = LSPPlugin.get(view);
      if (!plugin) return;
      await plugin.client.initializing;
      if (!plugin.client.serverCapabilities?.[question.capability]) return;
      if (this.asked) plugin.client.cancelRequest(this.asked); // nobody waits for it any more
      plugin.client.sync();
      const { doc } = view.state, { from: filterFrom, to: filterTo } = stretch(view);
      const range = { start: plugin.toPosition(filterFrom), end: plugin.toPosition(filterTo) };
      const asked = (this.asked = { textDocument: { uri: plugin.uri }, range });
      const answer = await plugin.client.request<object, Answer | null>(question.method, asked).catch(() => null);
      if (this.asked !== asked) return;
      this.asked = undefined;
      if (answer && view.state.doc === doc) view.dispatch({ effects: renew.of({ filterFrom, filterTo, add: question.marks(answer, plugin) }) });
    }

    destroy(): void {
      clearTimeout(this.timer);
    }
  });
  const renewed = ({ transactions }: ViewUpdate) => transactions.some((t) => t.effects.some((e) => e.is(renew)));
  return { field, renewed, asking };
}
