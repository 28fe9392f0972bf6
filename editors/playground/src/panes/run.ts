// The Run pane. It runs cases one after the other.
import type { EvalsetFiles, Question } from "@rubric-ls/wasm";
import { run as runCases, type RunCase } from "@rubric-ls/wasm/run";
import { element, elementById, showStatus } from "../dom";
import { uriOf } from "../editor";
import { callEvaluator, client } from "../evaluator";
import type { CasePanel } from "../../../case-panel/case-panel";
import { startRun } from "../code-lenses";
import { moduleNames, runProgram } from "../run/graders";
import type { ItemResult } from "../run/server-session";
import { ResultsTable } from "../run/results-table";
import { submissions } from "../run/replay";
import { JudgeSelect } from "../run/judge-select";
import type { File } from "../state";
import { formatNumber } from "./chart";
import { verdictBadge } from "./grade-source";
import { adoptGrades, lastResult, restoreGrades } from "./last-run";
import type { Pane, Scene } from "./pane";

/** RunPane is the pane. A single instance keeps its results while other panes are shown. */
class RunPane {
  readonly node: HTMLElement;
  #scene!: Scene;
  #judgeSelect = new JudgeSelect();
  #answers = element("select", { id: "answers", onchange: () => this.#showAnswerText() });
  #answerText = element("textarea", { id: "answer", dir: "auto", "aria-label": "Answer" });
  #graders = element("p", { class: "faint" });
  #runCaseButton = element("button", { type: "button", onclick: () => void this.#run(false) }, "Run case");
  #runAllButton = element("button", { type: "button", class: "run-all", onclick: () => void this.#run(true) }, "Run all cases"); // of a page without a header
  #cancelButton = element("button", { type: "button", disabled: true, onclick: () => this.#cancel() }, "Cancel");
  #progress = element("progress", { hidden: true, "aria-label": "Finished cases" });
  #status = element("p", { role: "status", "aria-live": "polite" });
  #source = element("p", { class: "row faint" }); // who answered and who judged, and what to do next
  #replaced: string[] = []; // cases whose grades by the user this run took the place of
  #notes = element("div"); // about cases that are left out, and the judge
  #table = new ResultsTable({
    showCase: (id) => (this.#scene.selectCase(id), this.#scene.showTab("verdict")),
    panel: async (id, target) => {
      const found = this.#scene.cases.find((c) => c.id === id), { uri } = this.#scene;
      const panel = found && uri === this.#document ? await client.request<object, CasePanel | null>("rubric/casePanel", { textDocument: { uri }, position: { line: found.line, character: found.character }, target }) : null;
      return panel?.item.label === id ? panel : null;
    },
    act: (id, action) => {
      if (action.kind === "reveal") return this.#scene.reveal(action.range.start.line, action.range.start.character, this.#document);
      if (action.kind === "choose") return this.#judgeSelect.select.focus();
      this.#scene.selectCase(id);
      startRun(this.#document, id);
    },
    chooseJudge: (field) => document.getElementById(field === "key" ? "endpoint-key" : "judge")?.focus(),
  });
  #document = ""; // whose results the table has
  #running: AbortController | undefined;

