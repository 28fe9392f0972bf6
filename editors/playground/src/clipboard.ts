// Copies and pastes long texts. A paste splits the text into lines in slices, so that the page stays responsive. The
// replaced selection disappears at once, and text typed meanwhile ends up behind the pasted text.
import { isolateHistory } from "@codemirror/commands";
import { Transaction } from "@codemirror/state";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import { splitLines, sliceLength, joinLinesNow } from "./text";

/** lastPaste resolves when all pastes of all editors are complete. */
let lastPaste: Promise<void> = Promise.resolve();

class Clipboard {
  /** #pasting resolves when all pastes of this editor are complete. */
  #pasting: Promise<void> = Promise.resolve();
  /** #position is where the text is inserted. */
  #position = 0;

  constructor(readonly view: EditorView) {}

  update({ changes }: ViewUpdate): void {
    this.#position = changes.mapPos(this.#position, -1);
  }

  /** copy copies the selection if it is long. cut also deletes it. */
  copy(event: ClipboardEvent): boolean {
    const { doc, selection: { main: { from, to }, ranges } } = this.view.state;
    if (!event.clipboardData || ranges.length > 1 || to - from < sliceLength) return false;
    event.clipboardData.setData("text/plain", to - from === doc.length ? joinLinesNow(doc) : doc.sliceString(from, to));
    return true;
  }

  cut(event: ClipboardEvent): boolean {
    const { view } = this, { doc, readOnly, selection: { main: { from, to } } } = view.state;
    if (readOnly || !this.copy(event)) return false;
    setTimeout(() => {
      if (view.state.doc === doc) view.dispatch({ changes: { from, to }, userEvent: "delete.cut", scrollIntoView: true }); // unless the text has changed
    });
    return true;
  }

  paste(event: ClipboardEvent): boolean {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { readOnly, selection } = this.view.state;
    if (readOnly || text.length < sliceLength || selection.ranges.length > 1) return false;
    const pasting = (this.#pasting = this.#pasting.then(() => this.#insert(text)));
    lastPaste = lastPaste.then(() => pasting);
    return true;
  }

  async #insert(text: string): Promise<void> {
    const { view } = this, { from, to, empty } = view.state.selection.main;
    const startTime = Transaction.time.of(Date.now());
    if (!empty) view.dispatch({ changes: { from, to }, annotations: [isolateHistory.of("before"), startTime] });
    this.#position = from;
    const insert = await splitLines(text);
    const changes = view.state.changes({ from: this.#position, insert });
    // The shared start time makes one undo step of the deletion and the insertion.
    view.dispatch({ changes, selection: view.state.selection.map(changes, 1), annotations: [isolateHistory.of(empty ? "full" : "after"), startTime], scrollIntoView: true });
  }
}

/** clipboard handles the clipboard events of an editor. */
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

/** pasteSettled resolves when no paste is in progress. */
export async function pasteSettled(): Promise<void> {
  for (let awaited; awaited !== lastPaste; ) await (awaited = lastPaste);
}
