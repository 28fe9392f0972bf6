// The open files in the order of their tabs, each with an editor.
import { isolateHistory } from "@codemirror/commands";
import type { EditorState, Text } from "@codemirror/state";
import { pasteSettled } from "./clipboard";
import { nextFrame, pause } from "./dom";
import { createEditor, type Editor, type Events } from "./editor";
import type { File } from "./state";
import { splitLines, joinLines } from "./text";

/** Files are the open files. */
export class Files {
  #editors = new Map<string, Editor>();
  #setupQueue: { host: HTMLElement; step: () => void }[] = []; // setup steps that have not run yet
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** onRemoved gets the name of each file that is closed or renamed. */
  constructor(readonly parent: HTMLElement, readonly events: Events, readonly onRemoved: (name: string) => void) {}

  get names(): string[] {
    return [...this.#editors.keys()];
  }

  editor(name: string): Editor | undefined {
    return this.#editors.get(name);
  }

  /** inTurn runs a task after earlier tasks and pastes. */
  inTurn(task: () => Promise<void> | void): Promise<void> {
    const finished = this.#lastTurn.then(pasteSettled).then(task).finally(() => this.#runSetup());
    this.#lastTurn = finished.catch(() => undefined);
    return finished;
  }

  /** runSetup runs the setup steps of editors one by one, so that the page stays responsive. */
  async #runSetup(): Promise<void> {
    for (let next = this.#setupQueue.shift(); next; next = this.#setupQueue.shift()) {
      await (next.host.hidden ? pause() : nextFrame());
      next.step();
    }
  }

  /** unusedName returns the name, with a number if an open file has it. */
  unusedName(name: string): string {
    const [, stem, rest] = /^((?:.*\/)?\.?[^./]*)(.*)$/s.exec(name)!;
    for (let n = 2, unusedName = name; ; n++) {
      if (!this.#editors.has(unusedName)) return unusedName;
      unusedName = `${stem}-${n}${rest}`.slice(-120);
    }
  }

  /** openFiles opens files, hidden. It returns the earlier texts of files that it replaced. */
  async openFiles(files: File[]): Promise<Map<string, Text>> {
    const all: [string, Text, boolean?][] = [], replaced = new Map<string, Text>();
    for (const { name, text, crlf } of files) all.push([name, await splitLines(text), crlf]);
    for (const [name, lines, crlf] of all) {
      const editor = this.#editors.get(name) ?? this.#createEditor(name, lines), { doc } = editor.view.state;
      editor.crlf = crlf;
      if (!doc.eq(lines)) {
        this.replace(name, lines);
        replaced.set(name, doc);
      }
      this.#editors.delete(name); // it becomes the last tab
      this.#add(editor);
      await pause();
    }
    return replaced;
  }

  /** replace replaces the text of a file as one undoable edit. */
  replace(name: string, insert: Text): void {
    const view = this.#editors.get(name)?.view;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, annotations: isolateHistory.of("full") });
  }

  /** createEditors creates hidden editors for swapEditors, with the undo history of earlier states. */
  async createEditors(files: File[], before: EditorState[] = []): Promise<Editor[]> {
    const editors: Editor[] = [];
    for (const [i, { name, text, crlf }] of files.entries()) {
      editors.push(this.#createEditor(name, await splitLines(text), { state: before[i], crlf }));
      await pause();
    }
    return editors;
  }

  /** swapEditors replaces all open editors and returns their last states. */
  swapEditors(editors: Editor[]): EditorState[] {
    const before = [...this.#editors.values()].map(({ view }) => view.state);
    this.closeExcept([]);
    for (const editor of editors) this.#add(editor);
    return before;
  }

  /** rename renames a file in place. */
  rename(name: string, to: string): void {
    const { view: { state }, crlf } = this.#editors.get(name)!, at = this.names.indexOf(name);
    this.#remove(name);
    this.#insert(at, this.#createEditor(to, state.doc, { state, crlf }));
  }

  /** close closes a file. The result opens it again in its place, with its undo history, and returns its name. */
  close(name: string): () => string {
    const { view: { state }, crlf } = this.#editors.get(name)!, at = this.names.indexOf(name);
    this.#remove(name);
    return () => {
      const unusedName = this.unusedName(name);
      this.#insert(at, this.#createEditor(unusedName, state.doc, { state, crlf }));
      return unusedName;
    };
  }

  /** closeExcept closes all files but some. */
  closeExcept(names: string[]): void {
    for (const name of this.names) if (!names.includes(name)) this.#remove(name);
  }

  /** show shows one editor and hides the others. */
  show(name: string): void {
    for (const [n, { host }] of this.#editors) host.hidden = n !== name;
  }

  /** haveTexts reports whether the open files, except some, have exactly these texts. */
  haveTexts(files: File[], except: string[] = []): boolean {
    const rest = [...this.#editors].filter(([name]) => !except.includes(name));
    return files.length === rest.length && rest.every(([name, { view: { state: { doc } } }], i) =>
      files[i].name === name && files[i].text.length === doc.length && files[i].text === doc.toString());
  }

  /** settled resolves when no file is being opened and no paste is in progress. */
  settled(): Promise<void> {
    return this.inTurn(() => undefined);
  }

  /** snapshot returns a function that reports whether all files are unchanged since the call. */
  snapshot(): () => boolean {
    const docs = [...this.#editors].map(([name, { view }]) => ({ name, doc: view.state.doc }));
    return () => docs.length === this.#editors.size && docs.every(({ name, doc }) => this.#editors.get(name)?.view.state.doc === doc);
  }

  /** readAll returns all files with their texts at the time of the call. */
  async readAll(): Promise<File[]> {
    const all = [...this.#editors].map(([name, { view, crlf }]) => ({ name, lines: view.state.doc, crlf })), files: File[] = [];
    for (const { name, lines, crlf } of all) files.push({ name, text: await joinLines(lines), ...(crlf && { crlf }) });
    return files;
  }

  #createEditor(name: string, lines: Text, { state, crlf }: { state?: EditorState; crlf?: boolean } = {}): Editor {
    const created = Object.assign(createEditor(this.parent, name, lines, this.events, state), { crlf });
    created.host.hidden = true;
    return created;
  }

  /** add appends an editor. Its setup starts only now, because the evaluator must not know two files of one name. */
  #add(editor: Editor): void {
    const { name, host, setupSteps } = editor;
    this.#editors.set(name, editor);
    this.#setupQueue.push(...setupSteps.splice(0).map((step) => ({ host, step })));
  }

  #insert(at: number, editor: Editor): void {
    const after = [...this.#editors].slice(at);
    this.#add(editor);
    for (const [name, other] of after) {
      this.#editors.delete(name);
      this.#editors.set(name, other);
    }
  }

  #remove(name: string): void {
    const { view, host } = this.#editors.get(name)!;
    view.destroy();
    host.remove();
    this.#editors.delete(name);
    this.onRemoved(name);
  }
}
