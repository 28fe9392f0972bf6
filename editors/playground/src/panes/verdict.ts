// The verdict that grades come to, and what would make it another.
import type { Criterion, Evaluator, Flip, GradeResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { ask } from "../evaluator";
import type { Typed } from "../state";
import { gradersOf, row, typedOf, whole } from "./grades";
import { lastOf, summary } from "./last";
import { measured } from "./metrics";
import { none, type Pane } from "./pane";
import { number, picture, type Column } from "./picture";

function words(f: Flip): string {
  const grade = f.score === undefined ? (f.satisfied ? "satisfied" : "not satisfied") : number(f.score);
  return `${f.id || f.grader}: ${grade} makes it ${f.verdict}, ${number(f.case_score)}`;
}

/** columnOf is a criterion with its grade. */
function columnOf(k: Criterion, t: Typed, result: GradeResult): Column {
  const missed = result.gates.some((g) => !g.met && g.id === k.id && (!g.grader || g.grader === t.grader));
  const gated = k.required || k.required_min_score !== undefined;
  return {
    name: k.id, weight: k.weight, gate: missed ? "missed" : gated ? "met" : "none", grade: t.score === undefined ? Number(t.satisfied) : t.score / 10,
    words: t.score === undefined ? (t.satisfied ? "satisfied" : "not satisfied") : `${t.score} of 10`,
  };
}

/** verdict lets grades be given, and shows at each what they come to. */
export const verdict: Pane = async (scene) => {
  const c = scene.about;
  if (!c) return none(scene);
  if (scene.measured) return measured(scene, c.id);
  const last = await lastOf(scene.uri, c.id);
  const graders = gradersOf(c);
  const grades = typedOf(c, scene.state.grades[c.id] ?? []);
  const of = (g: Evaluator, id: string) => grades.find((t) => t.grader === g.name && t.id === id)!;
  const outcome = element("div"), flips = element("div"), together = element("div");
  const said = element("p", { role: "status", class: "outcome" });
  const pictures = new Map(graders.map((g) => [g, element("div")]));

  const paint = (result: GradeResult) => {
    said.replaceChildren(element("span", { class: `verdict ${result.verdict}` }, result.verdict), ` score ${number(result.score)}`);
    outcome.replaceChildren(
      ...result.reasons.filter((r) => !result.gates.some((g) => g.reason && r.endsWith(g.reason))).map((r) => element("p", { class: "faint" }, r)),
      ...(result.gates.length ? [element("ul", { class: "gates" }, ...result.gates.map((g) => element("li", { class: g.met ? "met" : "missed" },
        `gate ${g.id || g.grader}: ${g.met ? "met" : "not met"}${g.reason ? `, ${g.reason}` : ""}`)))] : []),
    );
    const scored = (name: string) => result.graders.find((g) => g.name === name);
    if (graders.length > 1) {
      together.replaceChildren(picture(graders.map((g) => {
        const score = scored(g.name)?.score ?? 0;
        return { name: g.name, weight: g.weight, grade: score, words: number(score), gate: result.gates.some((x) => x.whole && x.grader === g.name && !x.met) ? "missed" : "none" };
      }), result.score));
    }
    for (const [g, place] of pictures) {
      if (g.rubrics?.length) place.replaceChildren(picture(g.rubrics.map((k) => columnOf(k, of(g, k.id), result)), scored(g.name)?.score ?? result.score));
    }
  };
  const reckon = async () => {
    const params = { document: scene.uri, case: c.id, grades };
    const [result, turned] = await Promise.all([ask("grade", params), ask("flip", params)]);
    paint(result);
    flips.replaceChildren(
      element("h2", {}, "What would flip it"),
      turned.flips.length ? element("ul", {}, ...turned.flips.map((f) => element("li", {}, words(f)))) : element("p", { class: "faint" }, "No other grade of one criterion changes the verdict."),
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

  const sets = graders.map((g) => {
    const total = (g.rubrics ?? []).reduce((sum, k) => sum + k.weight, 0);
    const rows = g.rubrics?.length ? g.rubrics.map((k) => row(k, total, of(g, k.id), last, given)) : [whole(g, of(g, ""), last, given)];
    return element("fieldset", {}, element("legend", {}, g.name, g.type === g.name ? "" : element("span", { class: "faint" }, ` ${g.type}`)), pictures.get(g), ...rows);
  });
  const top = element("div", { class: "summary" }, said, outcome, summary(last), together);
  await reckon();
  return [top, ...sets, flips];
};
