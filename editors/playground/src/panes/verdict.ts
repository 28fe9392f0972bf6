// The Verdict pane: the verdict of the given grades, and what would flip it.
import type { Case, Criterion, Evaluator, VerdictFlip, Gate, GradeResult } from "@rubric-ls/wasm";
import { elementById, element, inlineCode, showStatus } from "../dom";
import { callEvaluator } from "../evaluator";
import { isSameTarget, type ManualGrade } from "../state";
import { gradeSource, caseError, flipHeading, focusFlip, gradeActions, hypothetical, inRun, runActions, verdictBadge, errorNotice } from "./grade-source";
import { gradersOf, criterionRow, completeGrades, graderRow } from "./grades";
import { gradedAnswer, lastResult, lastRunSummary, satisfiedText } from "./last-run";
import { evalsetVerdict } from "./evalset-verdict";
import { emptyPane, type Pane, type Scene } from "./pane";
import { explained } from "../words";
import { formatNumber, scoreChart, thresholds, type Column } from "./chart";

/** flipButton sets a grade that changes the verdict. */
function flipButton(f: VerdictFlip, onGrade: (f: VerdictFlip) => void): HTMLElement {
  const grade = f.score === undefined ? satisfiedText(f.satisfied) : formatNumber(f.score);
  return element("button", { type: "button", class: "flip", onclick: () => onGrade(f) }, `Set ${f.id || f.grader} to ${grade}: `, element("b", { class: f.verdict }, f.verdict), f.case_score === null ? "" : `, score ${formatNumber(f.case_score)}`);
}

/** nearMiss is how many points of 10 a grade may lack at most for a near miss. */
const nearMiss = 2;

/** distanceNote says how far a case is from passing by a single grade. */
function distanceNote(flips: VerdictFlip[], grades: ManualGrade[]): Node[] {
  const scale = (f: VerdictFlip) => (f.id ? 1 : 10); // a whole grader has a score from 0 to 1
  const nowOf = (f: VerdictFlip) => grades.find((t) => t.grader === f.grader && t.id === f.id)?.score ?? 0;
  const missing = (f: VerdictFlip) => (f.score === undefined ? 1 : Math.round((f.score - nowOf(f)) * scale(f) * 1000) / 1000);
  const [f] = flips.filter(({ verdict }) => verdict === "pass").sort((a, b) => missing(a) - missing(b));
  if (!f) return inlineCode(flips.length ? "No single grade makes this case pass: more than one has to change." : "");
  const points = missing(f), name = `\`${f.id || f.grader}\``, more = `${formatNumber(points / scale(f))}${f.id ? points === 1 ? " point" : " points" : ""} more`;
  const note = (kind: string, text: string) => [element("b", {}, kind), ...inlineCode(text)];
  if (f.score === undefined) return note("Near miss:", ` one criterion decides. If ${name} were ${f.satisfied ? "" : "not "}satisfied, the case would pass.`);
  const now = formatNumber(nowOf(f)), enough = formatNumber(f.score);
  return points <= nearMiss ? note("Near miss:", ` ${more} would pass. ${name} is ${now}, and ${enough} is enough.`) : note("Not close:", ` ${name} is ${now} and has to be ${enough}, ${more}, before the case passes.`);
}

