// The Run pane. It runs cases one after the other.
import { Text } from "@codemirror/state";
import type { EvalsetFiles, Question } from "@rubric-ls/wasm";
import { run as runCases, type RunCase } from "@rubric-ls/wasm/run";
import { caseLabel } from "../case-positions";
import { listCases } from "../cases";
import { element, elementById, inlineCode, showStatus } from "../dom";
import { uriOf } from "../editor";
import { callEvaluator, client } from "../evaluator";
import type { CasePanel } from "../../../case-panel/case-panel";
import { startRun } from "../code-lenses";
import { keyName } from "../help";
import type { StoredRun } from "../link";
import { moduleNames, runProgram } from "../run/graders";
import { hasServer, type ItemResult } from "../run/server-session";
import { ResultsTable } from "../run/results-table";
import { submissions } from "../run/replay";
import { chooseJudge, isOffline, JudgeSelect } from "../run/judge-select";
import type { Entries, File } from "../state";
import { formatNumber } from "./chart";
import { errorText, verdictBadge } from "./grade-source";
import { adoptGrades, lastResult, nameRun, typedTarget } from "./last-run";
import { emptyPane, type Pane, type Scene } from "./pane";

/** DocumentRuns are the runs of a document. */
class DocumentRuns {
  chosenAnswers = ""; // the kind of answers that the user chose
  answersFrom = "self"; // the kind that a run takes: the chosen one, or else the target that the file names
  defaultTarget = "self"; // that answers where no answer is typed
  blockedCase = ""; // the case that the status says cannot run
  readonly status = element("p", { role: "status", "aria-live": "polite" });
  readonly stale = element("span", { class: "chip stale", hidden: true }); // in the status; empty while it is hidden, as a message takes the status's text
  readonly source = element("p", { class: "source faint" }); // who answered and who judged, and what to do next
  readonly notes = element("div", { class: "notes" }); // about cases that are left out, and the grades; below the table, which they would move
  replaced: string[] = []; // cases whose earlier grades the last run took the place of

  constructor(readonly table: ResultsTable, readonly tryAnswer: HTMLElement) {}
}

/** documents have their runs until they are closed. */
const documents = new Map<string, DocumentRuns>();

/** forgetRuns forgets the runs of a document. */
export const forgetRuns = (uri: string): boolean => documents.delete(uri);

