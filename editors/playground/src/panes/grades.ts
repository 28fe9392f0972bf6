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
export function row(k: Criterion, total: number, t: Typed, graded: boolean, last: LastResult | null, given: (t: Typed) => void): HTMLElement {
  const id = `grade-${t.grader}-${k.id}`;
  const gate = k.required_min_score === undefined ? (k.required ? "required" : "") : `at least ${k.required_min_score} of 10`;
  const about = [element("code", {}, k.id), element("span", { class: "faint" }, `weight ${number(k.weight)} · ${percent(k.weight, total)}`), ...(gate ? [element("span", { class: "chip" }, gate)] : [])];
  const text = [element("p", { dir: "auto" }, k.expected_outcome), judged(last, t)];
  if (!k.score_ranges?.length) {
    const box = element("input", { type: "checkbox", id, checked: graded && t.satisfied, onchange: () => given({ ...t, satisfied: (t.satisfied = box.checked) }) });
    box.indeterminate = !graded;
    return element("div", { class: "grade" }, element("div", { class: "row" }, ...about, element("label", { for: id, class: "end" }, box, " satisfied")), ...text);
  }
  const bands = element("div", {});
  const show = (score: number | undefined) => bands.replaceChildren(strip(k.score_ranges ?? [], score, k.required_min_score));
  show(graded ? t.score : undefined);
  const control = slider({ id, label: k.id, most: 10, step: 1, graded }, t, (next) => (given(next), show(next.score)));
  return element("div", { class: "grade" }, element("div", { class: "row" }, ...about, element("span", { class: "end row" }, ...control, " of 10")), ...text, bands);
}

/** asks says who gives a grader's one score. */
const asks: Record<string, string> = {
  llm_judge: "A judge is asked for one score, from 0 to 1: how well the whole answer has the expected outcome.",
  code_judge: "A program gives one score, from 0 to 1.",
};

/** whole lets a grader be given a score of its own. */
export function whole(g: Evaluator, t: Typed, graded: boolean, last: LastResult | null, given: (t: Typed) => void): HTMLElement {
  return element("div", { class: "grade" },
    element("div", { class: "row" }, element("span", { class: "faint" }, `weight ${number(g.weight)}`), element("span", { class: "end row" }, ...slider({ id: `grade-${g.name}`, label: g.name, most: 1, step: 0.05, graded }, t, given))),
    element("p", { class: "faint" }, asks[g.type] ?? "This evaluator gives one score, from 0 to 1."), judged(last, t));
}

/** slider lets a score from 0 to `most` be given, and shows it. */
function slider({ id, label, most, step, graded }: { id: string; label: string; most: number; step: number; graded: boolean }, t: Typed, given: (t: Typed) => void): Node[] {
  const shown = element("output", { for: id }, graded ? String(t.score) : "–");
  const range = element("input", {
    type: "range", id, min: 0, max: most, step, value: t.score ?? most, "aria-label": label, "aria-valuetext": graded ? undefined : "not graded yet", class: graded ? undefined : "open",
    oninput: () => {
      range.removeAttribute("aria-valuetext");
      range.removeAttribute("class");
      shown.textContent = range.value;
      given({ ...t, score: (t.score = Number(range.value)) });
    },
  });
  return [range, shown];
}
