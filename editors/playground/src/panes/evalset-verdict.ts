// The Verdict pane of an evalset case: ADK's metrics, the judge's answers as controls, and what would flip the
// result.
import type { ManualItem, TurnQuestion, LastResult, MeasuredMetric, MeasureResult, ManualVerdict, FlippingVerdict } from "@rubric-ls/wasm";
import { elementById, element } from "../dom";
import { callEvaluator } from "../evaluator";
import { isSameTarget, type Entries, type ManualGrade } from "../state";
import { gradeSource, caseError, flipHeading, focusFlip, gradeActions, hypothetical, inRun, runActions, verdictBadge, errorNotice } from "./grade-source";
import { lastGrade, lastResult, lastRunSummary } from "./last-run";
import type { Scene } from "./pane";
import { formatNumber } from "./chart";
import { recordedResults } from "./recorded-results";
import { verdictClass, statusBadge, type Status } from "./status";

/** labels are the labels of a sentence that judges may give. */
const labels = ["supported", "unsupported", "contradictory", "disputed", "not_applicable"];

/** gradeOf returns a grade without its text. */
const gradeOf = ({ text: _, ...typed }: ManualItem): ManualGrade => typed;

const gradeText = (t: Pick<ManualGrade, "label" | "votes" | "satisfied">): string => t.label ?? (t.votes === undefined ? (t.satisfied ? "yes" : "no") : `${t.votes} ${t.votes === 1 ? "vote" : "votes"}`);

const flipText = (f: FlippingVerdict): string => `Set ${f.id} of ${f.grader}, turn ${f.turn}, to ${gradeText(f)}: ${f.eval_status}${f.score === null ? "" : `, score ${formatNumber(f.score)}`}`;

/** Apply gives the verdict of a button. */
type Apply = (f: FlippingVerdict) => void;

const flipList = (all: FlippingVerdict[], apply: Apply): HTMLElement => element("div", { class: "row" }, ...all.map((f) => element("button", { type: "button", class: "flip", onclick: () => apply(f) }, flipText(f))));

/** maxShown is the number of case flips shown at once. */
const maxShown = 6;

/** flipSection shows the verdicts that would flip the case, and those that would flip only a metric. */
function flipSection({ flips = [], untried, final_eval_status: now, metrics }: MeasureResult, apply: Apply): Node[] {
  if (!metrics.some((m) => m.asked.length)) return [element("p", { class: "faint" }, "No judge is needed: the metrics depend only on the files.")];
  const caseFlips = flips.filter((f) => f.final_eval_status !== now), metricFlips = flips.filter((f) => f.final_eval_status === now);
  const details = (what: string, all: FlippingVerdict[]) => (all.length ? [element("details", {}, element("summary", {}, `${what} (${all.length})`), flipList(all, apply))] : []);
  return [
    caseFlips.length ? element("div", {}, flipHeading(caseFlips.length), flipList(caseFlips.slice(0, maxShown), apply)) : element("p", { class: "faint" }, `No other single verdict changes the case's ${now}.`),
    ...details("More", caseFlips.slice(maxShown)), ...details("Flips of a single metric", metricFlips),
    ...(untried ? [element("p", { class: "faint" }, `${untried} other verdicts were not tried.`)] : []),
  ];
}

/** score shows a score and its threshold, as text and as a bar. */
function score({ score: value, threshold, eval_status: status, reason }: MeasuredMetric): Node[] {
  if (value === null) return [element("span", { class: "chip" }, "not evaluated"), element("p", { class: "faint", dir: "auto" }, reason ?? "")];
  const bar = element("span", { class: `score-bar ${verdictClass[status]}`, "aria-hidden": "true" }, element("i", {}), element("b", {}));
  bar.style.setProperty("--grade", String(Math.min(1, Math.max(0, value))));
  bar.style.setProperty("--at", String(Math.min(1, Math.max(0, threshold))));
  return [element("span", {}, `${formatNumber(value)} (needs at least ${formatNumber(threshold)})`), bar];
}