/** RunPane is the pane. A single instance keeps the results of each open document while other panes are shown. */
class RunPane {
  readonly node = element("div", { class: "runs" });
  #scene!: Scene;
  #runs!: DocumentRuns; // of the shown document
  #judgeSelect = new JudgeSelect(() => {
    nameRunButton(this.#scene?.cases.length ?? 0);
    if (this.#scene) this.#showAnswer();
  });
  #answers = element("select", { id: "answers", onchange: () => this.#chooseAnswers(this.#answers.value) });
  #answerText = element("textarea", { id: "answer", dir: "auto", "aria-label": "Answer", "aria-describedby": "answer-note", oninput: () => this.#setAnswer(this.#answerText.value) });
  #answerNote = element("p", { id: "answer-note", class: "faint", dir: "auto" });
  #graders = element("p", { class: "faint" });
  #unavailable = element("p", { class: "faint", dir: "auto" }); // the file's targets that a page cannot ask
  #runCaseButton = element("button", { type: "button", onclick: () => void this.#run(false) }, "Run case");
  #runAllButton = element("button", { type: "button", class: "run-all", onclick: () => void this.#run(true) }, "Run all cases"); // of a page without a header
  #cancelButton = element("button", { type: "button", hidden: true, onclick: () => this.#cancel() }, "Cancel");
  #progress = element("progress", { hidden: true, "aria-label": "Finished cases" });
  #running: { controller: AbortController; runs: DocumentRuns; name: string } | undefined;
  #controls = [
    element("p", { class: "row choices" }, element("span", {}, element("label", { for: "answers" }, "Answer"), this.#answers), this.#judgeSelect.choice), this.#unavailable, this.#answerText, this.#judgeSelect.details, this.#graders,
    element("p", { class: "row" }, this.#runCaseButton, this.#runAllButton, this.#cancelButton, this.#progress), this.#answerNote, // below the buttons, which its length would move
  ];
  #storeNote = element("p", { class: "faint store" }, ...inlineCode(hasServer() ? "Your files stay as they are. `rubric run FILE --out run.jsonl` stores a run." : ""));

  /** runsOf returns the runs of a document. */
  runsOf(uri: string): DocumentRuns {
    if (!documents.has(uri)) documents.set(uri, new DocumentRuns(new ResultsTable({
      visit: (change) => this.#scene.visit(change),
      select: (id) => this.#scene.selectCase(id),
      showCase: (id) => (this.#scene.selectCase(id), this.#scene.showTab("verdict")),
      panel: async (id, target) => {
        const found = (await listCases(uri)).find((c) => c.id === id);
        const panel = found ? await client.request<object, CasePanel | null>("rubric/casePanel", { textDocument: { uri }, position: { line: found.line, character: found.character }, case: id, target }) : null;
        return (panel?.item.target.case ?? "") === id ? panel : null;
      },
      act: (id, action) => {
        if (action.kind === "reveal") return this.#scene.reveal(action.range.start.line, action.range.start.character, uri);
        if (action.kind === "choose") return this.#judgeSelect.select.focus();
        this.#scene.selectCase(id);
        startRun(uri, id);
      },
      mend: (field) => (field === "answer" ? this.#typeAnswer() : chooseJudge(field)),
    }), element("button", { type: "button", class: "link", onclick: () => this.#typeAnswer() })));
    return documents.get(uri)!;
  }

  /** show updates the pane for a scene. */
  show(scene: Scene): HTMLElement {
    this.#scene = scene;
    const runs = this.runsOf(scene.uri);
    if (runs !== this.#runs || !this.node.firstChild) this.node.replaceChildren(...this.#controls, runs.status, runs.source, runs.table.node, runs.notes, this.#storeNote);
    this.#runs = runs;
    runs.table.follow(textOf(scene.uri), scene.cases);
    this.#showEarlier(scene, runs);
    this.#showStale(runs);
    if (runs.blockedCase && runs.blockedCase !== scene.selectedCase?.id) this.#showStatus(runs, "");
    const recordings = scene.names.filter((name) => name.endsWith(".jsonl"));
    const builtIn = scene.targets.filter((t) => t.built_in && t.name !== "self").map(({ name }) => name), others = scene.targets.filter((t) => !t.built_in).map(({ name }) => `\`${name}\``);
    const answers = [...builtIn.map((name) => [name, `The file's target ${labelOf(name)}`]), ["self", scene.isEvalset ? "What is recorded" : scene.selectedCase?.answer === undefined ? "Expected output" : "Recorded output"], ...(scene.isEvalset ? [] : [["typed", "Typed here, by case"], ...recordings.map((name) => [name, `Recorded answers: ${name}`])])];
    if (answers.flat().join("\n") !== [...this.#answers.options].flatMap((o) => [o.value, o.text]).join("\n")) this.#answers.replaceChildren(...answers.map(([value, label]) => element("option", { value }, label)));
    runs.defaultTarget = builtIn[0] ?? "self";
    const isTyped = !scene.isEvalset && Object.values(scene.entries).some(({ answer }) => answer !== undefined);
    this.#answers.value = runs.answersFrom = answers.some(([value]) => value === runs.chosenAnswers) ? runs.chosenAnswers : isTyped ? "typed" : runs.defaultTarget;
    this.#unavailable.replaceChildren(...inlineCode(others.length && !scene.isEvalset && scene.selectedCase?.answer === undefined ? `The page cannot ask ${others.join(", ")}, which the file names as ${others.length === 1 ? "a target" : "targets"}. \`rubric run ${scene.state.active}\` can.` : ""));
    this.#showAnswer();
    this.#judgeSelect.setRecordings(recordings, () => scene.files());
    const modules = moduleNames();
    this.#graders.textContent = modules.length ? `Code graders that are open: ${modules.join(", ")}. They run in a sandbox and are not stored.` : "";
    this.#runCaseButton.textContent = scene.selectedCase ? `Run case ${this.#label(scene.selectedCase.id)}` : "Run case";
    const all = scene.cases.length;
    this.#runAllButton.textContent = `Run all ${all} cases`;
    this.#runAllButton.hidden = all < 2;
    this.#updateButtons();
    this.#startRequested();
    return this.node;
  }

  /** showStale says whether the text has changed since the last run. */
  #showStale({ stale, table: { isStale } }: DocumentRuns): void {
    if (stale.hidden !== isStale) return;
    stale.hidden = !isStale;
    stale.textContent = isStale ? "stale: the text has changed since" : "";
  }

  /** label returns what people call a case. */
  #label(id: string): string {
    return caseLabel(this.#scene.cases, id);
  }

  /** showEarlier says why there is no table though there are grades of a run: a link and the storage have no more of it. */
  #showEarlier({ cases, entries }: Scene, { source, table }: DocumentRuns): void {
    if (this.#running || !table.node.hidden) return;
    const owners = Object.values(entries).map(({ from }) => from);
    const note = owners.includes("linked run") ? "Score shows grades of a run, from the link. The table of a run stays with who ran it: run to see it." : owners.includes("run") ? "Score shows grades of an earlier run, whose table is not kept: run to see it." : "";
    if (source.firstChild?.textContent !== note) source.replaceChildren(...(note ? [element("span", {}, note), " ", element("button", { type: "button", class: "link", onclick: () => void this.#run(true) }, cases.length > 1 ? `Run all ${cases.length} cases` : "Run")] : []));
  }

  /** startRequested starts a run that was requested before the pane was visible. */
  #startRequested(): void {
    const order = requestedRun;
    if (order && order.uri !== this.#scene.uri) {
      requestedRun = undefined;
      return showStatus("Nothing was run: another file was shown before the run began. Run it again there.");
    }
    if (order && !this.#scene.cases.length) {
      requestedRun = undefined;
      return this.#showStatus(this.#runs, "There is no case to run in this file.", true);
    }
    if (!order || (order.caseId !== undefined && order.caseId !== this.#scene.selectedCase?.id)) return;
    requestedRun = undefined;
    void this.#run(order.caseId === undefined);
  }

  /** chooseAnswers chooses where answers come from. A case without a typed answer starts from that of the file. */
  #chooseAnswers(from: string): void {
    const { id } = this.#scene.selectedCase ?? {}, inFile = answerInFile(this.#scene);
    this.#answers.value = this.#runs.answersFrom = this.#runs.chosenAnswers = from;
    if (from === "typed" && id !== undefined && inFile && this.#scene.entries[id]?.answer === undefined) this.#setAnswer(inFile);
    else this.#showAnswer();
  }

  /** typeAnswer lets the user type the answer of the case. */
  #typeAnswer(): void {
    this.#chooseAnswers("typed");
    this.#answerText.focus();
  }

  #setAnswer(text: string): void {
    const { selectedCase, entries, onGradesChange } = this.#scene;
    if (!selectedCase) return;
    (entries[selectedCase.id] ??= {}).answer = text.trim() ? text : undefined;
    onGradesChange();
    this.#showAnswer(text);
  }

  /** showAnswer shows the answer that is typed for the case, and whose it is. */
  #showAnswer(text = this.#scene.entries[this.#scene.selectedCase?.id ?? ""]?.answer ?? ""): void {
    const { answersFrom, defaultTarget } = this.#runs, { selectedCase: c, entries } = this.#scene;
    const fails = c && this.#runs.table.fails(c.id);
    this.#runs.tryAnswer.textContent = `Try a ${fails ? "better" : "worse"} answer`;
    this.#answerNote.hidden = answersFrom !== "typed" || !c;
    this.#answerText.hidden = this.#answerNote.hidden || this.#judgeSelect.isServer;
    if (this.#answerText.value !== text) this.#answerText.value = text;
    const written = entries[c?.id ?? ""]?.answer, name = this.#label(c?.id ?? "");
    this.#answerNote.replaceChildren(...inlineCode(this.#judgeSelect.isServer ? "The local server grades no typed answers, but those of the file or its target. Choose another judge to grade what is typed." : written === undefined ? `No answer is typed for \`${name}\`, so a run grades ${defaultTarget === "self" ? `its ${kindOf(this.#scene)} output` : `the answer of \`${labelOf(defaultTarget)}\``}. Type one to grade that instead.`
      : c && written === answerInFile(this.#scene) ? `This is the ${kindOf(this.#scene)} answer of \`${name}\`. Make it ${fails ? "better: add what" : "worse: delete or change a part that"} a criterion asks for. Then run the case and see which grades ${fails ? "rise" : "fall"}.` : `A run grades this answer of \`${name}\`. Other cases have their own.`));
  }

  /** runOffline runs the case of a scene while another pane is shown. */
  async runOffline(scene: Scene): Promise<void> {
    this.show(scene);
    await this.#run(false);
    if (!this.#runs.status.isConnected) showStatus(this.#runs.status.textContent ?? "");
  }

  #updateButtons(): void {
    this.#runCaseButton.disabled = this.#runAllButton.disabled = this.isRunning || !this.#scene.cases.length;
    this.#cancelButton.hidden = !this.#running;
  }

  #showStatus(runs: DocumentRuns, text: string, isError = false): void {
    const { status } = runs;
    runs.blockedCase = "";
    status.replaceChildren(...inlineCode(text));
    status.className = isError ? "error" : "";
  }

  /** isRunning reports whether a run has not ended. */
  get isRunning(): boolean {
    return Boolean(this.#running);
  }

  #cancel(): void {
    this.#running?.controller.abort();
    if (this.#running) this.#showStatus(this.#running.runs, "Cancelling. Finished cases keep their results.");
  }

  async #run(all: boolean): Promise<void> {
    const scene = this.#scene, runs = this.#runs;
    if (!scene.cases.length) return;
    if (this.#running) return this.#showStatus(runs, `A run of ${this.#running.name} has not ended: wait for it, or cancel it.`);
    const chosen = all ? scene.cases : scene.cases.filter((c) => c.id === scene.selectedCase!.id).slice(0, 1);
    const leftOut = chosen.filter((c) => c.error), cases = chosen.filter((c) => !c.error).map((c) => c.id);
    if (!cases.length) {
      this.#showStatus(runs, errorText(scene, leftOut[0]!), true);
      if (!all) runs.blockedCase = leftOut[0]!.id;
      return;
    }
    const controller = new AbortController();
    this.#running = { controller, runs, name: scene.state.active };
    showStatus(""); // what it says may be about the results before
    this.#updateButtons();
    this.#cancelButton.focus();
    runs.notes.replaceChildren(...leftOut.map((c) => element("p", { class: "error", dir: "auto" }, ...inlineCode(errorText(scene, c)))));
    runs.source.replaceChildren(...this.#sources(scene, runs, cases)); // from the start, so that the table stays where it is
    runs.replaced = [];
    runs.table.begin(textOf(scene.uri));
    this.#showStale(runs);
    [this.#progress.hidden, this.#progress.max, this.#progress.value] = [false, cases.length, 0];
    try {
      const states = this.#judgeSelect.isServer ? await this.#runLive(scene, runs, all, controller.signal) : await this.#runHere(scene, runs, cases, controller.signal);
      const count = (verdict: string) => states.filter((s) => s === verdict).length;
      const totals = ["pass", "borderline", "fail", "ungraded"].filter(count).map((verdict) => `${count(verdict)} ${verdict}`).join(", ");
      if (!states.length) runs.source.replaceChildren();
      if (runs.replaced.length) runs.notes.append(element("p", {}, `The grades that ${namesOf(runs.replaced.map((id) => caseLabel(scene.cases, id)))} had before the run are kept: “Back to the grades before the run” in Score shows them.`));
      this.#showStatus(runs, `${controller.signal.aborted ? `Cancelled after ${states.length} of ${this.#progress.max}` : `Done: ${states.length} ${states.length === 1 ? "case" : "cases"}`}${totals ? `: ${totals}` : ""}${leftOut.length ? `; ${leftOut.length} left out` : ""}.`);
      runs.status.append(" ", runs.stale);
    } catch (error) {
      runs.source.replaceChildren();
      this.#showStatus(runs, error instanceof Error ? error.message : String(error), true);
    }
    const hadFocus = document.activeElement === this.#cancelButton;
    this.#running = undefined;
    this.#progress.hidden = true;
    this.#updateButtons();
    if (hadFocus) (!all ? this.#runCaseButton : this.#runAllButton.checkVisibility() ? this.#runAllButton : elementById("run-all")).focus();
    runs.table.finish();
    const { causes } = runs.table;
    if (causes.firstChild) runs.status.append(" ", element("button", { type: "button", class: "link", onclick: () => {
      causes.scrollIntoView({ block: "nearest" });
      causes.querySelector("button")?.focus({ preventScroll: true });
    } }, "See why"));
    scene.onRunEnd();
    if (document.activeElement === document.body) elementById("pane").focus({ preventScroll: true }); // what had it is no longer shown
    if (!runs.status.isConnected) showStatus(runs.status.textContent ?? ""); // the user looks at something else
  }

  /** sources says who answers and who judges the cases of a run, and offers what to try next. */
  #sources(scene: Scene, { answersFrom, defaultTarget, tryAnswer }: DocumentRuns, cases: string[]): (Node | string)[] {
    const { isEvalset, entries } = scene, { select, isServer } = this.#judgeSelect, from = isServer ? defaultTarget : answersFrom, target = from === "typed" ? defaultTarget : from;
    const typed = from === "typed" ? cases.filter((id) => entries[id]?.answer !== undefined) : [];
    const others = cases.length - typed.length, rest = target === "self" ? `the ${kindOf(scene)} ones in the file` : target.endsWith(".jsonl") ? `those recorded in ${target}` : `those of the target ${labelOf(target)}`;
    const answered = isEvalset ? "as the files record them" : `${typed.length ? `typed here for ${namesOf(typed.map((id) => caseLabel(scene.cases, id)))}` : ""}${typed.length && others ? `; for the ${others === 1 ? "other case" : `other ${others} cases`} ` : ""}${others ? rest : ""}; no chatbot was asked`;
    return [element("span", { dir: "auto" }, `Answers: ${answered}. Judge: ${isOffline() ? "literal checks, without a model" : select.selectedOptions[0]?.text ?? ""}.`),
      ...(isEvalset || typed.length || !answerInFile(scene) || (target !== "self" && !target.endsWith(".jsonl")) ? [] : [" ", tryAnswer]),
      ...(isOffline() ? [" ", element("button", { type: "button", class: "link", onclick: () => select.focus() }, "Choose a judge")] : [])];
  }

  /** prepareRuns returns how each case runs: its answer and the other files, as they are when the run starts. */
  async #prepareRuns(scene: Scene, { answersFrom, defaultTarget }: DocumentRuns): Promise<(caseId: string) => RunCase> {
    const typed = answersFrom === "typed" ? structuredClone(scene.entries) : undefined;
    const order = (caseId: string): RunCase => ({ document: scene.uri, case: caseId, ...(!scene.isEvalset && { target: typed ? defaultTarget : answersFrom }) });
    if (scene.isEvalset) {
      const otherFiles = await callEvaluator("beside", { document: scene.uri });
      return (caseId) => ({ ...order(caseId), ...otherFiles });
    }
    if (typed) return (caseId) => {
      const answer = typed[caseId]?.answer;
      return answer === undefined ? order(caseId) : { ...order(caseId), target: typedTarget, submission: { candidate_answer: answer } };
    };
    const source = (await scene.files()).find((f) => f.name === answersFrom);
    if (!source) return order;
    const recorded = await submissions(source);
    return (caseId) => ({ ...order(caseId), submission: recorded[caseId] });
  }

  async #runHere(scene: Scene, runs: DocumentRuns, cases: string[], signal: AbortSignal): Promise<string[]> {
    const order = await this.#prepareRuns(scene, runs);
    const judge = await this.#judgeSelect.judge();
    const ordered = await callEvaluator("order", { document: scene.uri, cases });
    this.#progress.max = ordered.cases.length;
    runs.notes.append(...ordered.notes.map((note) => element("p", { class: "faint", dir: "auto" }, note)));
    const states: string[] = [], adopted: Promise<void>[] = [];
    try {
      const host = { answer: (question: Question) => judge.answer!(question, signal), runProgram, replay: judge.replay, signal };
      for await (const { stage, result, index, total, case: caseId } of runCases({ call: callEvaluator }, ordered.cases.map((id) => ({ ...order(id), judge: judge.name })), host)) {
        if (stage === "done") {
          states.push(result.standing);
          runs.table.add(result.record);
          this.#progress.value = states.length;
          adopted.push(this.#adoptGrades(scene, runs, caseId));
          continue;
        }
        const open = stage === "started" ? 0 : result.questions.length + result.programs.length;
        this.#showStatus(runs, `${caseLabel(scene.cases, caseId)}: ${index + 1} of ${total}${open ? `; ${result!.record.evaluator_results.length} graders, ${open} being asked` : ""}`);
      }
    } finally {
      judge.end?.();
      await Promise.all(adopted);
      scene.onGradesChange();
    }
    return states;
  }

  /** adoptGrades makes the grades of a run the starting point of the Verdict pane. */
  async #adoptGrades(scene: Scene, { replaced }: DocumentRuns, caseId: string): Promise<void> {
    nameRun(scene.uri, caseId);
    const last = await lastResult(scene.uri, caseId).catch(() => null); // the case may be gone
    if (last && adoptGrades((scene.entries[caseId] ??= {}), last)) replaced.push(caseId);
  }

  /** showStored shows the results of a stored run, that of the shown case first, until the text changes. It gives the entries with its grades. An answer that is not the file's counts as typed, so that a run grades it again. */
  async showStored(scene: Scene, { name, records, stale }: StoredRun, isCurrent: () => boolean, give: (entries: Entries) => void): Promise<void> {
    const runs = this.runsOf(scene.uri), { config, recorded }: EvalsetFiles = scene.isEvalset ? await callEvaluator("beside", { document: scene.uri }) : {};
    runs.table.begin(stale.length ? Text.empty : textOf(scene.uri));
    let entries: Entries = {};
    for (const record of records.toSorted((a, b) => Number(b.eval_id === scene.state.case) - Number(a.eval_id === scene.state.case))) {
      const { eval_id: id, target = "", candidate_answer: answer } = record;
      if (!isCurrent()) break;
      await callEvaluator("keep", { document: scene.uri, record, stale: stale.includes(id), config, recorded }).catch(() => undefined); // the case may be gone
      nameRun(scene.uri, id, name);
      const last = await lastResult(scene.uri, id).catch(() => null);
      if (last) adoptGrades((entries[id] = answer && !scene.isEvalset && !target.startsWith("self") ? { answer } : {}), last);
      runs.table.add(record);
      if (id !== scene.state.case) continue;
      give(entries);
      entries = {};
      scene.onRunEnd();
    }
    give(entries);
    runs.table.finish();
    runs.source.replaceChildren(element("span", { dir: "auto" }, `From the run ${name}.`));
    scene.onRunEnd();
  }

  async #runLive(scene: Scene, runs: DocumentRuns, all: boolean, signal: AbortSignal): Promise<string[]> {
    const { session, judge } = this.#judgeSelect.session();
    const files = await scene.files();
    const file = files.find((f) => uriOf(f.name) === scene.uri) as File;
    const { config, recorded, target }: EvalsetFiles = scene.isEvalset ? await callEvaluator("beside", { document: scene.uri }) : {};
    const otherFiles = files.filter((f) => (config && f.name === "test_config.json") || (recorded && f.name === target)); // a result file has no other
    const items = new Map<string, ItemResult>();
    const list = element("ul", { class: "plain" });
    runs.notes.append(list);
    const { progress, records } = await session.run(file, otherFiles, all ? undefined : scene.selectedCase!.id, { target: runs.defaultTarget, judge }, signal, ({ results, done, total }) => {
      for (const item of results) items.set(item.id, { ...items.get(item.id), ...item });
      list.replaceChildren(...[...items.values()].map((item) => line(scene, item)));
      [this.#progress.max, this.#progress.value] = [total || 1, done];
      this.#showStatus(runs, `${done} of ${total} cases, by the local server`);
    });
    if (progress.state === "failed") throw new Error(`The local server could not run it: ${progress.message ?? ""}`);
    const ended = [...items.values()].filter((i) => !i.id.split("#")[1]?.includes("/") && i.state !== "cancelled" && i.state !== "started");
    const ids = new Set(ended.map(({ id }) => decodeURIComponent(id.slice(id.indexOf("#") + 1))));
    for (const record of records.filter((r) => ids.has(r.eval_id))) {
      await callEvaluator("keep", { document: scene.uri, text: file.text, config, recorded, record }); // the files may have changed since the run
      await this.#adoptGrades(scene, runs, record.eval_id);
      runs.table.add(record);
    }
    list.remove();
    scene.onGradesChange();
    return ended.map((i) => i.state);
  }
}

function line({ cases }: Scene, { id, state, score, message }: ItemResult): HTMLElement {
  const [caseId, ...parts] = id.slice(id.indexOf("#") + 1).split("/").map(decodeURIComponent), name = [caseLabel(cases, caseId), ...parts].join(" / ");
  return element("li", {}, element("code", {}, name), " ", verdictBadge(state), score === undefined ? "" : ` ${formatNumber(score)}`, message ? element("div", { class: "faint", dir: "auto" }, message) : "");
}

/** answerInFile returns the answer of the selected case that a run grades unless another one is typed. */
const answerInFile = ({ selectedCase: c }: Scene): string | undefined => c?.answer ?? c?.reference_answer;

/** kindOf says whether the file has a recorded answer of the selected case. */
const kindOf = ({ selectedCase: c }: Scene): string => (c?.answer === undefined ? "expected" : "recorded");

/** textOf returns the text of an open document. */
const textOf = (uri: string): Text | undefined => client.workspace.getFile(uri)?.doc;

/** labelOf returns the name of a target as files write it. */
const labelOf = (target: string): string => target.replace(/:$/, "");

/** namesOf names one case, or counts several. */
const namesOf = (cases: string[]): string => (cases.length <= 3 ? cases.join(", ") : `${cases.length} cases`);

/** nameRunButton says on the header's button what it does. */
export function nameRunButton(cases: number): void {
  const button = elementById("run-all");
  button.title = `${isOffline() ? "Checks literally, offline: no model is asked. Choose a judge in Results." : "Asks the judge that is chosen in Results."} (${keyName("Mod+Enter")})`;
  button.lastElementChild!.replaceChildren(cases > 1 ? "Run all" : "Run", ...(cases > 1 ? [element("span", { class: "all" }, ` ${cases} cases`)] : []), ...(isOffline() ? [element("span", { class: "offline" }, " offline")] : []));
}

let runPane: RunPane | undefined;

/** isRunning reports whether a run has not ended, whose results are lost with the page. */
export const isRunning = (): boolean => runPane?.isRunning ?? false;

let requestedRun: { uri: string; caseId: string | undefined } | undefined;

/** requestRun makes the pane run a case of a document, or all cases, when it is shown next. */
export const requestRun = (uri: string, caseId: string | undefined): void => void (requestedRun = { uri, caseId });

/** openRows returns the open rows of a document's results. */
export const openRows = (uri: string): number[] => documents.get(uri)?.table.openRows ?? [];

/** worstVerdicts returns the worst verdict at each place of a case in a document, as LINE:CHARACTER, once the table follows the text. */
export async function worstVerdicts({ uri, cases }: Scene): Promise<Map<string, string>> {
  const table = documents.get(uri)?.table, now = textOf(uri);
  table?.follow(now, cases, table.isOf(now) ? undefined : await countingResults(uri));
  return table?.worst ?? new Map<string, string>();
}

/** countingResults says in a few words what the last results come to by the text of now, by case. */
async function countingResults(uri: string): Promise<Map<string, string>> {
  const { result } = await callEvaluator("lsp", { method: "rubric/testItems", params: { textDocument: { uri } } }).catch(() => ({})) as { result?: { children: { target: { case: string }; result?: { text: string } }[] } | null };
  return new Map(result?.children.map((c) => [c.target.case, c.result?.text ?? ""]));
}

/** showRows opens some rows of a document's results and closes the others. */
export const showRows = (uri: string, rows: number[]): void => documents.get(uri)?.table.showRows(rows);

/** runOffline runs the case of a scene without showing the pane. */
export const runOffline = (scene: Scene): Promise<void> => (runPane ??= new RunPane()).runOffline(scene);

/** showStored shows the results of a stored run without showing the pane. */
export const showStored = (...about: Parameters<RunPane["showStored"]>): Promise<void> => (runPane ??= new RunPane()).showStored(...about);

/** run shows the pane, and why a file has no case to run. */
export const run: Pane = async (scene) => [(runPane ??= new RunPane()).show(scene), ...(scene.cases.length ? [] : await emptyPane(scene))];
