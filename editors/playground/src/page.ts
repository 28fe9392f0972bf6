// The page: files at one side, what comes of the active one at the other.
import type { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { casesOf } from "./cases";
import { Chooser } from "./chooser";
import { pasted } from "./clipboard";
import { at, element, frame, say } from "./dom";
import { reveal, uriOf, type Editor } from "./editor";
import { ask, client } from "./evaluator";
import { first, gallery } from "./examples";
import { Files } from "./files";
import { onFindings } from "./findings";
import { incoming } from "./incoming";
import { keep } from "./keeping";
import { again } from "./layer";
import { onRun } from "./lenses";
import { naming } from "./naming";
import { Outline } from "./outline";
import type { Pane, Scene } from "./panes/pane";
import type { Place } from "./places";
import { problems } from "./panes/problems";
import { reply } from "./panes/reply";
import { run, wanted } from "./panes/run";
import { verdict } from "./panes/verdict";
import { effective, json, prompt } from "./panes/words";
import { sharing } from "./sharing";
import { most, type Choices, type File, type Moment, type State } from "./state";
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
  #state: Choices;
  #files = new Files(at("editor"), {
    changed: () => this.#later(), moved: (line) => this.#follow(line), outline: () => this.#outline.toggle(),
    run: (line) => this.#run(uriOf(this.#state.active), this.#caseAt(line)?.id),
  }, (name) => this.#found.delete(uriOf(name)));
  #found = new Map<string, lsp.Diagnostic[]>();
  #cases: Place[] = [];
  #timer = 0;
  #round = 0;
  #chosen = 0; // how often something was by what is shown
  /** fresh is the example that was opened last, as it was opened. */
  #fresh = first;
  #chooser = new Chooser((id) => {
    this.#state.case = id;
    this.#later();
  });
  #outline = new Outline((line, character) => reveal(this.#editor, line, character), () => this.#editor.view.focus());

  /** untouched tells whether the files are as they were opened. */
  untouched = (): boolean => false;

  #unkept = "";
  #keeping = 0;
  #counts = 0; // of problems, in the row of panes

  /** open puts a state on the screen. */
  static async open({ files, ...choices }: State): Promise<Page> {
    const page = new Page(choices);
    await page.#files.turn(async () => {
      await frame(); // of the page about them
      await page.#files.put(files);
      page.untouched = page.#files.moment();
      page.#show();
      performance.mark("usable");
    });
    return page;
  }

  private constructor(state: Choices) {
    this.#state = state;
    at("tools").append(
      tool("new", "New file", "+", () => naming("New file", "Create", "new.eval.yaml", (name) => void this.#files.turn(() => this.#add([{ name, text: "" }])))),
      tool("rename", "Rename file", "✎", () => this.#rename()),
      tool("close", "Close file", "×", () => void this.#close()),
      tool("outlined", "Outline", "☰", () => this.#outline.toggle(), { "aria-expanded": "false", "aria-controls": "outline" }),
    );
    at("actions").append(
      element("button", { type: "button", onclick: () => void gallery((files) => void this.#files.turn(() => this.#begin(files))) }, "Examples"),
      incoming((files) => void this.#files.turn(() => this.#add(files)), () => this.#later()),
      ...sharing(() => this.#moment(), () => at("version").textContent ?? ""),
    );
    at("about").append(...this.#chooser.nodes);
    onFindings((uri, all) => {
      this.#found.set(uri, all);
      if (uri === uriOf(this.#state.active)) this.#counted();
    });
    onRun((uri, about) => this.#run(uri, about));
    client.workspace.displayFile = async (uri) => this.#display(uri);
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
    const name = this.#files.names.find((n) => uriOf(n) === uri);
    if (name === undefined) return null;
    this.#state.active = name;
    this.#show();
    this.#editor.view.focus();
    return this.#editor.view;
  }

  /** moment is the state with the texts as they are. */
  async #moment(): Promise<Moment> {
    await this.#files.settled();
    const choices = structuredClone(this.#state), still = this.#files.moment(); // its grades are changed where they are
    return { state: { ...choices, files: await this.#files.now() }, still };
  }

  /** evaluator is the version of the one that answers. */
  set evaluator(version: string) {
    at("version").textContent = version;
  }

  /** keep keeps what is before somebody, and says once why it does not. */
  async #keep(): Promise<void> {
    const round = ++this.#keeping;
    const { state } = await this.#moment();
    if (round !== this.#keeping) return; // what is there by now is kept instead
    const why = (await keep(state).catch((fault: Error) => fault.message)) ?? "";
    if (why && why !== this.#unkept) say(`This is not kept in the browser: ${why}.`);
    this.#unkept = why;
  }

  get #editor(): Editor {
    return this.#files.editor(this.#state.active)!;
  }

  /** begin opens files in place of those that are open. */
  async #begin(files: File[]): Promise<void> {
    await this.#files.put(files);
    this.#alone(files);
    this.#fresh = files;
  }

  /** alone leaves files alone that were put beside others. */
  #alone(files: File[]): void {
    const names = files.map((f) => f.name);
    this.#files.closeBut(names);
    this.#state = { active: names[0], grades: {}, case: "", tab: this.#state.tab };
    this.#opened(names);
  }

  #opened(names: string[]): void {
    this.#state.active = names[0];
    this.#show();
    say(`${names.join(", ")} opened.`);
  }

  /** add opens files beside those that are open, in place of those of the same names; an example that nobody has touched, not meanwhile either, makes room. */
  async #add(files: File[]): Promise<void> {
    const names = files.map((f) => f.name), fresh = this.#files.are(this.#fresh);
    if (new Set([...(fresh ? [] : this.#files.names), ...names]).size > most) return say(`No more than ${most} files can be open.`);
    await this.#files.put(files);
    await pasted();
    if (!fresh || !this.#files.are(this.#fresh.filter(({ name }) => !names.includes(name)), names)) return this.#opened(names);
    this.#alone(files);
    this.#fresh = []; // these are somebody's own
  }

  /** rename gives the active file another name. */
  #rename(): void {
    const { active } = this.#state;
    naming("Rename file", "Rename", active, (name) => void this.#files.turn(() => {
      const { names } = this.#files;
      if (name === active || !names.includes(active)) return;
      if (names.includes(name)) return say(`There is a file ${name} already.`);
      this.#files.rename(active, name);
      if (this.#state.active === active) this.#state.active = name;
      this.#show();
      say(`${active} is now ${name}.`);
    }));
  }

  /** close closes the active file. */
  #close(): Promise<void> {
    const { active } = this.#state;
    return this.#files.turn(() => {
      const rest = this.#files.names.filter((name) => name !== active);
      if (!rest.length) return say("The last file stays open; open another, or an example, in its place.");
      this.#files.closeBut(rest);
      if (this.#state.active === active) this.#state.active = rest[0];
      this.#show();
      say(`${active} closed.`);
    });
  }

  #show(): void {
    const { active, tab } = this.#state;
    tabs(at("files"), "Files", this.#files.names.map((name) => ({ id: name, label: name })), active, "editor", (name) => {
      this.#state.active = name;
      this.#show();
    });
    this.#files.show(active);
    this.#row(tab);
    this.#later();
    const { view } = this.#editor;
    setTimeout(() => view.dispatch({ effects: again.of(null) })); // what is said of it may rest on the file that was shown before
  }

  /** follow shows the case that somebody goes to in the text. */
  #follow(line: number): void {
    const here = this.#caseAt(line);
    if (!here || here.id === this.#state.case) return;
    this.#state.case = here.id;
    this.#later();
  }

  /** caseAt is the case that a line is in, if it is below the first. */
  #caseAt(line: number): Place | undefined {
    return this.#cases.findLast((c) => c.line <= line);
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
    await this.#files.settled();
    if (round !== this.#round) return;
    const chosen = this.#chosen;
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
    if (chosen !== this.#chosen) return this.#refresh(); // what was chosen meanwhile may not be in it
    if (shown.length === 1 && shown[0] === at("pane").firstChild) return; // it keeps itself up to date, and the focus
    at("pane").replaceChildren(...shown);
  }

  async #scene(uri: string): Promise<Scene> {
    const editor = this.#editor;
    const cases = await casesOf(uri);
    const head = cases.find((c) => c.id === this.#state.case) ?? cases[0];
    const shown = head && (await ask("suite", { document: uri, case: head.id }));
    return {
      state: this.#state, uri, cases, findings: () => this.#found.get(uri) ?? [],
      about: shown?.cases[0], measured: shown?.dialect === "adk", names: this.#files.names, files: async () => (await this.#moment()).state.files,
      judged: () => editor.view.dispatch({ effects: again.of(null) }),
      changed: () => {
        this.#chosen++;
        void this.#keep();
      },
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