/** control returns the control for one judgement. Its accessible name is the text next to it. */
function control(t: ManualGrade, graded: boolean, { form, samples }: TurnQuestion, id: string, name: string, onGrade: (t: ManualGrade) => void): Node[] {
  if (form === "label") {
    const choice = element("select", { id, "aria-label": `label of: ${name}`, onchange: () => onGrade({ ...t, label: choice.value }) }, ...labels.map((l) => element("option", { value: l, selected: graded && l === t.label }, l)));
    if (!graded) choice.prepend(element("option", { value: "", selected: true, disabled: true }, "not judged yet"));
    else if (!labels.includes(t.label ?? "")) choice.prepend(element("option", { value: t.label ?? "", selected: true }, `${t.label} (does not count)`));
    return [choice];
  }
  if (form === "votes") {
    const shown = element("output", { for: id }, graded ? String(t.votes) : "–");
    const range = element("input", { type: "range", id, min: 0, max: samples, step: 1, value: t.votes ?? samples, "aria-label": `votes for: ${name}`, "aria-valuetext": graded ? undefined : "not judged yet", class: graded ? undefined : "open", oninput: () => {
      range.removeAttribute("aria-valuetext");
      range.removeAttribute("class");
      shown.textContent = range.value;
      onGrade({ ...t, votes: Number(range.value) });
    } });
    return [range, shown, element("span", {}, ` of ${samples} for it`)];
  }
  const box = element("input", { type: "checkbox", id, checked: graded && t.satisfied, onchange: () => onGrade({ ...t, satisfied: box.checked }) });
  box.indeterminate = !graded;
  return [element("label", { for: id }, box, " yes")];
}

function row(item: ManualItem, graded: boolean, of: TurnQuestion, last: LastResult | null, onGrade: (t: ManualGrade) => void): HTMLElement {
  const t = gradeOf(item);
  return element("div", { class: "grade" },
    element("div", { class: "row" }, element("code", {}, item.id), element("span", { class: "end row" }, ...control(t, graded, of, `ruling-${t.grader}-${t.turn}-${t.id}`, item.text, onGrade))),
    element("p", { dir: "auto" }, item.text), lastGrade(last, t));
}

/** manualVerdicts returns the user's verdicts for a case, as `measure` takes them. */
export const manualVerdicts = (entries: Entries, caseId: string): ManualVerdict[] => (entries[caseId]?.grades ?? []).flatMap(({ score, turn, ...t }) => (turn === undefined ? [] : [{ ...t, turn }]));

/** MetricElements are the elements of a metric that repaint. */
interface MetricElements {
  head: HTMLElement;
  turns: HTMLElement[];
}

