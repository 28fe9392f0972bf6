// The verdict that grades come to, and what would make it another.
import type { Criterion, Evaluator, VerdictFlip, Gate, GradeResult } from "@rubric-ls/wasm";
import { at, element } from "../dom";
import { ask } from "../evaluator";
import { startRun } from "../lenses";
import { same, type Typed } from "../state";
import { basisOf, errorCount, onErrors, pill, refusal } from "./basis";
import { gradersOf, row, typedOf, whole } from "./grades";
import { lastOf, summary, typedBy } from "./last";
import { measured } from "./metrics";
import { none, type Pane } from "./pane";
import { number, picture, type Column } from "./picture";

function words(f: VerdictFlip): string {
  const grade = f.score === undefined ? (f.satisfied ? "satisfied" : "not satisfied") : number(f.score);
  return `If ${f.id || f.grader} is ${grade}: ${f.verdict}${f.case_score === null ? "" : `, score ${number(f.case_score)}`}`;
}

/** columnOf is a criterion with its grade. */
function columnOf(k: Criterion, t: Typed, result: GradeResult, graded: boolean): Column {
  const missed = result.gates.some((g) => !g.met && g.id === k.id && (!g.grader || g.grader === t.grader));
  const gated = k.required || k.required_min_score !== undefined;
  return {
    name: k.id, weight: k.weight, gate: !graded ? "none" : missed ? "missed" : gated ? "met" : "none", grade: t.score === undefined ? Number(t.satisfied) : t.score / 10, open: !graded,
    words: !graded ? "not graded" : t.score === undefined ? (t.satisfied ? "satisfied" : "not satisfied") : `${t.score} of 10`,
  };
}

/** gateLine says whether a gate is met, once that is known. */
function gateLine(g: Gate, graded: boolean): HTMLElement {
  const asks = g.minimum === undefined ? "required" : `at least ${g.minimum}`;
  const state = !graded ? "open" : g.met ? "met" : "missed";
  const why = state === "missed" && g.minimum !== undefined && g.reason ? `, ${g.reason}` : "";
  return element("li", { class: state }, `${g.id || g.grader} (${asks}): ${{ open: "not graded yet", met: "met", missed: "not met" }[state]}${why}`);
}

