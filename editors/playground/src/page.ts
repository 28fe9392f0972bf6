// The page: files at one side, what comes of the active one at the other.
import type { EditorView } from "@codemirror/view";
import type { CaseHead } from "@rubric-ls/wasm";
import type * as lsp from "vscode-languageserver-protocol";
import { Chooser } from "./chooser";
import { at, element, pause, say } from "./dom";
import { edit, reveal, uriOf, type Editor } from "./editor";
import { ask, client } from "./evaluator";
import { first, gallery } from "./examples";
import { onFindings } from "./findings";
import { incoming } from "./incoming";
import { again } from "./layer";
import { onRun } from "./lenses";
import { naming } from "./naming";
import { Outline } from "./outline";
import type { Pane, Scene } from "./panes/pane";
import { problems } from "./panes/problems";
import { reply } from "./panes/reply";
import { run, wanted } from "./panes/run";
import { verdict } from "./panes/verdict";
import { effective, json, prompt } from "./panes/words";
import { sharing } from "./sharing";
import { most, type File, type State } from "./state";
import { keep } from "./store";
import { tabs } from "./tabs";

const panes: Record<string, { label: string; show: Pane }> = {
  verdict: { label: "Verdict", show: verdict },
  run: { label: "Run", show: run },
  problems: { label: "Problems", show: problems },
  prompt: { label: "Judge prompt", show: prompt },
  rubric: { label: "Effective rubric", show: effective },
  reply: { label: "Reply", show: reply },
  json: { label: "JSON", show: json },
};

/** quiet is how long the text has to be so, in milliseconds, before what depends on it is shown anew. */
const quiet = 120;

/** tool is a button with a sign, whose name is for those who do not see the sign, and those who wonder. */
const tool = (id: string, name: string, sign: string, act: () => void, more: Record<string, string> = {}): HTMLElement =>
  element("button", { type: "button", id, class: "tool", "aria-label": name, title: name, onclick: act, ...more }, sign);

