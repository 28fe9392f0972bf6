// The page: files at one side, what comes of the active one at the other.
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { casesOf } from "./cases";
import { Chooser } from "./chooser";
import { pasted } from "./clipboard";
import { at, element, frame, say, type Action } from "./dom";
import { reveal, uriOf, type Editor } from "./editor";
import { ask, client } from "./evaluator";
import { first, gallery } from "./examples";
import { Files } from "./files";
import { onFindings } from "./findings";
import { incoming } from "./incoming";
import { claim, release, resume, save } from "./keeping";
import { again } from "./layer";
import { onRun } from "./lenses";
import type { Link } from "./link";
import { naming } from "./naming";
import { Outline } from "./outline";
import type { Pane, Scene } from "./panes/pane";
import type { Place } from "./places";
import { problems } from "./panes/problems";
import { reply } from "./panes/reply";
import { recentWork } from "./recent";
import { run, wanted } from "./panes/run";
import { verdict } from "./panes/verdict";
import { effective, json, prompt } from "./panes/words";
import { sharing } from "./sharing";
import { beginning, most, type Choices, type File, type Moment } from "./state";
import { tabs } from "./tabs";
import type { Resumed, Workspace } from "./workspaces";

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

/** Left is a workspace that was open before, with the states of its editors. */
type Left = Resumed & { editors: EditorState[] };

/** entry returns the id of the workspace that a history entry shows. A reload and a duplicated tab have it, a new address has not. */
export const entry = (): string | undefined => (history.state as { workspace?: string } | null)?.workspace;

/** Opened is a workspace to be shown, with the link that it comes from. */
export type Opened = Resumed & Partial<Left> & { link?: Link };

/** wordsOf returns what the status line says of a workspace that is shown now. */
export function wordsOf({ copy, link, state: { files } }: Opened): string {
  if (copy) return "This is a copy: the workspace is open in another tab.";
  return link ? "The link is open as a workspace of its own." : `${files.map(({ name }) => name).join(", ")} opened.`;
}

/** stamp records a workspace in the history entry, or in a new one. */
export function stamp(workspace: string, push = false): void {
  if (push) history.pushState({ workspace }, "", unlinked());
  else history.replaceState({ workspace }, "");
}