/** evalsetVerdict shows the metrics of a case, and lets the user answer for the judge. */
export async function evalsetVerdict(scene: Scene, caseId: string): Promise<Node[]> {
  const [last, recordedRuns] = await Promise.all([lastResult(scene.uri, caseId), recordedResults(scene, caseId)]);
  const outcome = element("p", { role: "status", class: "outcome" }), reason = element("div"), summary = element("div"), flips = element("div"), fieldsets = element("div"), actions = element("p", { class: "row" });
  const metrics = new Map<string, MetricElements>();
  const errorBox = element("div");
  let shownQuestions = "";

  /** isGraded reports whether the user, or a run that is not stale, has judged something. */
  const isGraded = (t: ManualGrade) => manualVerdicts(scene.entries, caseId).some((o) => isSameTarget(o, t)) || Boolean(last?.grades.some((g) => isSameTarget(g, t) && !g.stale && !g.ungraded));
  /** isOpen reports whether a metric waits for a judge. */
  const isOpen = (m: MeasuredMetric) => {
    const items = m.asked.flatMap((a) => a.items);
    return m.asked.length > 0 && m.eval_status !== "NOT_EVALUATED" && (items.length ? !items.some((i) => isGraded(gradeOf(i))) : !last || last.stale);
  };

  /** showOutcome shows the verdict, its source, and the possible actions. */
  const showOutcome = (r: MeasureResult) => {
    const count = (of: Status) => r.metrics.filter((m) => m.eval_status === of).length;
    const counts = `${count("PASSED")} of ${r.metrics.length} metrics passed${count("NOT_EVALUATED") ? `; ${count("NOT_EVALUATED")} not evaluated (ignored)` : ""}`;
    const open = r.metrics.filter(isOpen).length, source = gradeSource(manualVerdicts(scene.entries, caseId), last);
    const faint = (text: string) => element("span", { class: "faint" }, text);
    const error = caseError(scene, caseId);
    errorBox.replaceChildren(...errorNotice(scene, caseId, error));
    actions.replaceChildren(...gradeActions(scene, caseId, source, last, error, redraw));
    summary.replaceChildren(...(source === "run" && !last!.stale ? [] : [lastRunSummary(last)]).filter((node) => node !== null));
    if (source === "none" && open) {
      outcome.replaceChildren(verdictBadge("open", "Not judged yet"), error ? "" : ` If every judgement is favourable: ${r.final_eval_status}, ${counts}`);
      if (!error) actions.replaceChildren(...runActions(scene, caseId));
      return;
    }
    const ungraded = source === "run" && last!.standing === "ungraded" && !last!.stale;
    outcome.replaceChildren(ungraded ? verdictBadge("ungraded") : statusBadge(r.final_eval_status), ` ${counts} `,
      ...(source === "person" ? hypothetical(scene.entries[caseId], last, open) : [faint(source === "run" ? inRun(last!) : r.metrics.length ? "by the files alone" : "")]), open && source === "person" ? faint(`; ${open} not judged yet, which count as passed`) : "");
  };
  const paint = (r: MeasureResult) => {
    showOutcome(r);
    const notes = [r.reason, r.took && `The agent took ${r.took}.`].filter(Boolean) as string[];
    reason.replaceChildren(...notes.map((note) => element("p", { class: "faint", dir: "auto" }, note)));
    for (const m of r.metrics) {
      const { head, turns } = metrics.get(m.metric_name)!;
      const open = isOpen(m), items = m.asked.flatMap((a) => a.items), ungradedCount = items.filter((i) => !isGraded(gradeOf(i))).length;
      if (open) head.replaceChildren(verdictBadge("open", "Not judged yet"), element("span", {}, `at best ${m.score === null ? "not evaluated" : formatNumber(m.score)} (needs at least ${formatNumber(m.threshold)})`));
      else head.replaceChildren(statusBadge(m.eval_status), ...score(m), ungradedCount ? element("span", { class: "faint" }, `${ungradedCount} of ${items.length} not judged yet, which count as favourable`) : "");
      m.invocations.forEach((t, i) => turns[i]?.replaceChildren(open ? `turn ${i + 1}: not judged yet` : `turn ${i + 1}: ${t.score === null ? "not evaluated" : `${t.eval_status} ${formatNumber(t.score)}`}`, t.reason ? element("span", { class: "faint", dir: "auto" }, ` ${t.reason}`) : ""));
    }
  };

  /** build creates the controls again if the questions have changed. */
  const build = (r: MeasureResult) => {
    const now = JSON.stringify(r.metrics.map((m) => [m.metric_name, m.invocations.length, m.asked.map((a) => [a.turn, a.samples, a.items.map((i) => [i.id, i.text])])]));
    if (now === shownQuestions) return;
    shownQuestions = now;
    metrics.clear();
    fieldsets.replaceChildren(...r.metrics.map((m) => {
      const shown: MetricElements = { head: element("div", { class: "row" }), turns: m.invocations.map(() => element("p", { class: "turn" })) };
      metrics.set(m.metric_name, shown);
      const rows = (turn: number) => m.asked.filter((a) => a.turn === turn).flatMap((a) => a.items.map((i) => row(i, isGraded(gradeOf(i)), a, last, onGrade)));
      return element("fieldset", {}, element("legend", {}, m.metric_name), shown.head, ...shown.turns.flatMap((t, i) => [t, ...rows(i + 1)]));
    }));
  };

  const redraw = async () => elementById("pane").replaceChildren(...await evalsetVerdict(scene, caseId));
  let lastRound = 0;
  const measure = async () => {
    const round = ++lastRound;
    const params = { document: scene.uri, case: caseId, grades: manualVerdicts(scene.entries, caseId) };
    const result = await callEvaluator("measure", params);
    if (round !== lastRound) return;
    build(result);
    paint(result);
    const flipResult = await callEvaluator("measure", { ...params, flips: true });
    if (round === lastRound) flips.replaceChildren(...flipSection(flipResult, (f) => void applyFlip(f).catch(() => undefined)));
  };
  const onGrade = (t: ManualGrade) => {
    Object.assign((scene.entries[caseId] ??= {}), { grades: [...manualVerdicts(scene.entries, caseId).filter((o) => !isSameTarget(o, t)), t], from: undefined });
    scene.onGradesChange();
    void measure().catch(() => undefined); // after a change of the text the page refreshes
  };
  /** applyFlip gives the verdict of a button, and moves the focus to the button that may take it back. */
  const applyFlip = async ({ grader, id, turn, satisfied, votes, label }: FlippingVerdict) => {
    onGrade({ grader, id, turn, ...(label === undefined ? votes === undefined ? { satisfied } : { votes } : { label }) });
    await redraw();
    focusFlip();
  };
  await measure();
  return [element("div", { class: "summary" }, outcome, flips, actions, errorBox, reason, summary, ...recordedRuns), fieldsets];
}
