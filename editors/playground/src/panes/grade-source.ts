// Where the shown grades come from, and the notice about errors.
import type { LastResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { isSameTarget, type ManualGrade } from "../state";
import { startRun } from "../code-lenses";
import { firstExample } from "../examples";
import { gradesOfRun, hasReplaced, restoreGrades } from "./last-run";
import type { Scene } from "./pane";

/** GradeSource is where the grades of a case come from: nowhere yet, the last run, or the user. */
export type GradeSource = "none" | "run" | "person";

const isSameGrade = (a: ManualGrade, b: ManualGrade): boolean => isSameTarget(a, b) && a.satisfied === b.satisfied && a.score === b.score && a.votes === b.votes && a.label === b.label;

/** gradeSource compares the user's grades with those of the last run. */
export function gradeSource(grades: ManualGrade[], last: LastResult | null): GradeSource {
  const run = last ? gradesOfRun(last) : [];
  if (last && grades.every((t) => run.some((g) => isSameGrade(g, t))) && run.every((g) => !isShown(g, grades) || grades.some((t) => isSameGrade(g, t)))) return "run";
  return grades.length ? "person" : "none";
}

/** isShown reports whether a grade is of the kind in `grades`. Grades of evalsets have a turn. */
const isShown = (g: ManualGrade, grades: ManualGrade[]): boolean => !grades.length || grades.some((t) => (t.turn === undefined) === (g.turn === undefined));

/** verdictBadge shows a verdict. The kind `open` means not judged. */
export const verdictBadge = (kind: string, text = kind): HTMLElement => element("span", { class: `verdict ${kind}` }, text);

/** hypothetical marks a verdict that no run has given, and says whose grades it rests on. */
export function hypothetical({ state }: Scene, caseId: string, last: LastResult | null): Node[] {
  const isExample = JSON.stringify(state.grades[caseId]) === JSON.stringify(firstExample.grades[caseId]);
  const source = last ? "Your own grades, not those of the run." : `${isExample ? "Example grades" : "Your own grades"}; nothing has been run yet.`;
  return [element("span", { class: "chip" }, "hypothetical"), element("span", { class: "faint" }, ` ${source}`)];
}

/** inRun names a run as the source of a verdict. */
export const inRun = ({ judge }: LastResult): string => `in the last run${judge ? ` (judge: ${judge})` : ""}`;

/** gradeActions offers what can be done with the grades that a verdict rests on. */
export function gradeActions(scene: Scene, caseId: string, source: GradeSource, last: LastResult | null, error: string | undefined, redraw: () => unknown): Node[] {
  const link = (text: string, act: () => void) => element("button", { type: "button", class: "link", onclick: act }, text);
  const change = (act: () => void) => () => (act(), scene.onGradesChange(), void redraw());
  if (source === "person" && last) return [link("Back to the run's grades", change(() => (scene.state.grades[caseId] = gradesOfRun(last))))];
  if (source === "person") return [...(error ? [] : [link("Run this case for real", () => startRun(scene.uri, caseId))]), link("Clear these grades", change(() => delete scene.state.grades[caseId]))];
  return source === "run" && hasReplaced(scene.state, caseId) ? [link("Back to the grades before the run", change(() => restoreGrades(scene.state, [caseId])))] : [];
}

/** caseError returns why the evaluator does not run a case. */
export const caseError = ({ cases }: Scene, id: string): string | undefined => cases.find((c) => c.id === id)?.error;

/** errorNotice says why a case does not run. */
export const errorNotice = (error?: string): Node[] => (error ? [element("p", { class: "error", dir: "auto" }, `This case does not run. ${error}`)] : []);
