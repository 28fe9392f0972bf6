// A layer over the text: what the server says of it, asked again when the text has
// been quiet for a moment, and moved along with edits until then. Of a long text a layer
// is asked about what is on the screen: what stands elsewhere stays, until that is seen.
import { RangeSet, StateEffect, StateField, type Extension, type Range, type RangeValue } from "@codemirror/state";
import { LSPPlugin } from "@codemirror/lsp-client";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { pause } from "./dom";

/** Question is what a layer asks the server, and what it makes of the answer. */
export interface Question<Answer, Mark extends RangeValue> {
  /** of the server, without which nothing is asked */
  capability: keyof lsp.ServerCapabilities;
  method: string;
  /** how long the text has to be quiet, in milliseconds */
  pause: number;
  /** whether it is about what is on the screen, and asked anew when that is something else */
  seen: boolean;
  marks(answer: Answer, plugin: LSPPlugin): Iterable<Range<Mark>>;
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

/** Renewal makes the marks that are there from now on of those before. */
type Renewal<Mark extends RangeValue> = (before: RangeSet<Mark>) => RangeSet<Mark>;

/** stretchOf renews the marks of a stretch. */
const stretchOf = <Mark extends RangeValue>(from: number, to: number, add: Range<Mark>[]): Renewal<Mark> =>
  (before) => before.update({ filterFrom: from, filterTo: to, filter: () => false, add, sort: true });

/** slice is how many marks of a whole text are made at once. */
const slice = 2000;

/** wholeOf renews all marks, which are made for as long as they are wanted. */
async function wholeOf<Mark extends RangeValue>(marks: Iterable<Range<Mark>>, wanted: () => boolean): Promise<Renewal<Mark>> {
  const some: Range<Mark>[] = [];
  let all = RangeSet.of<Mark>([]);
  for (const mark of marks) {
    if (some.push(mark) < slice) continue;
    all = all.update({ add: some.splice(0), sort: true });
    await pause();
    if (!wanted()) break;
  }
  all = all.update({ add: some, sort: true });
  return () => all;
}

/** layer makes a layer of a question. */
export function layer<Answer, Mark extends RangeValue>(question: Question<Answer, Mark>): Layer<Mark> {
  const renew = StateEffect.define<Renewal<Mark>>();
  const field = StateField.define<RangeSet<Mark>>({
    create: () => RangeSet.empty,
    update(before, transaction) {
      let all = before.map(transaction.changes);
      for (const effect of transaction.effects) if (effect.is(renew)) all = effect.value(all);
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
      if (docChanged || (question.seen && viewportChanged)) this.later(question.pause);
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
      plugin.client.sync();
      const { doc } = view.state, { from, to } = question.seen ? stretch(view) : { from: 0, to: doc.length };
      const range = question.seen ? { start: plugin.toPosition(from), end: plugin.toPosition(to) } : undefined;
      const asked = (this.asked = { textDocument: { uri: plugin.uri }, range });
      const answer = await plugin.client.request<object, Answer | null>(question.method, asked).catch(() => null);
      const still = () => this.asked === asked && view.state.doc === doc;
      if (answer && still()) {
        const marks = question.marks(answer, plugin);
        const renewal = question.seen ? stretchOf(from, to, [...marks]) : await wholeOf(marks, still);
        if (still()) view.dispatch({ effects: renew.of(renewal) });
      }
      if (this.asked === asked) this.asked = undefined;
    }

    destroy(): void {
      clearTimeout(this.timer);
    }
  });
  const renewed = ({ transactions }: ViewUpdate) => transactions.some((t) => t.effects.some((e) => e.is(renew)));
  return { field, renewed, asking };
}