/** columnOf returns the chart column of a criterion. */
function columnOf(k: Criterion, t: ManualGrade, result: GradeResult, graded: boolean): Column {
  const missed = result.gates.some((g) => !g.met && g.id === k.id && (!g.grader || g.grader === t.grader));
  const gated = k.required || k.required_min_score !== undefined;
  return {
    name: k.id, weight: k.weight, gate: !graded ? "none" : missed ? "missed" : gated ? "met" : "none", grade: t.score === undefined ? Number(t.satisfied) : t.score / 10, open: !graded,
    description: !graded ? "not graded" : t.score === undefined ? satisfiedText(t.satisfied) : `${t.score} of 10`,
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
  if (scene.dialect === "promptfoo" || gradersOf(c).some((g) => g.rubrics?.length)) return "";
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
  const grades = completeGrades(c, scene.entries[c.id]?.grades ?? []);
  const isGiven = (t: ManualGrade) => (scene.entries[c.id]?.grades ?? []).some((o) => isSameTarget(o, t) && (o.score === undefined) === (t.score === undefined));
  const isGraded = (g: Gate) => grades.every((t) => isGiven(t) || !(g.grader === t.grader && (g.whole || g.id === t.id) || g.id === `${t.grader}/${t.id}`));
  const gradeFor = (g: Evaluator, id: string) => grades.find((t) => t.grader === g.name && t.id === id)!;
  const outcome = element("div"), distance = element("p"), summary = element("div"), flips = element("div"), graderChart = element("div"), actions = element("p", { class: "row" });
  const status = element("p", { role: "status", class: "outcome" });
  const charts = new Map(graders.map((g) => [g, element("div")]));
  const errorBox = element("div");
  const isYesNo = (grader: string, id: string) => !id && graders.some((g) => g.name === grader && g.yes_no);
  const limits = scene.dialect === "promptfoo" ? {} : thresholds; // a test of promptfoo passes by its assertions
  const bestCase = grades.every((t) => t.id || isYesNo(t.grader, t.id)) ? "every criterion is met" : "every grade is the best";

  /** showOutcome shows the verdict, its source, and the possible actions. It returns the reasons to list. */
  const showOutcome = (result: GradeResult) => {
    const error = caseError(scene, c.id);
    errorBox.replaceChildren(...errorNotice(scene, c.id, error));
    const open = grades.filter((t) => !isGiven(t)).length, source = gradeSource(grades.filter(isGiven), last);
    const faint = (text: string) => element("span", { class: "faint" }, text);
    actions.replaceChildren(...gradeActions(scene, c.id, source, last, error, redraw));
    summary.replaceChildren(...(source === "run" && !last!.stale ? [] : [lastRunSummary(last)]).filter((node) => node !== null));
    if (source === "none") {
      status.replaceChildren(verdictBadge("open", "Not judged yet"), error ? "" : ` If ${bestCase}: ${result.verdict}${result.score === null ? "" : `, score ${formatNumber(result.score)}`}.`);
      if (!error) actions.replaceChildren(...runActions(scene, c.id), draftButton(scene, c));
      return error ? [] : result.reasons;
    }
    if (source === "run" && (open || !last!.stale)) {
      const { standing, score } = last!;
      status.replaceChildren(verdictBadge(standing), score === null ? " " : ` score ${formatNumber(score)} `, faint(inRun(last!)));
      return open ? [`${open} of ${grades.length} were not judged.`] : result.reasons;
    }
    status.replaceChildren(verdictBadge(result.verdict), result.score === null ? " " : ` score ${formatNumber(result.score)} `, ...(source === "run" ? [faint(`with the grades of ${last!.run ?? "the last run"}`)] : hypothetical(scene.entries[c.id], last, open)));
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
        return { name: g.name, weight: g.weight, grade: score, description: open ? "not graded" : g.yes_no ? satisfiedText(score === 1) : formatNumber(score), open, gate: result.gates.some((x) => x.whole && x.grader === g.name && !x.met) ? "missed" : "none" };
      }), result.score ?? 0, limits));
    }
    for (const [g, place] of charts) {
      if (g.rubrics?.length) place.replaceChildren(scoreChart(g.rubrics.map((k) => columnOf(k, gradeFor(g, k.id), result, isGiven(gradeFor(g, k.id)))), scored(g.name)?.score ?? result.score ?? 0, limits));
    }
  };
  const gradeCase = async () => {
    const params = { document: scene.uri, case: c.id, grades }, given = grades.filter(isGiven), isOfRun = gradeSource(given, last) === "run";
    // What a run left open stays open. What a person has not graded yet counts as met, which no claim about passing may rest on.
    const [result, flipResult] = await Promise.all([callEvaluator("grade", params), callEvaluator("flip", isOfRun ? { ...params, grades: given } : params)]);
    paint(result);
    const all = flipResult.flips.map((f) => (isYesNo(f.grader, f.id) ? { ...f, satisfied: f.score === 1, score: undefined } : f));
    distance.replaceChildren(...(result.verdict === "pass" || !given.length || (given.length < grades.length && !isOfRun) ? [] : distanceNote(all, grades)));
    flips.replaceChildren(all.length ? flipHeading(all.length) : element("p", { class: "faint" }, "No other single grade changes the verdict."),
      element("div", { class: "row" }, ...all.map((f) => flipButton(f, (chosen) => void apply(chosen).catch(() => undefined)))));
  };
  /** apply gives the grade of a button, and moves the focus to the button that may take it back. */
  const apply = async ({ grader, id, satisfied, score }: VerdictFlip) => {
    onGrade({ grader, id, ...(score !== undefined ? { score } : isYesNo(grader, id) ? { score: Number(satisfied) } : { satisfied }) });
    await redraw();
    focusFlip();
  };
  const redraw = async () => elementById("pane").replaceChildren(...await verdict(scene));
  const onGrade = (t: ManualGrade) => {
    const entry = (scene.entries[c.id] ??= {}), all = (entry.grades ??= []);
    entry.from = undefined;
    const was = all.findIndex((o) => o.grader === t.grader && o.id === t.id);
    if (was < 0) all.push(t);
    else all[was] = t;
    scene.onGradesChange();
    void gradeCase().catch(() => undefined); // after a change of the text the page refreshes
  };
  const fieldsets = graders.map((g) => {
    const total = (g.rubrics ?? []).reduce((sum, k) => sum + k.weight, 0);
    const rows = g.rubrics?.length ? g.rubrics.map((k) => criterionRow(k, total, gradeFor(g, k.id), isGiven(gradeFor(g, k.id)), last, onGrade)) : [graderRow(g, gradeFor(g, ""), isGiven(gradeFor(g, "")), last, onGrade)];
    return element("fieldset", {}, element("legend", {}, ...(g.type === g.name ? [] : [g.name, " "]), explained(g.type, g.type === g.name ? "" : "faint")), charts.get(g), ...rows);
  });
  await gradeCase();
  return [element("div", { class: "summary" }, status, errorBox, flips, distance, actions, outcome, summary, gradedAnswer(last, c, scene.entries[c.id]?.answer), graderChart), ...fieldsets];
};