/** verdict lets grades be given, and shows at each what they come to. Until there is a grade it shows no verdict. */
export const verdict: Pane = async (scene) => {
  const c = scene.about;
  if (!c) return none(scene);
  if (scene.measured) return measured(scene, c.id);
  const last = await lastOf(scene.uri, c.id);
  const graders = gradersOf(c);
  const grades = typedOf(c, scene.state.grades[c.id] ?? []);
  const isGiven = (t: Typed) => (scene.state.grades[c.id] ?? []).some((o) => same(o, t) && (o.score === undefined) === (t.score === undefined));
  const isGraded = (g: Gate) => grades.every((t) => isGiven(t) || !(g.grader === t.grader && (g.whole || g.id === t.id) || g.id === `${t.grader}/${t.id}`));
  const of = (g: Evaluator, id: string) => grades.find((t) => t.grader === g.name && t.id === id)!;
  const outcome = element("div"), flips = element("div"), together = element("div"), actions = element("p", { class: "row" });
  const said = element("p", { role: "status", class: "outcome" });
  const pictures = new Map(graders.map((g) => [g, element("div")]));
  const refused = element("div");
  const best = grades.every((t) => t.id) ? "every criterion is met" : "every grade is the best";

  /** tell shows the verdict with what it rests on, and what can be done about that. */
  const tell = (result: GradeResult) => {
    const errors = errorCount(scene);
    refused.replaceChildren(...refusal(scene));
    const open = grades.filter((t) => !isGiven(t)).length, basis = basisOf(grades.filter(isGiven), last);
    const faint = (text: string) => element("span", { class: "faint" }, text);
    actions.replaceChildren();
    if (basis === "none") {
      said.replaceChildren(pill("open", "Not judged yet"), errors ? "" : ` If ${best}: ${result.verdict}${result.score === null ? "" : `, score ${number(result.score)}`}.`);
      if (!errors) actions.replaceChildren(element("button", { type: "button", onclick: () => startRun(scene.uri, c.id) }, "Run this case"));
      return errors ? [] : result.reasons;
    }
    if (basis === "run" && (open || !last!.stale)) {
      const { standing, score } = last!;
      said.replaceChildren(pill(standing, standing), score === null ? " " : ` score ${number(score)} `, faint("in the last run"));
      return open ? [`${open} of ${grades.length} were not judged.`] : result.reasons;
    }
    said.replaceChildren(pill(result.verdict, result.verdict), result.score === null ? " " : ` score ${number(result.score)} `, faint(basis === "run" ? "with the grades of the last run" : "with your grades"));
    if (basis === "person") {
      actions.replaceChildren(element("button", { type: "button", onclick: () => void discard().catch(() => undefined) }, "Discard your grades"));
      if (open) return [`${open} of ${grades.length} are not graded yet and count as met.`, ...result.reasons];
    }
    return result.reasons;
  };
  const paint = (result: GradeResult) => {
    onErrors(scene, () => paint(result));
    const reasons = tell(result).filter((r) => !result.gates.some((g) => g.reason && r.endsWith(g.reason)));
    outcome.replaceChildren(
      ...reasons.map((r) => element("p", { class: "faint" }, r)),
      ...(result.gates.length ? [element("ul", { class: "gates" }, ...result.gates.map((g) => gateLine(g, isGraded(g))))] : []),
    );
    const scored = (name: string) => result.graders.find((g) => g.name === name);
    if (graders.length > 1) {
      together.replaceChildren(picture(graders.map((g) => {
        const score = scored(g.name)?.score ?? 0, open = !grades.some((t) => t.grader === g.name && isGiven(t));
        return { name: g.name, weight: g.weight, grade: score, words: open ? "not graded" : number(score), open, gate: result.gates.some((x) => x.whole && x.grader === g.name && !x.met) ? "missed" : "none" };
      }), result.score ?? 0));
    }
    for (const [g, place] of pictures) {
      if (g.rubrics?.length) place.replaceChildren(picture(g.rubrics.map((k) => columnOf(k, of(g, k.id), result, isGiven(of(g, k.id)))), scored(g.name)?.score ?? result.score ?? 0));
    }
  };
  const reckon = async () => {
    const params = { document: scene.uri, case: c.id, grades };
    const [result, turned] = await Promise.all([ask("grade", params), ask("flip", params)]);
    paint(result);
    flips.replaceChildren(
      element("h2", {}, "What would flip it"),
      turned.flips.length ? element("ul", {}, ...turned.flips.map((f) => element("li", {}, words(f)))) : element("p", { class: "faint" }, "No other single grade changes the verdict."),
    );
  };
  const given = (t: Typed) => {
    const all = (scene.state.grades[c.id] ??= []);
    const was = all.findIndex((o) => o.grader === t.grader && o.id === t.id);
    if (was < 0) all.push(t);
    else all[was] = t;
    scene.changed();
    void reckon().catch(() => undefined); // the text has moved on: what is shown is made anew
  };
  /** discard shows the grades of the last run again, or none. */
  const discard = async () => {
    if (last) scene.state.grades[c.id] = typedBy(last);
    else delete scene.state.grades[c.id];
    scene.changed();
    at("pane").replaceChildren(...await verdict(scene));
  };

  const sets = graders.map((g) => {
    const total = (g.rubrics ?? []).reduce((sum, k) => sum + k.weight, 0);
    const rows = g.rubrics?.length ? g.rubrics.map((k) => row(k, total, of(g, k.id), isGiven(of(g, k.id)), last, given)) : [whole(g, of(g, ""), isGiven(of(g, "")), last, given)];
    return element("fieldset", {}, element("legend", {}, g.name, g.type === g.name ? "" : element("span", { class: "faint" }, ` ${g.type}`)), pictures.get(g), ...rows);
  });
  const top = element("div", { class: "summary" }, said, refused, outcome, actions, summary(last), together);
  await reckon();
  return [top, ...sets, flips];
};
