// A long text that is pasted is made into lines a slice at a time. What it is pasted
// over goes at once; what is typed before it is there stays, behind it.
import { isolateHistory } from "@codemirror/commands";
import { Transaction } from "@codemirror/state";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import { linesOf, slice } from "./text";

class Pasting {
  /** done is when all is there that was pasted. */
  done: Promise<void> = Promise.resolve();
  /** at is where something is being pasted. */
  #at = 0;

  constructor(readonly view: EditorView) {}

  update({ changes }: ViewUpdate): void {
    this.#at = changes.mapPos(this.#at, -1);
  }

  /** take takes a long text, and reports whether it did. */
  take(words: string): boolean {
    const { readOnly, selection } = this.view.state;
    if (readOnly || words.length < slice || selection.ranges.length > 1) return false;
    this.done = this.done.then(() => this.#put(words));
    return true;
  }

  async #put(words: string): Promise<void> {
    const { view } = this, { from, to, empty } = view.state.selection.main;
    const began = Transaction.time.of(Date.now());
    if (!empty) view.dispatch({ changes: { from, to }, annotations: [isolateHistory.of("before"), began] });
    this.#at = from;
    const insert = await linesOf(words);
    const changes = view.state.changes({ from: this.#at, insert });
    // By the time at which it began it is taken back together with what it was pasted over.
    view.dispatch({ changes, selection: view.state.selection.map(changes, 1), annotations: [isolateHistory.of(empty ? "full" : "after"), began], scrollIntoView: true });
  }
}

/** pasting has long texts pasted so. */
export const pasting = ViewPlugin.fromClass(Pasting, {
  eventHandlers: {
    paste(event) {
      return this.take(event.clipboardData?.getData("text/plain") ?? "");
    },
  },
});

/** pasted is when what is being pasted into an editor is there. */
export const pasted = (view: EditorView): Promise<void> | undefined => view.plugin(pasting)?.done;
