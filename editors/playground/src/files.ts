// The files that are open, in the order of their tabs, each with an editor.
import type { Text } from "@codemirror/state";
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

  /** gone is told of each file that is closed, or replaced. */
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

  /** put opens files, unseen, in place of those of the same names; one that is as it was keeps its editor. */
  async put(files: File[]): Promise<void> {
    const all: [string, Text][] = [];
    for (const { name, text } of files) all.push([name, await linesOf(text)]);
    for (const [name, lines] of all) {
      const before = this.#all.get(name), editor = before?.view.state.doc.eq(lines) ? before : this.#make(name, lines, before);
      this.#all.delete(name); // it goes to the end
      this.#all.set(name, editor);
      await pause();
    }
  }

  /** rename gives a file another name, where it stands. */
  rename(name: string, to: string): void {
    this.#all = new Map([...this.#all].map(([n, e]) => (n === name ? [to, this.#make(to, e.view.state.doc, e)] : [n, e])));
  }

  /** close closes all files but some. */
  closeBut(names: string[]): void {
    for (const [name, editor] of this.#all) if (!names.includes(name)) this.#remove(editor);
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

  #make(name: string, lines: Text, before: Editor | undefined): Editor {
    if (before) this.#remove(before);
    const made = edit(this.parent, name, lines, this.events);
    made.host.hidden = before?.host.hidden ?? true;
    this.#bare.push(...made.furnishing.map((step) => ({ host: made.host, step })));
    return made;
  }

  #remove({ name, view, host }: Editor): void {
    view.destroy();
    host.remove();
    this.#all.delete(name);
    this.gone(name);
  }
}
