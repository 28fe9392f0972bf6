// Grades that somebody gives: a tick or a slider for each criterion, a slider for
// a grader without any.
import type { Case, Criterion, Evaluator, LastResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import type { Typed } from "../state";
import { judged } from "./last";
import { number, percent, strip } from "./picture";

/** gradersOf are the graders of a case with its criteria; without any the case is one. */
export function gradersOf(c: Case): Evaluator[] {
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

/** typedOf are the grades of a case, given or usual. */
export function typedOf(c: Case, given: Typed[]): Typed[] {
  return gradersOf(c).flatMap((g) => {
    const all: Typed[] = g.rubrics?.length ? g.rubrics.map((k) => usual(g.name, k)) : [{ grader: g.name, id: "", score: 1 }];
    return all.map((t) => given.find((o) => o.grader === t.grader && o.id === t.id && (o.score === undefined) === (t.score === undefined)) ?? t);
  });
}

/** row lets a criterion be graded; `given` is told of each grade. What the last run said of it stands below. */
export function row(k: Criterion, total: number, t: Typed, last: LastResult | null, given: (t: Typed) => void): HTMLElement {
  const id = `grade-${t.grader}-${k.id}`;
  const gate = k.required_min_score === undefined ? (k.required ? "required" : "") : `at least ${k.required_min_score} of 10`;
  const about = [element("code", {}, k.id), element("span", { class: "faint" }, `weight ${number(k.weight)} · ${percent(k.weight, total)}`), ...(gate ? [element("span", { class: "chip" }, gate)] : [])];
  const text = [element("p", { dir: "auto" }, k.expected_outcome), judged(last, t)];
  if (!k.score_ranges?.length) {
    const box = element("input", { type: "checkbox", id, checked: t.satisfied, onchange: () => given({ ...t, satisfied: (t.satisfied = box.checked) }) });
    return element("div", { class: "grade" }, element("div", { class: "row" }, ...about, element("label", { for: id, class: "end" }, box, " satisfied")), ...text);
  }
  const bands = element("div", {});
  const show = () => bands.replaceChildren(strip(k.score_ranges ?? [], t.score ?? 0, k.required_min_score));
  show();
  const control = slider(id, k.id, 10, 1, t, (next) => (given(next), show()));
  return element("div", { class: "grade" }, element("div", { class: "row" }, ...about, element("span", { class: "end row" }, ...control, " of 10")), ...text, bands);
}

/** whole lets a grader be given a score of its own. */
export function whole(g: Evaluator, t: Typed, last: LastResult | null, given: (t: Typed) => void): HTMLElement {
  return element("div", { class: "grade row" }, element("span", { class: "faint" }, `weight ${number(g.weight)}`), element("span", { class: "end row" }, ...slider(`grade-${g.name}`, g.name, 1, 0.05, t, given)), judged(last, t));
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
  return [range, shown];
}