  constructor() {
    this.#answerText.hidden = true;
    this.node = element("div", { class: "runs" },
      element("p", { class: "row" }, element("label", { for: "answers" }, "Answer"), this.#answers), this.#answerText,
      this.#judgeSelect.node, this.#graders,
      element("p", { class: "row" }, this.#runCaseButton, this.#runAllButton, this.#cancelButton), this.#progress, this.#status, this.#source, this.#notes, this.#table.node);
  }

  /** show updates the pane for a scene. */
  show(scene: Scene): HTMLElement {
    this.#scene = scene;
    const recordings = scene.names.filter((name) => name.endsWith(".jsonl"));
    const answers = [["self", scene.isEvalset ? "What is recorded" : "The file's expected output"], ...(scene.isEvalset ? [] : [["typed", "An answer typed here"], ...recordings.map((name) => [name, `Recorded answers: ${name}`])])];
    if (answers.flat().join("\n") !== [...this.#answers.options].flatMap((o) => [o.value, o.text]).join("\n")) {
      const chosen = this.#answers.value;
      this.#answers.replaceChildren(...answers.map(([value, label]) => element("option", { value }, label)));
      if (answers.some(([value]) => value === chosen)) this.#answers.value = chosen;
      this.#showAnswerText();
    }
    this.#judgeSelect.setRecordings(recordings, () => scene.files());
    const modules = moduleNames();
    this.#graders.textContent = modules.length ? `Code graders that are open: ${modules.join(", ")}. They run in a sandbox and are not stored.` : "";
    this.#runCaseButton.textContent = scene.selectedCase ? `Run case ${scene.selectedCase.id}` : "Run case";
    const all = scene.cases.length;
    this.#runAllButton.textContent = `Run all ${all} cases`;
    this.#runAllButton.hidden = all < 2;
    this.#updateButtons();
    this.#startRequested();
    return this.node;
  }

  /** startRequested starts a run that was requested before the pane was visible. */
  #startRequested(): void {
    const order = requestedRun;
    if (order && !this.#scene.cases.length) {
      requestedRun = undefined;
      return this.#showStatus("There is no case to run in this file.", true);
    }
    if (!order || (order.caseId !== undefined && order.caseId !== this.#scene.selectedCase?.id)) return;
    requestedRun = undefined;
    void this.#run(order.caseId === undefined);
  }

  #showAnswerText(): void {
    this.#answerText.hidden = this.#answers.value !== "typed";
    if (!this.#answerText.hidden) this.#answerText.value ||= this.#scene.selectedCase?.reference_answer ?? ""; // to change
  }

  #updateButtons(): void {
    this.#runCaseButton.disabled = this.#runAllButton.disabled = Boolean(this.#running) || !this.#scene.cases.length;
    this.#cancelButton.disabled = !this.#running;
  }

  #showStatus(text: string, isError = false): void {
    this.#status.textContent = text;
    this.#status.className = isError ? "error" : "";
  }

  #cancel(): void {
    this.#running?.abort();
    this.#showStatus("Cancelling. Finished cases keep their results.");
  }

  async #run(all: boolean): Promise<void> {
    const scene = this.#scene;
    if (this.#running || !scene.cases.length) return;
    const chosen = all ? scene.cases : scene.cases.filter((c) => c.id === scene.selectedCase!.id).slice(0, 1);
    const leftOut = chosen.filter((c) => c.error), cases = chosen.filter((c) => !c.error).map((c) => c.id);
    if (!cases.length) return this.#showStatus(`Nothing runs: ${leftOut[0]!.error}`, true);
    const controller = (this.#running = new AbortController());
    this.#updateButtons();
    this.#cancelButton.focus();
    const notes = leftOut.map((c) => element("p", { class: "error", dir: "auto" }, `${c.id} is left out. ${c.error}`));
    this.#notes.replaceChildren(...notes);
    this.#source.replaceChildren();
    this.#replaced = [];
    if (this.#document !== scene.uri) this.#table.clear();
    this.#document = scene.uri;
    [this.#progress.hidden, this.#progress.max, this.#progress.value] = [false, cases.length, 0];
    try {
      const states = this.#judgeSelect.isServer ? await this.#runLive(scene, all, controller.signal) : await this.#runHere(scene, cases, controller.signal);
      const count = (verdict: string) => states.filter((s) => s === verdict).length;
      const totals = ["pass", "borderline", "fail", "ungraded"].filter(count).map((verdict) => `${count(verdict)} ${verdict}`).join(", ");
      if (states.length) this.#source.replaceChildren(...this.#sources());
      if (this.#replaced.length) this.#notes.append(this.#undoNote(scene, this.#replaced));
      this.#showStatus(`${controller.signal.aborted ? `Cancelled after ${states.length} of ${this.#progress.max}` : `Done: ${states.length} ${states.length === 1 ? "case" : "cases"}`}${totals ? `: ${totals}` : ""}${leftOut.length ? `; ${leftOut.length} left out` : ""}.`);
    } catch (error) {
      this.#showStatus(error instanceof Error ? error.message : String(error), true);
    }
    this.#table.finish();
    const hadFocus = document.activeElement === this.#cancelButton;
    this.#running = undefined;
    this.#progress.hidden = true;
    this.#updateButtons();
    if (hadFocus) (!all ? this.#runCaseButton : this.#runAllButton.checkVisibility() ? this.#runAllButton : elementById("run-all")).focus();
    scene.onRunEnd();
    if (!this.node.isConnected) showStatus(this.#status.textContent ?? ""); // the user looks at something else
  }

  /** sources says who answered and who judged, and offers what to try next. */
  #sources(): Node[] {
    const chosen = this.#answers.value, judge = this.#judgeSelect.select, isOffline = judge.value === "offline";
    const answered = this.#scene.isEvalset ? "Answers: as the files record them." : chosen === "self" || this.#judgeSelect.isServer ? "Answers: the expected ones in the file; no chatbot was asked." : chosen === "typed" ? "Answer: the one typed above; no chatbot was asked." : `Answers: those recorded in ${chosen}.`;
    const link = (text: string, act: () => void) => element("button", { type: "button", class: "link", onclick: act }, text);
    return [element("span", { dir: "auto" }, `${answered} Judge: ${isOffline ? "literal checks, without a model" : judge.selectedOptions[0]?.text ?? ""}.`),
      ...(!this.#scene.isEvalset && chosen !== "typed" ? [link("Try a worse answer", () => {
        this.#answers.value = "typed";
        this.#showAnswerText();
        this.#answerText.focus();
      })] : []),
      ...(isOffline ? [link("Choose a judge", () => judge.focus())] : [])];
  }

  /** undoNote says whose grades the run took the place of, and brings them back. */
  #undoNote(scene: Scene, cases: string[]): HTMLElement {
    const note = element("p", { role: "status" }, `Score shows the grades of the run now. Your own grades of ${cases.length === 1 ? cases[0] : `${cases.length} cases`} are kept. `,
      element("button", { type: "button", class: "link", onclick: () => {
        restoreGrades(scene.state, cases);
        scene.onGradesChange();
        note.replaceChildren("Score shows your own grades again.");
      } }, "Undo"));
    return note;
  }

  /** prepareRuns returns how each case runs: its answer and the other files, as they are when the run starts. */
  async #prepareRuns(scene: Scene): Promise<(caseId: string) => RunCase> {
    const from = this.#answers.value, answer = this.#answerText.value;
    const order = (caseId: string): RunCase => ({ document: scene.uri, case: caseId });
    if (scene.isEvalset) {
      const otherFiles = await callEvaluator("beside", { document: scene.uri });
      return (caseId) => ({ ...order(caseId), ...otherFiles });
    }
    if (from === "typed") return (caseId) => ({ ...order(caseId), target: "mock", submission: { candidate_answer: answer } });
    const source = (await scene.files()).find((f) => f.name === from);
    if (!source) return order;
    const answers = await submissions(source);
    return (caseId) => ({ ...order(caseId), target: from, submission: answers[caseId] });
  }

  async #runHere(scene: Scene, cases: string[], signal: AbortSignal): Promise<string[]> {
    const order = await this.#prepareRuns(scene);
    const judge = await this.#judgeSelect.judge();
    const ordered = await callEvaluator("order", { document: scene.uri, cases });
    this.#progress.max = ordered.cases.length;
    this.#notes.append(...ordered.notes.map((note) => element("p", { class: "faint", dir: "auto" }, note)));
    const states: string[] = [], adopted: Promise<void>[] = [];
    try {
      const host = { answer: (question: Question) => judge.answer!(question, signal), runProgram, replay: judge.replay, signal };
      for await (const { stage, result, index, total, case: caseId } of runCases({ call: callEvaluator }, ordered.cases.map((id) => ({ ...order(id), judge: judge.name })), host)) {
        if (stage === "done") {
          states.push(result.standing);
          this.#table.add(result.record);
          this.#progress.value = states.length;
          adopted.push(this.#adoptGrades(scene, caseId));
          continue;
        }
        const open = stage === "started" ? 0 : result.questions.length + result.programs.length;
        this.#showStatus(`${caseId}: ${index + 1} of ${total}${open ? `; ${result!.record.evaluator_results.length} graders, ${open} being asked` : ""}`);
      }
    } finally {
      judge.end?.();
      await Promise.all(adopted);
      scene.onGradesChange();
    }
    return states;
  }

  /** adoptGrades makes the grades of a run the starting point of the Verdict pane. */
  async #adoptGrades(scene: Scene, caseId: string): Promise<void> {
    const last = await lastResult(scene.uri, caseId).catch(() => null); // the case may be gone
    if (last && adoptGrades(scene.state, caseId, last)) this.#replaced.push(caseId);
  }

  async #runLive(scene: Scene, all: boolean, signal: AbortSignal): Promise<string[]> {
    const { session, judge } = this.#judgeSelect.session();
    const files = await scene.files();
    const file = files.find((f) => uriOf(f.name) === scene.uri) as File;
    const { config, recorded, target }: EvalsetFiles = scene.isEvalset ? await callEvaluator("beside", { document: scene.uri }) : {};
    const otherFiles = files.filter((f) => (config && f.name === "test_config.json") || (recorded && f.name === target)); // a result file has no other
    const items = new Map<string, ItemResult>();
    const list = element("ul", { class: "plain" });
    this.#notes.append(list);
    const { progress, records } = await session.run(file, otherFiles, all ? undefined : scene.selectedCase!.id, judge, signal, ({ results, done, total }) => {
      for (const item of results) items.set(item.id, { ...items.get(item.id), ...item });
      list.replaceChildren(...[...items.values()].map(line));
      [this.#progress.max, this.#progress.value] = [total || 1, done];
      this.#showStatus(`${done} of ${total} cases, by the local server`);
    });
    if (progress.state === "failed") throw new Error(`The local server could not run it: ${progress.message ?? ""}`);
    const ended = [...items.values()].filter((i) => !i.id.split("#")[1]?.includes("/") && i.state !== "cancelled" && i.state !== "started");
    const ids = new Set(ended.map(({ id }) => decodeURIComponent(id.slice(id.indexOf("#") + 1))));
    for (const record of records.filter((r) => ids.has(r.eval_id))) {
      await callEvaluator("keep", { document: scene.uri, text: file.text, config, recorded, record }); // the files may have changed since the run
      await this.#adoptGrades(scene, record.eval_id);
      this.#table.add(record);
    }
    list.remove();
    scene.onGradesChange();
    return ended.map((i) => i.state);
  }
}

function line({ id, state, score, message }: ItemResult): HTMLElement {
  const name = id.slice(id.indexOf("#") + 1).split("/").map(decodeURIComponent).join(" / ");
  return element("li", {}, element("code", {}, name), " ", verdictBadge(state), score === undefined ? "" : ` ${formatNumber(score)}`, message ? element("div", { class: "faint", dir: "auto" }, message) : "");
}

let runPane: RunPane | undefined;
let requestedRun: { caseId: string | undefined } | undefined;

/** requestRun makes the pane run a case, or all cases, when it is shown next. */
export const requestRun = (caseId: string | undefined): void => void (requestedRun = { caseId });

/** run shows the pane. */
export const run: Pane = (scene) => [(runPane ??= new RunPane()).show(scene)];
