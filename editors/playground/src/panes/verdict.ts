// The Verdict pane: the verdict of the given grades, and what would flip it.
import type { Case, Criterion, Evaluator, VerdictFlip, Gate, GradeResult } from "@rubric-ls/wasm";
import { elementById, element, inlineCode, showStatus } from "../dom";
import { callEvaluator } from "../evaluator";
import { startRun } from "../code-lenses";
import { isSameTarget, type ManualGrade } from "../state";
import { gradeSource, caseError, gradeActions, hypothetical, inRun, verdictBadge, errorNotice } from "./grade-source";
import { gradersOf, criterionRow, completeGrades, graderRow } from "./grades";
import { lastResult, lastRunSummary } from "./last-run";
import { evalsetVerdict } from "./evalset-verdict";
import { emptyPane, type Pane, type Scene } from "./pane";
import { formatNumber, scoreChart, thresholds, type Column } from "./chart";

/** flipChip sets a grade that changes the verdict. */
function flipChip(f: VerdictFlip, onGrade: (f: VerdictFlip) => void): HTMLElement {
  const grade = f.score === undefined ? (f.satisfied ? "satisfied" : "not satisfied") : formatNumber(f.score);
  return element("button", { type: "button", class: `flip ${f.verdict}`, onclick: () => onGrade(f) }, `If ${f.id || f.grader} is ${grade}: `, element("b", {}, f.verdict), f.case_score === null ? "" : `, score ${formatNumber(f.case_score)}`);
}

/** nearMissNote says which single grade keeps a case from passing, if there is one. */
function nearMissNote(flips: VerdictFlip[], grades: ManualGrade[]): (Node | string)[] {
  const f = flips.find(({ verdict }) => verdict === "pass"), now = f && grades.find((t) => t.grader === f.grader && t.id === f.id);
  if (!f || !now) return [];
  return [element("b", {}, "Near miss:"), " a single grade keeps this case from passing. ", element("code", {}, f.id || f.grader), f.score === undefined ? ` is ${f.satisfied ? "not satisfied" : "satisfied"}.` : ` is ${formatNumber(now.score ?? 0)}, and ${formatNumber(f.score)} is enough.`];
}

/** columnOf returns the chart column of a criterion. */
function columnOf(k: Criterion, t: ManualGrade, result: GradeResult, graded: boolean): Column {
  const missed = result.gates.some((g) => !g.met && g.id === k.id && (!g.grader || g.grader === t.grader));
  const gated = k.required || k.required_min_score !== undefined;
  return {
    name: k.id, weight: k.weight, gate: !graded ? "none" : missed ? "missed" : gated ? "met" : "none", grade: t.score === undefined ? Number(t.satisfied) : t.score / 10, open: !graded,
    description: !graded ? "not graded" : t.score === undefined ? (t.satisfied ? "satisfied" : "not satisfied") : `${t.score} of 10`,
  };
}

/** gateLine shows a gate and whether it is met. */
function gateLine(g: Gate, graded: boolean): HTMLElement {
  const asks = g.minimum === undefined ? "required" : `at least ${g.minimum}`;
  const state = !graded ? "open" : g.met ? "met" : "missed";
  const why = state === "missed" && g.minimum !== undefined && g.reason ? `, ${g.reason}` : "";
  return element("li", { class: state }, `${g.id || g.grader} (${asks}): ${{ open: "not graded yet", met: "met", missed: "not met" }[state]}${why}`);
}

/** draftButton offers criteria for a case that has none, drafted from what the case expects. */
function draftButton(scene: Scene, c: Case): HTMLElement | "" {
  if (gradersOf(c).some((g) => g.rubrics?.length)) return "";
  return element("button", { type: "button", onclick: () => void draft(scene, c.id).catch((error: Error) => showStatus(error.message)) }, "Draft a rubric from this case");
}

async function draft(scene: Scene, caseId: string): Promise<void> {
  const { edits, problems } = await callEvaluator("draft", { document: scene.uri, case: caseId });
  scene.edit(edits);
  showStatus(edits.length ? "The criteria are drafted from the expected answer. Edit them to say what you mean." : problems.join("; "));
}

