// Controls for grades: a checkbox or slider for each criterion, and a slider for a grader without criteria.
import type { Case, Criterion, Evaluator, LastResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { isSameTarget, type ManualGrade } from "../state";
import { lastGrade } from "./last-run";
import { formatNumber, percentText, bandStrip } from "./chart";

/** gradersOf returns the graders of a case with their criteria. A case without graders counts as one. */
export function gradersOf(c: Case): Evaluator[] {
  const all: Evaluator[] = [];
  const visit = (graders: Evaluator[]) => graders.forEach((g) => (all.push(g), visit(g.evaluators ?? [])));
  visit(c.evaluators);
  if (c.rubrics.length && !all.some((g) => g.rubrics?.length)) all.unshift({ name: "rubrics", type: "rubric", weight: 1, rubrics: c.rubrics });
  return all.filter((g) => g.type !== "composite");
}

/** bestGrade returns the best possible grade of a criterion. */
function bestGrade(grader: string, c: Criterion): ManualGrade {
  return c.score_ranges?.length ? { grader, id: c.id, score: 10 } : { grader, id: c.id, satisfied: true };
}

/** completeGrades returns the user's grades of a case, completed with the best possible ones. */
export function completeGrades(c: Case, onGrade: ManualGrade[]): ManualGrade[] {
  return gradersOf(c).flatMap((g) => {
    const all: ManualGrade[] = g.rubrics?.length ? g.rubrics.map((k) => bestGrade(g.name, k)) : [{ grader: g.name, id: "", score: 1 }];
    return all.map((t) => onGrade.find((o) => o.grader === t.grader && o.id === t.id && (o.score === undefined) === (t.score === undefined)) ?? t);
  });
}

/** criterionRow shows a criterion with its control, and its grade in the last run. */
export function criterionRow(k: Criterion, total: number, t: ManualGrade, graded: boolean, last: LastResult | null, onGrade: (t: ManualGrade) => void): HTMLElement {
  const id = `grade-${t.grader}-${k.id}`;
  const gate = k.required_min_score === undefined ? (k.required ? "required" : "") : `at least ${k.required_min_score} of 10`;
  const heading = [element("code", {}, k.id), element("span", { class: "faint" }, `weight ${formatNumber(k.weight)} · ${percentText(k.weight, total)} of the rubric's score`), gate && element("span", { class: "chip" }, gate), !graded && last?.grades.some((g) => isSameTarget(g, t) && g.ungraded) && element("span", { class: "chip open" }, "ungraded")];
  const text = [element("p", { dir: "auto" }, k.expected_outcome), lastGrade(last, t)];
  if (!k.score_ranges?.length) return element("div", { class: "grade" }, element("div", { class: "row" }, ...heading, checkbox(id, graded, t.satisfied, (satisfied) => onGrade({ ...t, satisfied: (t.satisfied = satisfied) }))), ...text);
  const bands = element("div", {});
  const control = slider({ id, label: k.id, max: 10, step: 1, graded }, t, (next) => (onGrade(next), show(next.score)));
  const give = (score: number) => {
    control[0].value = String(score);
    control[0].dispatchEvent(new Event("input"));
  };
  const show = (score: number | undefined) => bands.replaceChildren(bandStrip(k.score_ranges ?? [], score, k.required_min_score, give));
  show(graded ? t.score : undefined);
  return element("div", { class: "grade" }, element("div", { class: "row" }, ...heading, element("span", { class: "end row" }, ...control, " of 10")), ...text, bands);
}

/** graderNotes say who gives a grader's score. */
const graderNotes: Record<string, string> = {
  llm_judge: "A judge gives one score, from 0 to 1, for how well the answer meets the expected outcome.",
  code_judge: "A program gives one score, from 0 to 1.",
};

/** graderRow shows a grader that gives a single score, or says yes or no. */
export function graderRow(g: Evaluator, t: ManualGrade, graded: boolean, last: LastResult | null, onGrade: (t: ManualGrade) => void): HTMLElement {
  const id = `grade-${g.name}`, isYesNo = Boolean(g.yes_no);
  const control = isYesNo ? checkbox(id, graded, t.score === 1, (satisfied) => onGrade({ ...t, score: (t.score = Number(satisfied)) })) : element("span", { class: "end row" }, ...slider({ id, label: g.name, max: 1, step: 0.05, graded }, t, onGrade));
  return element("div", { class: "grade" }, element("div", { class: "row" }, element("span", { class: "faint" }, `weight ${formatNumber(g.weight)}`), control),
    element("p", { class: "faint" }, isYesNo ? "The text of the answer is checked: it is satisfied or not." : graderNotes[g.type] ?? "This evaluator gives one score, from 0 to 1."), lastGrade(last, t, isYesNo));
}

/** checkbox returns a labelled checkbox, undecided until there is a grade. */
function checkbox(id: string, graded: boolean, checked: boolean | undefined, onChange: (satisfied: boolean) => void): HTMLElement {
  const box = element("input", { type: "checkbox", id, checked: graded && checked, onchange: () => onChange(box.checked) });
  box.indeterminate = !graded;
  return element("label", { for: id, class: "end" }, box, " satisfied");
}

/** slider returns a slider for a score from 0 to `max`. */
function slider({ id, label, max, step, graded }: { id: string; label: string; max: number; step: number; graded: boolean }, t: ManualGrade, onGrade: (t: ManualGrade) => void): [HTMLInputElement, HTMLElement] {
  const output = element("output", { for: id }, graded ? String(t.score) : "–");
  const range = element("input", {
    type: "range", id, min: 0, max, step, value: t.score ?? max, "aria-label": label, "aria-valuetext": graded ? undefined : "not graded yet", class: graded ? undefined : "open",
    oninput: () => {
      range.removeAttribute("aria-valuetext");
      range.removeAttribute("class");
      output.textContent = range.value;
      onGrade({ ...t, score: (t.score = Number(range.value)) });
    },
  });
  return [range, output];
}