/** unlinked is the address without a link's part. */
const unlinked = (): string => (/^#\d+\./.test(location.hash) ? location.pathname + location.search : location.href);

/** Page is the state on the screen. */
export class Page {
  #id = "";
  #state!: Choices;
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

  #edited = false;
  #grades = ""; // as they were when the workspace was opened
  #left?: Left;
  #saving = 0;
  #counts = 0; // of problems, in the row of panes

  /** open puts a workspace on the screen. */
  static async open(workspace: Workspace): Promise<Page> {
    const page = new Page();
    await page.#files.turn(async () => {
      await frame(); // of the page about them
      page.#take(workspace, await page.#files.prepare(workspace.state.files));
      stamp(workspace.id);
      performance.mark("usable");
    });
    return page;
  }

  private constructor() {
    at("tools").append(
      tool("new", "New file", "+", () => naming("New file", "Create", this.#files.free("new.eval.yaml"), (name) => void this.#files.turn(() => this.#create(name)))),
      tool("rename", "Rename file", "✎", () => this.#rename()),
      tool("close", "Close file", "×", () => void this.#close()),
      tool("outlined", "Outline", "☰", () => this.#outline.toggle(), { "aria-expanded": "false", "aria-controls": "outline" }),
    );
    at("actions").append(
      element("button", { type: "button", onclick: () => void gallery((files) => void this.#example(files)) }, "Examples"),
      element("button", { type: "button", onclick: () => void recentWork(this.#id, (id) => void this.go(id).catch((fault: Error) => say(fault.message))).catch((fault: Error) => say(fault.message)) }, "Recent"),
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
    const still = this.#files.moment(), { state } = await this.#workspace();
    return { state, still };
  }

  /** workspace returns the workspace as it is when it is called. */
  async #workspace(): Promise<Workspace> {
    const id = this.#id, choices = structuredClone(this.#state); // its grades are changed where they are
    this.#edited ||= !this.untouched() || JSON.stringify(choices.grades) !== this.#grades;
    const edited = this.#edited;
    return { id, edited, state: { ...choices, files: await this.#files.now() } };
  }

  get id(): string {
    return this.#id;
  }

  /** left returns the workspace that was open before, if it has this id. */
  left(id: string | undefined): Left | undefined {
    return this.#left?.id === id ? this.#left : undefined;
  }

  /** undo returns to the workspace that was open before. */
  get undo(): Action | undefined {
    const left = this.#left;
    return left && { label: "Undo", act: () => this.go(left.id).then(() => this.#editor.view.focus()) };
  }

  /** evaluator is the version of the one that answers. */
  set evaluator(version: string) {
    at("version").textContent = version;
  }

  /** save stores the workspace as it is by now. */
  async save(): Promise<void> {
    const round = ++this.#saving;
    await this.#files.settled();
    const workspace = await this.#workspace();
    if (round === this.#saving) await this.#store(workspace); // otherwise a later version is stored
  }

  /** store stores a workspace, or returns why it does not. While that of the page cannot be stored, a line says why; once it is edited and stored, the address has no link. */
  async #store(workspace: Workspace): Promise<string | undefined> {
    const why = await save(workspace).catch((fault: Error) => fault.message);
    if (workspace.id !== this.#id) return why;
    const notice = why ? `Not saved in this browser: ${why}.` : "";
    if (at("unsaved").textContent !== notice) at("unsaved").textContent = notice;
    if (!why && workspace.edited && entry() === this.#id && location.href !== unlinked()) history.replaceState(history.state, "", unlinked());
    return why;
  }

  get #editor(): Editor {
    return this.#files.editor(this.#state.active)!;
  }

  /** take shows a workspace, by editors that are prepared, and returns the states of the editors before. */
  #take({ id, state: { files: _, ...choices }, edited }: Workspace, prepared: Editor[]): EditorState[] {
    const before = this.#files.swap(prepared);
    [this.#id, this.#state, this.#edited, this.#grades] = [id, choices, edited, JSON.stringify(choices.grades)];
    this.untouched = this.#files.moment();
    this.#show();
    return before;
  }

  /** enter shows a workspace in place of the one that is open. That is stored, and stays in memory until the next one is left. */
  enter(next: Opened, push = false): Promise<void> {
    return this.#files.turn(async () => {
      const prepared = await this.#files.prepare(next.state.files, next.editors);
      await pasted();
      this.#saving++; // what is stored below is later than any save under way
      const workspace = this.#workspace(), editors = this.#take(next, prepared);
      stamp(next.id, push);
      if (this.#left && this.#left.id !== next.id) void release(this.#left.id);
      this.#left = { ...(await workspace), copy: false, editors };
      const words = wordsOf(next);
      say(words, this.undo);
      const why = await this.#store(this.#left);
      if (why) say(`${words} What was open before is not saved: ${why}.`, this.undo);
    });
  }

  /** go shows another workspace: the one before, or a stored one. */
  async go(id: string): Promise<void> {
    const next = this.left(id) ?? (await resume(id));
    if (!next) return say("The workspace was deleted in another tab.");
    await this.enter(next, true);
  }

  /** example shows an example as a workspace of its own. */
  async #example(files: File[]): Promise<void> {
    const id = await claim().catch(() => "");
    await this.enter({ id, state: { ...beginning(files), tab: this.#state.tab }, edited: false, copy: false }, true);
    this.#fresh = files;
  }

  /** create opens an empty file. */
  async #create(name: string): Promise<void> {
    const free = this.#files.free(name);
    await this.#add([{ name: free, text: "" }], free === name ? "" : ` ${name} is open already; the new file is ${free}.`);
  }

  /** add opens files beside those that are open, and replaces the texts of those with the same names. An example that is not edited, not meanwhile either, is closed. */
  async #add(files: File[], more = ""): Promise<void> {
    const names = files.map((f) => f.name), fresh = this.#files.are(this.#fresh);
    if (new Set([...(fresh ? [] : this.#files.names), ...names]).size > most) return say(`No more than ${most} files can be open.`);
    const replaced = await this.#files.put(files);
    await pasted();
    if (fresh && this.#files.are(this.#fresh.filter(({ name }) => !names.includes(name)), names)) {
      this.#files.closeBut(names);
      this.#state = { active: names[0], grades: {}, case: "", tab: this.#state.tab };
      this.#fresh = []; // these are somebody's own
    }
    this.#state.active = names[0];
    this.#show();
    const opened = `${names.join(", ")} opened.${more}`, changed = [...replaced.keys()].join(", ");
    if (!changed) return say(opened);
    say(`${opened} Replaced: ${changed}.`, this.#takeBack(`${changed} restored.`, () => {
      for (const [name, text] of replaced) this.#files.replace(name, text);
    }));
  }

  /** takeBack is the button that undoes what was just done to files. */
  #takeBack(words: string, work: () => void): Action {
    return { label: "Undo", act: () => this.#files.turn(() => {
      work();
      this.#show();
      this.#editor.view.focus();
      say(words);
    }) };
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
      const undo = this.#files.close(active);
      if (this.#state.active === active) this.#state.active = rest[0];
      this.#show();
      say(`${active} closed.`, this.#takeBack(`${active} opened.`, () => void (this.#state.active = undo())));
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
      void this.save();
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
        void this.save();
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
