// The page: the files on one side, results for the active file on the other.
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { forgetCases, listCases } from "./cases";
import { CaseSelect } from "./case-select";
import { pasteSettled } from "./clipboard";
import { download, elementById, element, nextFrame, showStatus, type Action } from "./dom";
import { applyEdits, find, reveal, scrollToLine, uriOf, type Editor } from "./editor";
import { callEvaluator, client } from "./evaluator";
import { firstExample, examplesDialog } from "./examples";
import { Files } from "./files";
import { onFindings } from "./findings";
import { fileChooser } from "./open-files";
import { claim, release, resume, save } from "./background";
import { refreshLayers } from "./layer";
import { onRun } from "./code-lenses";
import type { Link, StoredRun } from "./link";
import { fileNameDialog, newFileDialog } from "./file-name-dialog";
import { helpItems, keyName } from "./help";
import { addToHistory, addressWithoutLink, currentEntry, recordInHistory, type View } from "./history";
import { icon, type IconName } from "./icons";
import { menu } from "./menu";
import { Outline } from "./outline";
import type { Scene } from "./panes/pane";
import { PaneTabs, paneOf } from "./pane-tabs";
import type { CasePosition } from "./case-positions";
import { recentDialog } from "./recent-dialog";
import { followText } from "./panes/last-run";
import { forgetRuns, isRunning, nameRunButton, openRows, requestRun, runOffline, showRows, showStored, worstVerdicts } from "./panes/run";
import { isOffline } from "./run/judge-select";
import { hasServer, token } from "./run/server-session";
import { shareItems } from "./sharing";
import { enableSplitter } from "./splitter";
import { followCases, maxFiles, type Choices, type Entries, type File, textToSave, type Moment, type State } from "./state";
import { tabs } from "./tabs";
import type { Template } from "./templates";
import { themeButton } from "./theme";
import type { Resumed, Workspace } from "./workspaces";

/** refreshDelay is how long the text must be quiet before panes refresh, in milliseconds. */
const refreshDelay = 120;

/** toolButton returns a button with an icon. Its name is the tooltip and the accessible name. */
const toolButton = (id: string, name: string, picture: IconName, act: () => void, note: Record<string, string> = {}): HTMLElement =>
  element("button", { type: "button", id, class: "tool", "aria-label": name, title: name, onclick: act, ...note }, icon(picture));

/** reportError shows why an action failed. */
const reportError = (error: Error): void => showStatus(error.message);

/** PreviousWorkspace is the workspace that was open before, with the states of its editors. */
type PreviousWorkspace = Resumed & { editors: EditorState[] };

/** Opened is a workspace to show, with its link if it came from one. */
export type Opened = Resumed & Partial<PreviousWorkspace> & { link?: Link };

/** listNames lists a few names, and counts many. */
const listNames = (names: string[]): string => (names.length > 3 ? `${names.length} files` : names.join(", "));

/** openedMessage returns the status message for an opened workspace. `aside` names the work that a run has taken the place of. */
export function openedMessage({ copy, link, state: { files, active, entries, case: caseId } }: Opened, aside?: string): string {
  if (copy) return "This is a copy: the workspace is open in another tab.";
  if (link?.run) return `These are the results of ${link.run.name}.${link.run.stale.includes(caseId) ? " The case has changed since, so they are of an older text: run it again to see what holds." : ""}${aside ? ` Your work on ${aside} is put aside.` : ""}`;
  return link ? "The link is open as a workspace of its own." : `${listNames(files.map(({ name }) => name))} opened${Object.values(entries[active] ?? {}).some(({ grades, from }) => grades?.length && !from) ? ", with your own grades" : ""}.`;
}