/** Page is the state on the screen. */
export class Page {
  #state: State;
  #editors = new Map<string, Editor>();
  #found = new Map<string, lsp.Diagnostic[]>();
  #cases: CaseHead[] = [];
  #timer = 0;
  #round = 0;
  /** fresh is the example that was opened last, as it was opened. */
  #fresh = first;
  #chooser = new Chooser((id) => {
    this.#state.case = id;
    this.#later();
  });
  #outline = new Outline((line, character) => reveal(this.#editor, line, character), () => this.#editor.view.focus());

  #unkept = "";
  #counts = 0; // of problems, in the row of panes

  constructor(state: State) {
    this.#state = state;
    at("tools").append(
      tool("new", "New file", "+", () => naming("New file", "Create", "new.eval.yaml", (name) => this.#add([{ name, text: "" }]))),
      tool("rename", "Rename file", "✎", () => this.#rename()),
      tool("close", "Close file", "×", () => this.#close()),
      tool("outlined", "Outline", "☰", () => this.#outline.toggle(), { "aria-expanded": "false", "aria-controls": "outline" }),
    );
    at("actions").append(
      element("button", { type: "button", onclick: () => void gallery((files) => this.#begin(files)) }, "Examples"),
      incoming((files) => this.#add(files), () => this.#later()),
      ...sharing(() => this.#now(), () => at("version").textContent ?? ""),
    );
    at("about").append(...this.#chooser.nodes);
    onFindings((uri, all) => {
      this.#found.set(uri, all);
      if (uri === uriOf(this.#state.active)) this.#counted();
    });
    onRun((uri, about) => this.#run(uri, about));
    client.workspace.displayFile = async (uri) => this.#display(uri);
    this.#open();
  }

  /** run shows the pane that runs cases, and has it run one of the file's, or all. */
  #run(uri: string, about: string | undefined): void {
    if (uri !== uriOf(this.#state.active)) return;
    if (about !== undefined) this.#state.case = about;
    this.#state.tab = "run";
    wanted(about);
    this.#row("run");
    void this.#refresh();
  }

  /** display shows the file that a place is in; nothing if it is not open. */
  #display(uri: string): EditorView | null {
    const name = this.#state.files.find((f) => uriOf(f.name) === uri)?.name;
    if (name === undefined) return null;
    this.#state.active = name;
    this.#show();
    this.#editor.view.focus();
    return this.#editor.view;
  }

  /** now is the state with the texts as they are. */
  #now(): State {
    const files = this.#state.files.map(({ name, text }) => ({ name, text: this.#editors.get(name)?.text() ?? text }));
    return { ...this.#state, files };
  }

  /** evaluator is the version of the one that answers. */
  set evaluator(version: string) {
    at("version").textContent = version;
  }

  /** keep keeps what is before somebody, and says once why it does not. */
  async #keep(): Promise<void> {
    const state = this.#now();
    await pause();
    const why = (await keep(state)) ?? "";
    if (why && why !== this.#unkept) say(`This is not kept in the browser: ${why}.`);
    this.#unkept = why;
  }

  get #editor(): Editor {
    return this.#editors.get(this.#state.active)!;
  }

  #begin(files: File[]): void {
    this.#state = { files, active: files[0].name, grades: {}, case: "", tab: this.#state.tab };
    this.#open();
    this.#fresh = files;
    say(`${files.map((f) => f.name).join(", ")} opened.`);
  }

  /** add opens files beside those that are open, in place of those of the same name; an example that nobody has touched makes room. */
  #add(files: File[]): void {
    const { files: before, grades } = this.#now();
    if (before.length === this.#fresh.length && this.#fresh.every(({ name, text }, i) => before[i].name === name && before[i].text === text)) {
      this.#begin(files);
      this.#fresh = []; // these are somebody's own
      return;
    }
    const names = new Set(files.map((f) => f.name));
    const all = [...before.filter((f) => !names.has(f.name)), ...files];
    if (all.length > most) return say(`No more than ${most} files can be open.`);
    this.#state = { ...this.#state, files: all, active: files[0].name, grades };
    this.#open();
    say(`${[...names].join(", ")} opened.`);
  }

  /** rename gives the active file another name. */
  #rename(): void {
    const { files, active } = this.#now();
    naming("Rename file", "Rename", active, (name) => {
      if (name === active) return;
      if (files.some((f) => f.name === name)) return say(`There is a file ${name} already.`);
      this.#state = { ...this.#state, files: files.map((f) => (f.name === active ? { ...f, name } : f)), active: name };
      this.#open();
      say(`${active} is now ${name}.`);
    });
  }

  #close(): void {
    const { files, active } = this.#now();
    const rest = files.filter((f) => f.name !== active);
    if (!rest.length) return say("The last file stays open; open another, or an example, in its place.");
    this.#state = { ...this.#state, files: rest, active: rest[0].name };
    this.#open();
    say(`${active} closed.`);
  }

  /** open opens the files of the state, in place of those before; one that is as it was keeps its editor. */
  #open(): void {
    const texts = new Map(this.#state.files.map(({ name, text }) => [name, text]));
    for (const [name, editor] of this.#editors) {
      if (texts.get(name) === editor.text()) continue;
      editor.view.destroy();
      editor.host.remove();
      this.#editors.delete(name);
      this.#found.delete(uriOf(name));
    }
    const events = {
      changed: () => this.#later(), moved: (line: number) => this.#follow(line), outline: () => this.#outline.toggle(),
      run: (line: number) => this.#run(uriOf(this.#state.active), this.#caseAt(line)?.id),
    };
    for (const [name, text] of texts) if (!this.#editors.has(name)) this.#editors.set(name, edit(at("editor"), name, text, events));
    this.#show();
  }

  #show(): void {
    const { files, active, tab } = this.#state;
    tabs(at("files"), "Files", files.map(({ name }) => ({ id: name, label: name })), active, "editor", (name) => {
      this.#state.active = name;
      this.#show();
    });
    for (const [name, editor] of this.#editors) editor.host.hidden = name !== active;
    this.#editor.view.dispatch({ effects: again.of(null) }); // what is said of it may rest on the file that was shown before
    this.#row(tab);
    this.#later();
  }

  /** follow shows the case that somebody goes to in the text. */
  #follow(line: number): void {
    const here = this.#caseAt(line);
    if (!here || here.id === this.#state.case) return;
    this.#state.case = here.id;
    this.#later();
  }

  /** caseAt is the case that a line is in, if it is below the first. */
  #caseAt(line: number): CaseHead | undefined {
    return this.#cases.findLast((c) => c.range.start.line <= line);
  }

  #row(tab: string): void {
    const count = (this.#counts = this.#problems);
    const labels = Object.entries(panes).map(([id, { label }]) => ({ id, label: id === "problems" && count ? `${label} (${count})` : label }));
    tabs(at("tabs"), "Results", labels, panes[tab] ? tab : "verdict", "pane", (chosen) => {
      this.#state.tab = chosen;
      this.#row(chosen);
      void this.#refresh();
    });
  }

  get #problems(): number {
    return this.#found.get(uriOf(this.#state.active))?.length ?? 0;
  }

  #counted(): void {
    const held = document.activeElement?.getAttribute("data-tab");
    if (this.#counts !== this.#problems) this.#row(this.#state.tab);
    if (held && panes[held]) document.querySelector<HTMLElement>(`[data-tab="${held}"]`)?.focus();
    if (this.#state.tab === "problems") this.#later();
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      void this.#keep();
      void this.#refresh();
    }, quiet);
  }

  /** refresh shows the chosen pane anew; of several that are asked for at once the last one counts. */
  async #refresh(): Promise<void> {
    const round = ++this.#round;
    let shown: Node[];
    try {
      void this.#outline.refresh(uriOf(this.#state.active));
      const scene = await this.#scene(uriOf(this.#state.active));
      if (round !== this.#round) return;
      this.#choose(scene);
      shown = await (panes[this.#state.tab] ?? panes.verdict).show(scene);
    } catch (fault) {
      shown = [element("p", { class: "faint" }, fault instanceof Error ? fault.message : String(fault))];
    }
    if (round !== this.#round) return;
    if (shown.length === 1 && shown[0] === at("pane").firstChild) return; // it keeps itself up to date, and the focus
    at("pane").replaceChildren(...shown);
  }

  async #scene(uri: string): Promise<Scene> {
    const editor = this.#editor;
    const cases = await ask("cases", { document: uri });
    const head = cases.find((c) => c.id === this.#state.case) ?? cases[0];
    const shown = head && (await ask("suite", { document: uri, case: head.id }));
    return {
      state: this.#state, uri, cases, findings: () => this.#found.get(uri) ?? [],
      about: shown?.cases[0], measured: shown?.dialect === "adk", files: () => this.#now().files,
      judged: () => editor.view.dispatch({ effects: again.of(null) }),
      changed: () => void this.#keep(),
      reveal: (line, character, where = uri) => {
        if (where === uri || this.#display(where)) reveal(this.#editor, line, character);
      },
    };
  }

  /** choose lets somebody choose the case that is shown, where there are several. */
  #choose({ cases, about }: Scene): void {
    this.#cases = cases;
    void this.#chooser.show(cases.map((c) => c.id), about?.id ?? "");
    if (at("about").hidden !== cases.length < 2) at("about").hidden = cases.length < 2;
  }
}
