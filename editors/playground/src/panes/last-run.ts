// The results of the last run, shown next to the user's grades.
import type { LastGrade, LastResult } from "@rubric-ls/wasm";
import { element, inlineCode } from "../dom";
import { callEvaluator } from "../evaluator";
import { isSameTarget, type Choices, type ManualGrade } from "../state";
import { formatNumber } from "./chart";

/** lastResult returns the result of a case's last run, or null. */
export const lastResult = (document: string, caseId: string): Promise<LastResult | null> => callEvaluator("last", { document, case: caseId });

/** gradesOfRun returns the grades of a run as manual grades. */
export const gradesOfRun = ({ grades }: LastResult): ManualGrade[] =>
  grades.filter((g) => !g.ungraded).map(({ grader, id, turn, satisfied, score, votes, label }) => JSON.parse(JSON.stringify({ grader, id, turn, satisfied, score, votes, label })) as ManualGrade);

/** Replaced are the grades that runs took the place of, and those that they gave as JSON, by case. */
interface Replaced {
  before: Map<string, ManualGrade[]>;
  given: Map<string, string>;
}

const replacedGrades = new WeakMap<Choices, Replaced>();

/** adoptGrades makes the grades of a run those of the case. It keeps the user's own grades, and reports whether there were any. */
export function adoptGrades(state: Choices, caseId: string, last: LastResult): boolean {
  const all = replacedGrades.get(state) ?? { before: new Map(), given: new Map() };
  replacedGrades.set(state, all);
  const before = state.grades[caseId] ?? [], grades = gradesOfRun(last), given = JSON.stringify(grades);
  const isOwn = before.length > 0 && ![given, all.given.get(caseId)].includes(JSON.stringify(before));
  if (isOwn) all.before.set(caseId, before);
  all.given.set(caseId, given);
  state.grades[caseId] = grades;
  return isOwn;
}

/** hasReplaced reports whether a run took the place of the user's own grades of a case. */
export const hasReplaced = (state: Choices, caseId: string): boolean => replacedGrades.get(state)?.before.has(caseId) ?? false;

/** restoreGrades brings back the grades that runs took the place of. */
export function restoreGrades(state: Choices, caseIds: string[]): void {
  const { before } = replacedGrades.get(state) ?? {};
  for (const id of caseIds) if (before?.has(id)) state.grades[id] = before.get(id)!;
  for (const id of caseIds) before?.delete(id);
}

/** lastRunSummary describes the last run in a line. */
export function lastRunSummary(last: LastResult | null): HTMLElement | null {
  if (!last) return null;
  const { standing, score, stale, judge } = last;
  return element("p", { class: "faint" }, `Last run${judge ? ` (${judge})` : ""}: ${standing}${score === null ? "" : `, score ${formatNumber(score)}`}`, stale ? element("span", {}, ". ", element("span", { class: "chip stale" }, "stale"), " what it rests on has changed since") : null, ".");
}

const gradeText = (g: LastGrade): string => {
  if (g.ungraded) return `not judged: ${g.ungraded}`;
  if (g.label) return g.label;
  if (g.votes !== undefined) return `${g.votes} ${g.votes === 1 ? "vote" : "votes"} for it`;
  if (g.turn) return g.satisfied ? "yes" : "no";
  if (g.score !== undefined) return g.id ? `${formatNumber(g.score)} of 10` : formatNumber(g.score);
  return g.satisfied ? "satisfied" : "not satisfied";
};

/** lastGrade shows a grade of the last run, and whether it is stale. */
export function lastGrade(last: LastResult | null, target: ManualGrade): HTMLElement | null {
  const g = last?.grades.find((g) => isSameTarget(g, target));
  return g ? element("div", { class: "faint judged", dir: "auto" }, `run: ${gradeText(g)} `, g.stale ? element("span", { class: "chip stale" }, "stale") : null, ...(g.reasoning ? [" ", ...inlineCode(g.reasoning)] : [])) : null;
}