/** Page shows one workspace. */
export class Page {
  #id = "";
  #state!: Choices;
  #files = new Files(elementById("editor"), {
    changed: () => (this.#edits++, this.#scheduleRefresh()), moved: (line) => this.#followCaret(line), outline: () => this.#outline.toggle(),
    run: (line) => this.#startRun(uriOf(this.#state.active), this.#caseAt(line)?.id),
  }, (name) => (this.#findings.delete(uriOf(name)), forgetRuns(uriOf(name))));
  #findings = new Map<string, lsp.Diagnostic[]>();
  #cases: CasePosition[] = [];
  #refreshTimer = 0;
  #refreshRound = 0;
  #changeCount = 0; // counts changes of grades by the shown pane
  /** #untouchedExample is the last opened example, as it was opened. */
  #untouchedExample = firstExample.files;
  #caseSelect = new CaseSelect((id) => this.#selectCase(id), () => {
    this.#visit(() => this.#paneTabs.showEditor(true));
    this.#outline.show();
  });
  #paneTabs = new PaneTabs((tab) => {
    this.#state.tab = tab;
    this.#showPaneTabs();
    return this.#refresh().then(() => void (elementById("pane").scrollTop = 0));
  }, (change) => this.#visit(change));
  #outline = new Outline((line, character) => reveal(this.#editor, line, character), () => this.#editor.view.focus());

  /** isUntouched reports whether the files are as they were opened. */
  isUntouched = (): boolean => false;

  #edited = false;
  #entries = ""; // the entries when the workspace was opened, as JSON
  #previous?: PreviousWorkspace;
  #saveRound = 0;
  #edits = 0; // counts edits of the texts
  #savedEdits = 0; // how many of them the browser has stored
  #shownProblemCount = 0; // the number in the label of the Problems tab

  /** open creates the page with a workspace. */
  static async open(workspace: Workspace): Promise<Page> {
    const page = new Page();
    await page.#files.inTurn(async () => {
      await nextFrame(); // the page itself is drawn first
      page.#showWorkspace(workspace, await page.#files.createEditors(workspace.state.files));
      page.showView(workspace.id === currentEntry().workspace ? currentEntry().view : undefined);
      page.recordView();
      performance.mark("usable");
    });
    return page;
  }

  private constructor() {
    elementById("tools").append(
      toolButton("new", "New file", "add", () => this.#newFile()),
      toolButton("rename", "Rename file", "rename", () => this.#rename()),
      toolButton("close", "Close file", "close", () => void this.#close()),
      toolButton("find", `Find (${keyName("Mod+F")})`, "find", () => find(this.#editor)),
      toolButton("toggle-outline", "Outline", "outline", () => this.#outline.toggle(), { "aria-expanded": "false", "aria-controls": "outline" }),
    );
    const share = shareItems(() => this.#readMoment(), () => elementById("version").textContent ?? ""), runAll = () => this.#startRun(uriOf(this.#state.active), undefined);
    const chooseFiles = fileChooser((files, note) => void this.#files.inTurn(() => this.#add(files, note)), () => this.#scheduleRefresh());
    elementById("actions").append(
      ...(hasServer() ? [element("a", { href: `/${token}/`, title: "The stored results in the folder of rubric" }, "Runs")] : []),
      element("button", { type: "button", onclick: () => void examplesDialog((state) => void this.#example(state)) }, "Examples"),
      ...menu("File", "expand", [
        { label: "New from template", run: () => this.#newFile() },
        { label: "Open files", run: chooseFiles },
        { label: "Download this file", run: () => void this.#download() },
        { label: "Recent", run: () => void recentDialog(this.#id, (id) => void this.go(id).catch(reportError)).catch(reportError) },
      ]),
      ...menu("Share", "share", share),
      ...menu("Help", "help", helpItems),
      themeButton(),
      element("button", { type: "button", id: "run-all", class: "primary", title: `Run all cases (${keyName("Mod+Enter")})`, onclick: runAll }, icon("run"), element("span", {}, "Run")),
    );
    addEventListener("keydown", (event) => {
      const act = (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey && ({ s: share[0].run, Enter: runAll } as Record<string, (() => unknown) | string>)[event.key];
      if (typeof act !== "function" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      act();
    }, true);
    addEventListener("beforeunload", (event) => {
      if (this.#savedEdits < this.#edits || isRunning()) event.preventDefault(); // the browser asks whether to leave
    });
    enableSplitter();
    elementById("about").append(...this.#caseSelect.nodes);
    onFindings((uri, all) => {
      this.#findings.set(uri, all);
      if (uri === uriOf(this.#state.active)) this.#updateProblems();
    });
    onRun((uri, caseId) => this.#startRun(uri, caseId));
    client.workspace.displayFile = async (uri) => this.#display(uri);
  }

  /** view is what is shown now. */
  get #view(): View {
    return { file: this.#files.names.indexOf(this.#state.active), tab: this.#state.tab, isEditing: this.#paneTabs.isEditing, rows: openRows(uriOf(this.#state.active)), scroll: elementById("pane").scrollTop };
  }

  /** recordView stores what is shown in the current history entry. */
  recordView(address?: string): void {
    recordInHistory({ workspace: this.#id, view: this.#view }, address);
  }

  /** visit makes a change of what is shown, which the browser's Back takes back. */
  #visit(change: () => void): void {
    this.recordView();
    const before = JSON.stringify({ ...this.#view, scroll: 0 });
    change();
    const view = { ...this.#view, scroll: 0 };
    if (JSON.stringify(view) !== before) addToHistory({ workspace: this.#id, view });
  }

  /** showView shows what a history entry names. */
  showView(view: View | undefined): void {
    if (!view) return;
    const { file, tab, isEditing, rows, scroll } = view;
    [this.#state.active, this.#state.tab] = [this.#files.names[file] ?? this.#state.active, tab];
    showRows(uriOf(this.#state.active), rows);
    this.#paneTabs.showEditor(isEditing);
    this.#show();
    void this.#refresh().then(() => (elementById("pane").scrollTop = scroll));
  }

  /** startRun shows the Run pane and runs a case, or all cases. */
  #startRun(uri: string, caseId: string | undefined): void {
    if (uri !== uriOf(this.#state.active)) return;
    if (caseId !== undefined) this.#state.case = caseId;
    requestRun(uri, caseId);
    this.#visit(() => {
      this.#state.tab = "run";
      this.#showPaneTabs();
      this.#paneTabs.showEditor(false);
    });
    void this.#refresh();
  }

  /** selectCase shows a case, here and in the text. */
  #selectCase(id: string): void {
    this.#state.case = id;
    const position = this.#cases.find((c) => c.id === id);
    if (position) scrollToLine(this.#editor, position.line);
    this.#scheduleRefresh();
  }

  /** download saves the active file. */
  async #download(): Promise<void> {
    const { state: { files, active } } = await this.#readMoment();
    download(active, new Blob([textToSave(files.find(({ name }) => name === active)!)], { type: "text/plain" }));
  }

  /** newFile asks for a name and a template. */
  #newFile(): void {
    newFileDialog((name) => this.#files.unusedName(name), (name, template) => void this.#files.inTurn(() => this.#create(name, template)));
  }

  /** select shows an open file. */
  #select(name: string): void {
    this.#visit(() => {
      this.#state.active = name;
      this.#show();
    });
  }

  /** display shows an open file, and returns null if the file is not open. */
  #display(uri: string): EditorView | null {
    const name = this.#files.names.find((n) => uriOf(n) === uri);
    if (name === undefined) return null;
    this.#select(name);
    this.#editor.view.focus();
    return this.#editor.view;
  }

  /** readMoment returns the state with the current texts. */
  async #readMoment(): Promise<Moment> {
    await this.#files.settled();
    const isCurrent = this.#files.snapshot(), { state } = await this.#readWorkspace();
    return { state, isCurrent };
  }

  /** readWorkspace returns the workspace at the time of the call. */
  async #readWorkspace(): Promise<Workspace> {
    const id = this.#id, choices = structuredClone(this.#state); // entries change in place
    this.#edited ||= !this.isUntouched() || JSON.stringify(choices.entries) !== this.#entries;
    const edited = this.#edited;
    return { id, edited, state: { ...choices, files: await this.#files.readAll() } };
  }

  get id(): string {
    return this.#id;
  }

  /** previous returns the workspace that was open before, if it has this id. */
  previous(id: string | undefined): PreviousWorkspace | undefined {
    return this.#previous?.id === id ? this.#previous : undefined;
  }

  /** undo returns to the workspace that was open before. */
  get undo(): Action | undefined {
    const previous = this.#previous;
    return previous && { label: "Undo", run: () => this.go(previous.id).then(() => this.#editor.view.focus()) };
  }

  /** evaluator sets the shown version of the evaluator. */
  set evaluator(version: string) {
    elementById("version").textContent = version;
  }

  /** refresh asks the evaluator for everything again, which has loaded after all or is another one. */
  refresh(): void {
    forgetCases();
    this.#scheduleRefresh();
    this.#editor.view.dispatch({ effects: refreshLayers.of(null) });
  }

  /** showRun shows the results of a stored run as those of the last one. The workspace does not count as edited by them. */
  async showRun(run: StoredRun): Promise<void> {
    await this.#files.settled();
    const scene = await this.#createScene(uriOf(this.#state.active));
    this.#showCaseSelect(scene);
    this.#selectCase(this.#state.case);
    await showStored(scene, run, this.isUntouched, (entries) => {
      const isEdited = JSON.stringify(this.#state.entries) !== this.#entries;
      Object.assign(scene.entries, entries);
      if (!isEdited) this.#entries = JSON.stringify(this.#state.entries);
    });
  }

  /** save stores the current workspace. */
  async save(): Promise<void> {
    const round = ++this.#saveRound;
    await this.#files.settled();
    const edits = this.#edits, workspace = await this.#readWorkspace();
    if (round !== this.#saveRound) return; // a later save follows
    if (!(await this.#store(workspace))) this.#savedEdits = Math.max(this.#savedEdits, edits);
  }

  /** store stores a workspace and returns why it failed, if it did. A line on the page shows the failure. The address loses its link once an edited workspace is stored. */
  async #store(workspace: Workspace): Promise<string | undefined> {
    const { id, state, edited } = workspace; // without editors, which cannot be sent to the worker
    const failure = await save({ id, state, edited }).catch((error: Error) => error.message);
    if (workspace.id !== this.#id) return failure;
    const notice = failure ? `Not saved in this browser: ${failure}.` : "";
    if (elementById("unsaved").textContent !== notice) elementById("unsaved").textContent = notice;
    if (currentEntry().workspace === this.#id) this.recordView(!failure && workspace.edited ? addressWithoutLink() : undefined);
    return failure;
  }

  get #editor(): Editor {
    return this.#files.editor(this.#state.active)!;
  }

  /** showWorkspace shows a workspace in new editors and returns the states of the earlier editors. */
  #showWorkspace({ id, state: { files, ...rest }, edited }: Workspace, newEditors: Editor[]): EditorState[] {
    const choices = structuredClone(rest);
    for (const { name } of files) choices.entries[name] ??= {};
    const before = this.#files.swapEditors(newEditors);
    [this.#id, this.#state, this.#edited, this.#entries, this.#cases] = [id, choices, edited, JSON.stringify(choices.entries), []];
    this.#savedEdits = this.#edits;
    this.isUntouched = this.#files.snapshot();
    this.#show();
    return before;
  }

  /** enter shows a workspace in place of the current one. It stores the current one and keeps it in memory until the next change. */
  enter(next: Opened, push = false): Promise<void> {
    return this.#files.inTurn(async () => {
      const newEditors = await this.#files.createEditors(next.state.files, next.editors);
      await pasteSettled();
      if (push) this.recordView();
      this.#saveRound++; // the save below replaces pending ones
      const workspace = this.#readWorkspace(), editors = this.#showWorkspace(next, newEditors);
      if (push) addToHistory({ workspace: next.id, view: this.#view }, addressWithoutLink());
      else this.recordView();
      if (this.#previous && this.#previous.id !== next.id) void release(this.#previous.id);
      this.#previous = { ...(await workspace), copy: false, editors };
      const message = openedMessage(next);
      showStatus(message, this.undo);
      const failure = await this.#store(this.#previous);
      if (failure) showStatus(`${message} What was open before is not saved: ${failure}.`, this.undo);
    });
  }

  /** go shows the previous workspace or a stored one. */
  async go(id: string): Promise<void> {
    const next = this.previous(id) ?? (await resume(id));
    if (!next) return showStatus("The workspace was deleted in another tab.");
    await this.enter(next, true);
  }

  /** example shows an example as a workspace of its own. */
  async #example(state: State): Promise<void> {
    const id = await claim().catch(() => "");
    await this.enter({ id, state, edited: false, copy: false }, true);
    this.#untouchedExample = state.files;
  }

  /** create opens a new file. */
  async #create(name: string, { text, others = [] }: Template): Promise<void> {
    const unusedName = this.#files.unusedName(name);
    await this.#add([{ name: unusedName, text }, ...others.filter((o) => !this.#files.names.includes(o.name))], unusedName === name ? "" : ` ${name} is open already; the new file is ${unusedName}.`);
    this.#paneTabs.showEditor(true);
    this.#editor.view.focus();
  }

  /** add opens files next to the open ones, and replaces files of the same names. It closes an example that has no edits, unless the files belong to it. */
  async #add(files: File[], note = ""): Promise<void> {
    const names = files.map((f) => f.name), belongs = this.#untouchedExample.some(({ name }) => /\.json$/.test(name)) && names.every((name) => /\.jsonl?$/.test(name));
    const isUntouchedExample = !belongs && this.#files.haveTexts(this.#untouchedExample);
    if (new Set([...(isUntouchedExample ? [] : this.#files.names), ...names]).size > maxFiles) return showStatus(`No more than ${maxFiles} files can be open.`);
    const replaced = await this.#files.openFiles(files);
    await pasteSettled();
    if (isUntouchedExample && this.#files.haveTexts(this.#untouchedExample.filter(({ name }) => !names.includes(name)), names)) {
      const closed = this.#files.names.filter((name) => !names.includes(name));
      if (closed.length) note += ` The example ${closed.join(", ")} is closed; Examples has it.`;
      this.#files.closeExcept(names);
      this.#state = { active: names[0], entries: {}, case: "", tab: this.#state.tab };
      this.#untouchedExample = []; // these files are the user's own
    }
    this.#select(names[0]);
    const opened = `${listNames(names)} opened.${note}`, changed = listNames([...replaced.keys()]);
    if (!changed) return showStatus(opened);
    showStatus(`${opened} Replaced: ${changed}.`, this.#undoAction(`${changed} restored.`, () => {
      for (const [name, text] of replaced) this.#files.replace(name, text);
    }));
  }

  /** undoAction returns the button that undoes a change of files. */
  #undoAction(message: string, undo: () => void): Action {
    return { label: "Undo", run: () => this.#files.inTurn(() => {
      undo();
      this.#show();
      this.#editor.view.focus();
      showStatus(message);
    }) };
  }

  /** rename asks for a new name of the active file. */
  #rename(): void {
    const { active } = this.#state;
    fileNameDialog("Rename file", "Rename", active, (name) => this.#renameTo(active, name));
  }

  #renameTo(before: string, name: string): void {
    void this.#files.inTurn(() => {
      const { names } = this.#files;
      if (name === before || !names.includes(before)) return;
      if (names.includes(name)) return showStatus(`There is a file ${name} already.`);
      this.#files.rename(before, name);
      this.#state.entries[name] = this.#takeEntries(before);
      if (this.#state.active === before) this.#state.active = name;
      this.#show();
      showStatus(`${before} is now ${name}.`);
    });
  }

  /** takeEntries removes and returns what the user entered for a file. */
  #takeEntries(name: string): Entries {
    const { [name]: entries = {} } = this.#state.entries;
    delete this.#state.entries[name];
    return entries;
  }

  /** close closes the active file. */
  #close(): Promise<void> {
    const { active } = this.#state;
    return this.#files.inTurn(() => {
      const rest = this.#files.names.filter((name) => name !== active);
      if (!rest.length) return showStatus("The last file cannot be closed. Open another file or an example instead.");
      const undo = this.#files.close(active), entries = this.#takeEntries(active);
      if (this.#state.active === active) this.#state.active = rest[0];
      this.#show();
      showStatus(`${active} closed.`, this.#undoAction(`${active} opened.`, () => void (this.#state.entries[this.#state.active = undo()] = entries)));
    });
  }

  #show(): void {
    const { active } = this.#state;
    tabs(elementById("files"), "Files", this.#files.names.map((name) => ({ id: name, label: name })), active, "editor", (name) => this.#select(name));
    this.#files.show(active);
    this.#showPaneTabs();
    this.#scheduleRefresh();
    const { view } = this.#editor;
    setTimeout(() => view.dispatch({ effects: refreshLayers.of(null) })); // decorations may depend on the file that was shown before
  }

  /** followCaret shows the case at the caret. */
  #followCaret(line: number): void {
    const caseHere = this.#caseAt(line), shown = this.#cases.find(({ id }) => id === this.#state.case);
    if (!caseHere || caseHere.line === shown?.line) return; // several cases may start on a line, as in JSON
    this.#state.case = caseHere.id;
    this.#scheduleRefresh();
  }

  /** caseAt returns the last case that starts at or above a line. */
  #caseAt(line: number): CasePosition | undefined {
    return this.#cases.findLast((c) => c.line <= line);
  }

  #showPaneTabs(): void {
    this.#paneTabs.show(this.#state.tab, (this.#shownProblemCount = this.#problemCount));
  }

  /** problemCount counts the rows of the pane Problems. */
  get #problemCount(): number {
    return this.#findings.get(uriOf(this.#state.active))?.length ?? 0;
  }

  #updateProblems(): void {
    if (this.#shownProblemCount !== this.#problemCount) this.#showPaneTabs();
    if (this.#state.tab === "problems") this.#scheduleRefresh();
  }

  #scheduleRefresh(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = window.setTimeout(() => {
      void this.save();
      void this.#refresh();
    }, refreshDelay);
  }

  /** refresh updates the active pane. The latest of several concurrent calls wins. */
  async #refresh(): Promise<void> {
    const round = ++this.#refreshRound;
    await this.#files.settled();
    if (round !== this.#refreshRound) return;
    const chosen = this.#changeCount;
    let shown: Node[];
    try {
      const scene = await this.#createScene(uriOf(this.#state.active));
      if (round !== this.#refreshRound) return;
      this.#showCaseSelect(scene);
      const verdicts = await worstVerdicts(scene);
      if (round !== this.#refreshRound) return;
      void this.#outline.refresh(scene.uri, verdicts);
      shown = await paneOf(this.#state.tab)(scene);
    } catch (error) {
      if (!client.serverCapabilities) return; // the page says that the evaluator could not be loaded
      shown = [element("p", { class: "faint" }, error instanceof Error ? error.message : (error as { message?: string }).message ?? String(error))];
    }
    if (round !== this.#refreshRound) return;
    if (chosen !== this.#changeCount) return this.#refresh(); // the pane may lack a grade that the user has just given
    if (shown.length === 1 && shown[0] === elementById("pane").firstChild) return; // the pane updates itself and keeps the focus
    elementById("pane").replaceChildren(...shown);
  }

  async #createScene(uri: string): Promise<Scene> {
    const editor = this.#editor, entries = (this.#state.entries[this.#state.active] ??= {});
    const cases = await listCases(uri);
    this.#state.case = followCases(entries, cases.map(({ id }) => id), this.#state.case);
    const active = this.#state.active, head = cases.find((c) => c.id === this.#state.case) ?? cases[0];
    const shown = head && (await callEvaluator("suite", { document: uri, case: head.id }));
    if (shown && followText(entries[head.id], shown.cases[0])) void this.save();
    nameRunButton(cases.length);
    elementById("format").textContent = shown ? ({ agentv: "AgentV", adk: "ADK" }[shown.dialect] ?? shown.dialect) : "";
    const scene: Scene = {
      state: this.#state, entries, uri, dialect: shown?.dialect ?? "", cases, findings: () => this.#findings.get(uri),
      selectedCase: shown?.cases[0], targets: shown?.targets ?? [], isEvalset: shown?.dialect === "adk", names: this.#files.names, files: async () => (await this.#readMoment()).state.files,
      run: (id) => void (isOffline() ? runOffline(scene).then(() => this.#refresh()).then(() => elementById("pane").focus({ preventScroll: true })) : this.#startRun(uri, id)),
      rename: (name) => this.#renameTo(active, name),
      onRunEnd: () => {
        editor.view.dispatch({ effects: refreshLayers.of(null) });
        this.#scheduleRefresh();
      },
      visit: (change) => this.#visit(change),
      onGradesChange: () => {
        this.#changeCount++;
        void this.save();
      },
      reveal: (line, character, where = uri) => {
        this.#visit(() => this.#paneTabs.showEditor(true));
        if (where === uri || this.#display(where)) reveal(this.#editor, line, character);
      },
      selectCase: (id) => this.#selectCase(id),
      showTab: (tab) => {
        let shown = Promise.resolve();
        this.#visit(() => void (shown = this.#paneTabs.onSelect(tab)));
        return shown;
      },
      edit: (edits) => applyEdits(editor, edits),
    };
    return scene;
  }

  /** showCaseSelect shows the select element if the file has several cases. */
  #showCaseSelect({ cases, selectedCase: shown }: Scene): void {
    this.#cases = cases;
    const { case: chosen } = this.#state; // the user may have gone on since the scene was created
    void this.#caseSelect.show(cases, cases.some(({ id }) => id === chosen) ? chosen : shown?.id ?? "");
    const isHidden = cases.length < 2 || this.#state.tab === "problems"; // which is about the whole file
    if (elementById("about").hidden !== isHidden) elementById("about").hidden = isHidden;
  }
}