/** verdict lets the user grade, and updates the verdict with each grade. It shows no verdict before the first grade. */
export const verdict: Pane = async (scene) => {
  const c = scene.selectedCase;
  if (!c) return emptyPane(scene);
  if (scene.isEvalset) return evalsetVerdict(scene, c.id);
  const last = await lastResult(scene.uri, c.id);
  const graders = gradersOf(c);
  const grades = completeGrades(c, scene.state.grades[c.id] ?? []);
  const isGiven = (t: ManualGrade) => (scene.state.grades[c.id] ?? []).some((o) => isSameTarget(o, t) && (o.score === undefined) === (t.score === undefined));
  const isGraded = (g: Gate) => grades.every((t) => isGiven(t) || !(g.grader === t.grader && (g.whole || g.id === t.id) || g.id === `${t.grader}/${t.id}`));
  const gradeFor = (g: Evaluator, id: string) => grades.find((t) => t.grader === g.name && t.id === id)!;
  const outcome = element("div"), nearMiss = element("p"), summary = element("div"), flips = element("div"), graderChart = element("div"), actions = element("p", { class: "row" });
  const status = element("p", { role: "status", class: "outcome" });
  const charts = new Map(graders.map((g) => [g, element("div")]));
  const errorBox = element("div");
  const bestCase = grades.every((t) => t.id) ? "every criterion is met" : "every grade is the best";

  /** showOutcome shows the verdict, its source, and the possible actions. It returns the reasons to list. */
  const showOutcome = (result: GradeResult) => {
    const error = caseError(scene, c.id);
    errorBox.replaceChildren(...errorNotice(error));
    const open = grades.filter((t) => !isGiven(t)).length, source = gradeSource(grades.filter(isGiven), last);
    const faint = (text: string) => element("span", { class: "faint" }, text);
    actions.replaceChildren(...gradeActions(scene, c.id, source, last, error, redraw));
    summary.replaceChildren(...(source === "run" && !last!.stale ? [] : [lastRunSummary(last)]).filter((node) => node !== null));
    if (source === "none") {
      status.replaceChildren(verdictBadge("open", "Not judged yet"), error ? "" : ` If ${bestCase}: ${result.verdict}${result.score === null ? "" : `, score ${formatNumber(result.score)}`}.`);
      if (!error) actions.replaceChildren(element("button", { type: "button", onclick: () => startRun(scene.uri, c.id) }, "Run this case"), draftButton(scene, c));
      return error ? [] : result.reasons;
    }
    if (source === "run" && (open || !last!.stale)) {
      const { standing, score } = last!;
      status.replaceChildren(verdictBadge(standing), score === null ? " " : ` score ${formatNumber(score)} `, faint(inRun(last!)));
      return open ? [`${open} of ${grades.length} were not judged.`] : result.reasons;
    }
    status.replaceChildren(verdictBadge(result.verdict), result.score === null ? " " : ` score ${formatNumber(result.score)} `, ...(source === "run" ? [faint("with the grades of the last run")] : hypothetical(scene, c.id, last)));
    return source === "person" && open ? [`${open} of ${grades.length} are not graded yet and count as met.`, ...result.reasons] : result.reasons;
  };
  const paint = (result: GradeResult) => {
    const reasons = showOutcome(result).filter((r) => !result.gates.some((g) => g.reason && r.endsWith(g.reason)));
    if (result.verdict === "fail" && (result.score ?? 0) >= thresholds.borderline && result.gates.some((g) => !g.met)) reasons.push("A gate that is not met fails the case, whatever the score.");
    outcome.replaceChildren(
      ...(result.gates.length ? [element("ul", { class: "gates" }, ...result.gates.map((g) => gateLine(g, isGraded(g))))] : []),
      ...reasons.map((r) => element("p", { class: "faint" }, ...inlineCode(r))),
    );
    const scored = (name: string) => result.graders.find((g) => g.name === name);
    if (graders.length > 1) {
      graderChart.replaceChildren(scoreChart(graders.map((g) => {
        const score = scored(g.name)?.score ?? 0, open = !grades.some((t) => t.grader === g.name && isGiven(t));
        return { name: g.name, weight: g.weight, grade: score, description: open ? "not graded" : formatNumber(score), open, gate: result.gates.some((x) => x.whole && x.grader === g.name && !x.met) ? "missed" : "none" };
      }), result.score ?? 0));
    }
    for (const [g, place] of charts) {
      if (g.rubrics?.length) place.replaceChildren(scoreChart(g.rubrics.map((k) => columnOf(k, gradeFor(g, k.id), result, isGiven(gradeFor(g, k.id)))), scored(g.name)?.score ?? result.score ?? 0));
    }
  };
  const gradeCase = async () => {
    const params = { document: scene.uri, case: c.id, grades };
    const [result, flipResult] = await Promise.all([callEvaluator("grade", params), callEvaluator("flip", params)]);
    paint(result);
    nearMiss.replaceChildren(...(result.verdict === "pass" || !grades.some(isGiven) ? [] : nearMissNote(flipResult.flips, grades)));
    flips.replaceChildren(
      element("h2", {}, "What would flip it", element("span", { class: "faint" }, ": choose one, or move a slider below")),
      flipResult.flips.length ? element("div", { class: "row" }, ...flipResult.flips.map((f) => flipChip(f, (chosen) => void apply(chosen).catch(() => undefined)))) : element("p", { class: "faint" }, "No other single grade changes the verdict."),
    );
  };
  /** apply gives the grade of a chip, and moves the focus to its control. */
  const apply = async ({ grader, id, satisfied, score }: VerdictFlip) => {
    onGrade({ grader, id, ...(score === undefined ? { satisfied } : { score }) });
    await redraw();
    document.getElementById(id ? `grade-${grader}-${id}` : `grade-${grader}`)?.focus();
  };
  const redraw = async () => elementById("pane").replaceChildren(...await verdict(scene));
  const onGrade = (t: ManualGrade) => {
    const all = (scene.state.grades[c.id] ??= []);
    const was = all.findIndex((o) => o.grader === t.grader && o.id === t.id);
    if (was < 0) all.push(t);
    else all[was] = t;
    scene.onGradesChange();
    void gradeCase().catch(() => undefined); // after a change of the text the page refreshes
  };
  const fieldsets = graders.map((g) => {
    const total = (g.rubrics ?? []).reduce((sum, k) => sum + k.weight, 0);
    const rows = g.rubrics?.length ? g.rubrics.map((k) => criterionRow(k, total, gradeFor(g, k.id), isGiven(gradeFor(g, k.id)), last, onGrade)) : [graderRow(g, gradeFor(g, ""), isGiven(gradeFor(g, "")), last, onGrade)];
    return element("fieldset", {}, element("legend", {}, g.name, g.type === g.name ? "" : element("span", { class: "faint" }, ` ${g.type}`)), charts.get(g), ...rows);
  });
  await gradeCase();
  return [element("div", { class: "summary" }, status, nearMiss, actions, errorBox, outcome, summary, flips, graderChart), ...fieldsets];
};
