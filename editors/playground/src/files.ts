// The files that are open, in the order of their tabs, each with an editor.
import { isolateHistory } from "@codemirror/commands";
import type { EditorState, Text } from "@codemirror/state";
import { pasted } from "./clipboard";
import { frame, pause } from "./dom";
import { edit, type Editor, type Events } from "./editor";
import type { File } from "./state";
import { linesOf, wordsOf } from "./text";

/** Files are those that are open. */
export class Files {
  #all = new Map<string, Editor>();
  #bare: { host: HTMLElement; step: () => void }[] = []; // how editors are yet to be furnished
  #last: Promise<unknown> = Promise.resolve();

  /** gone is called with the name of each file that is closed or renamed. */
  constructor(readonly parent: HTMLElement, readonly events: Events, readonly gone: (name: string) => void) {}

  get names(): string[] {
    return [...this.#all.keys()];
  }

  editor(name: string): Editor | undefined {
    return this.#all.get(name);
  }

  /** turn does something when what was to be done before is, and what is being pasted is there: a long text takes its time to be put in. */
  turn(work: () => Promise<void> | void): Promise<void> {
    const done = this.#last.then(pasted).then(work).finally(() => this.#furnish());
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** furnish furnishes editors when their texts are seen: all at once would hold the page up. */
  async #furnish(): Promise<void> {
    for (let next = this.#bare.shift(); next; next = this.#bare.shift()) {
      await (next.host.hidden ? pause() : frame());
      next.step();
    }
  }

  /** free returns a name that no open file has: this one, or one with a number. */
  free(name: string): string {
    const [, stem, rest] = /^((?:.*\/)?\.?[^./]*)(.*)$/s.exec(name)!;
    for (let n = 2, free = name; ; n++) {
      if (!this.#all.has(free)) return free;
      free = `${stem}-${n}${rest}`.slice(-120);
    }
  }

  /** put opens files, hidden, and returns the earlier texts of those that were open under the same names. */
  async put(files: File[]): Promise<Map<string, Text>> {
    const all: [string, Text][] = [], replaced = new Map<string, Text>();
    for (const { name, text } of files) all.push([name, await linesOf(text)]);
    for (const [name, lines] of all) {
      const editor = this.#all.get(name) ?? this.#make(name, lines), { doc } = editor.view.state;
      if (!doc.eq(lines)) {
        this.replace(name, lines);
        replaced.set(name, doc);
      }
      this.#all.delete(name); // it goes to the end
      this.#add(editor);
      await pause();
    }
    return replaced;
  }

  /** replace gives a file another text, as an edit that can be undone. */
  replace(name: string, insert: Text): void {
    const view = this.#all.get(name)?.view;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, annotations: isolateHistory.of("full") });
  }

  /** prepare makes hidden editors for swap; those of which there is an earlier state have its undo history. */
  async prepare(files: File[], before: EditorState[] = []): Promise<Editor[]> {
    const editors: Editor[] = [];
    for (const [i, { name, text }] of files.entries()) {
      editors.push(this.#make(name, await linesOf(text), before[i]));
      await pause();
    }
    return editors;
  }

  /** swap opens prepared editors in place of all that are open, and returns the last states of those. */
  swap(editors: Editor[]): EditorState[] {
    const before = [...this.#all.values()].map(({ view }) => view.state);
    this.closeBut([]);
    for (const editor of editors) this.#add(editor);
    return before;
  }

  /** rename gives a file another name, where it stands. */
  rename(name: string, to: string): void {
    const { state } = this.#all.get(name)!.view, at = this.names.indexOf(name);
    this.#remove(name);
    this.#insert(at, this.#make(to, state.doc, state));
  }

  /** close closes a file, and returns what opens it again where it was, with its undo history; that returns its name. */
  close(name: string): () => string {
    const { state } = this.#all.get(name)!.view, at = this.names.indexOf(name);
    this.#remove(name);
    return () => {
      const free = this.free(name);
      this.#insert(at, this.#make(free, state.doc, state));
      return free;
    };
  }

  /** closeBut closes all files but some. */
  closeBut(names: string[]): void {
    for (const name of this.names) if (!names.includes(name)) this.#remove(name);
  }

  /** show has one be seen, and none of the others. */
  show(name: string): void {
    for (const [n, { host }] of this.#all) host.hidden = n !== name;
  }

  /** are reports whether these are all but some, as they are. */
  are(files: File[], but: string[] = []): boolean {
    const rest = [...this.#all].filter(([name]) => !but.includes(name));
    return files.length === rest.length && rest.every(([name, { view: { state: { doc } } }], i) =>
      files[i].name === name && files[i].text.length === doc.length && files[i].text === doc.toString());
  }

  /** settled is when what is being opened or pasted is there. */
  settled(): Promise<void> {
    return this.turn(() => undefined);
  }

  /** moment tells later whether all still are as they are now: what is asked about them meanwhile is answered of what they are then. */
  moment(): () => boolean {
    const docs = [...this.#all].map(([name, { view }]) => ({ name, doc: view.state.doc }));
    return () => docs.length === this.#all.size && docs.every(({ name, doc }) => this.#all.get(name)?.view.state.doc === doc);
  }

  /** now are all with their texts as they are, whatever is typed until all is joined. */
  async now(): Promise<File[]> {
    const all = [...this.#all].map(([name, { view }]) => ({ name, lines: view.state.doc })), files: File[] = [];
    for (const { name, lines } of all) files.push({ name, text: await wordsOf(lines) });
    return files;
  }

  #make(name: string, lines: Text, before?: EditorState): Editor {
    const made = edit(this.parent, name, lines, this.events, before);
    made.host.hidden = true;
    return made;
  }

  /** add opens an editor as the last one; furnishing starts only now, when the evaluator knows no other file of that name. */
  #add(editor: Editor): void {
    const { name, host, furnishing } = editor;
    this.#all.set(name, editor);
    this.#bare.push(...furnishing.splice(0).map((step) => ({ host, step })));
  }

  #insert(at: number, editor: Editor): void {
    const after = [...this.#all].slice(at);
    this.#add(editor);
    for (const [name, other] of after) {
      this.#all.delete(name);
      this.#all.set(name, other);
    }
  }

  #remove(name: string): void {
    const { view, host } = this.#all.get(name)!;
    view.destroy();
    host.remove();
    this.#all.delete(name);
    this.gone(name);
  }
}
