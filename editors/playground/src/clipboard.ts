// Long texts on their way through the clipboard. One that is pasted is made into lines
// a slice at a time: what it is pasted over goes at once, and what is typed before it
// is there stays, behind it.
import { isolateHistory } from "@codemirror/commands";
import { Transaction } from "@codemirror/state";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import { linesOf, slice, wordsNow } from "./text";

/** last is when all is there that was pasted, into whichever editor. */
let last: Promise<void> = Promise.resolve();

class Clipboard {
  /** done is when all is there that was pasted into this one. */
  #done: Promise<void> = Promise.resolve();
  /** at is where something is being pasted. */
  #at = 0;

  constructor(readonly view: EditorView) {}

  update({ changes }: ViewUpdate): void {
    this.#at = changes.mapPos(this.#at, -1);
  }

  /** copy takes what is chosen, if that is long; so does cut, after which it goes. */
  copy(event: ClipboardEvent): boolean {
    const { doc, selection: { main: { from, to }, ranges } } = this.view.state;
    if (!event.clipboardData || ranges.length > 1 || to - from < slice) return false;
    event.clipboardData.setData("text/plain", to - from === doc.length ? wordsNow(doc) : doc.sliceString(from, to));
    return true;
  }

  cut(event: ClipboardEvent): boolean {
    const { view } = this, { doc, readOnly, selection: { main: { from, to } } } = view.state;
    if (readOnly || !this.copy(event)) return false;
    setTimeout(() => {
      if (view.state.doc === doc) view.dispatch({ changes: { from, to }, userEvent: "delete.cut", scrollIntoView: true }); // or something was typed over it
    });
    return true;
  }

  paste(event: ClipboardEvent): boolean {
    const words = event.clipboardData?.getData("text/plain") ?? "";
    const { readOnly, selection } = this.view.state;
    if (readOnly || words.length < slice || selection.ranges.length > 1) return false;
    const done = (this.#done = this.#done.then(() => this.#put(words)));
    last = last.then(() => done);
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

/** clipboard has long texts taken so. */
export const clipboard = ViewPlugin.fromClass(Clipboard, {
  eventHandlers: {
    copy(event) {
      return this.copy(event);
    },
    cut(event) {
      return this.cut(event);
    },
    paste(event) {
      return this.paste(event);
    },
  },
});

/** pasted is when what is being pasted is there, and what is pasted meanwhile. */
export async function pasted(): Promise<void> {
  for (let seen; seen !== last; ) await (seen = last);
}
