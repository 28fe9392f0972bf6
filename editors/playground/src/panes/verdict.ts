// Grades that somebody gives, and the verdict they come to.
import type { Case, Criterion, Evaluator, Flip, GradeResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { ask } from "../evaluator";
import type { Typed } from "../state";
import type { Pane, Scene } from "./pane";

/** gradersOf are the graders of a case with its criteria; without any the case is one. */
function gradersOf(c: Case): Evaluator[] {
  const all: Evaluator[] = [];
  const take = (graders: Evaluator[]) => graders.forEach((g) => (all.push(g), take(g.evaluators ?? [])));
  take(c.evaluators);
  if (c.rubrics.length && !all.some((g) => g.rubrics?.length)) all.unshift({ name: "rubrics", type: "rubric", weight: 1, rubrics: c.rubrics });
  return all.filter((g) => g.type !== "composite");
}

/** usual is the grade that a criterion has until somebody gives another: the best. */
function usual(grader: string, c: Criterion): Typed {
  return c.score_ranges?.length ? { grader, id: c.id, score: 10 } : { grader, id: c.id, satisfied: true };
}

function typedOf(scene: Scene, c: Case): Typed[] {
  const given = scene.state.grades[c.id] ?? [];
  return gradersOf(c).flatMap((g) => {
    const all: Typed[] = g.rubrics?.length ? g.rubrics.map((k) => usual(g.name, k)) : [{ grader: g.name, id: "", score: 1 }];
    return all.map((t) => given.find((o) => o.grader === t.grader && o.id === t.id && (o.score === undefined) === (t.score === undefined)) ?? t);
  });
}

const number = (x: number): string => String(Math.round(x * 10000) / 10000);

function scale(result: GradeResult): HTMLElement {
  const mark = element("span");
  mark.style.insetInlineStart = `calc(${result.score * 100}% - 2px)`;
  return element("div", { class: "scale", role: "img", "aria-label": `score ${number(result.score)}; borderline from 0.6, pass from 0.8` }, mark);
}

function words(f: Flip): string {
  const grade = f.score === undefined ? (f.satisfied ? "satisfied" : "not satisfied") : number(f.score);
  return `${f.id || f.grader}: ${grade} makes it ${f.verdict}, ${number(f.case_score)}`;
}

/** verdict lets grades be given, and shows at each what they come to. */
export const verdict: Pane = (scene) => {
  const c = scene.about;
  if (!c) return [element("p", {}, "There is no case in this file.")];
  const outcome = element("div", { "aria-live": "polite" });
  const flips = element("div");
  const grades = typedOf(scene, c);

  const reckon = async () => {
    const params = { document: scene.uri, case: c.id, grades };
    const [result, turned] = await Promise.all([ask("grade", params), ask("flip", params)]);
    outcome.replaceChildren(
      element("p", {}, element("span", { class: `verdict ${result.verdict}` }, result.verdict), ` score ${number(result.score)}`),
      scale(result),
      ...result.reasons.map((r) => element("p", { class: "faint" }, r)),
      ...result.gates.map((g) => element("p", { class: g.met ? "pass" : "fail" }, `gate ${g.id || g.grader}: ${g.met ? "met" : "not met"}${g.reason ? `, ${g.reason}` : ""}`)),
    );
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

  const sets = gradersOf(c).map((g) => {
    const total = (g.rubrics ?? []).reduce((sum, k) => sum + k.weight, 0);
    const rows = g.rubrics?.length ? g.rubrics.map((k) => row(k, total, grades.find((t) => t.grader === g.name && t.id === k.id)!, given)) : [whole(g, grades.find((t) => t.grader === g.name && t.id === "")!, given)];
    return element("fieldset", {}, element("legend", {}, `${g.name} (${g.type})`), ...rows);
  });
  return reckon().then(() => [outcome, ...sets, flips]);
};

function row(k: Criterion, total: number, t: Typed, given: (t: Typed) => void): HTMLElement {
  const id = `grade-${t.grader}-${k.id}`;
  const bar = element("div", { class: "share" });
  bar.style.width = `${total ? (k.weight / total) * 100 : 0}%`;
  const share = total ? `${number((k.weight / total) * 100)} %` : "no share";
  const stake = `weight ${k.weight}, ${share}${k.required ? ", required" : ""}${k.required_min_score === undefined ? "" : `, at least ${k.required_min_score}`}`;
  const text = [element("div", {}, element("code", {}, k.id), " ", k.expected_outcome), bar, element("div", { class: "faint" }, stake)];
  if (!k.score_ranges?.length) {
    const box = element("input", { type: "checkbox", id, checked: t.satisfied, onchange: () => given({ ...t, satisfied: (t.satisfied = box.checked) }) });
    return element("p", {}, element("label", { for: id }, box, " satisfied"), ...text);
  }
  const bands = element("ul", {}, ...k.score_ranges.map((b) => element("li", { class: "faint" }, `${b.score_range[0]}–${b.score_range[1]}: ${b.expected_outcome}`)));
  return element("div", {}, ...slider(id, k.id, 10, 1, t, given), " of 10", ...text, bands);
}

function whole(g: Evaluator, t: Typed, given: (t: Typed) => void): HTMLElement {
  return element("p", {}, ...slider(`grade-${g.name}`, g.name, 1, 0.05, t, given), element("span", { class: "faint" }, ` weight ${g.weight}`));
}

/** slider lets a score from 0 to `most` be given, and shows it. */
function slider(id: string, label: string, most: number, step: number, t: Typed, given: (t: Typed) => void): Node[] {
  const shown = element("output", { for: id }, String(t.score));
  const range = element("input", {
    type: "range", id, min: 0, max: most, step, value: t.score ?? most, "aria-label": label,
    oninput: () => {
      shown.textContent = range.value;
      given({ ...t, score: (t.score = Number(range.value)) });
    },
  });
  return [range, document.createTextNode(" "), shown];
}
