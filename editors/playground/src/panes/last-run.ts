// The results of the last run, shown next to the user's grades.
import type { LastGrade, LastResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { callEvaluator } from "../evaluator";
import { isSameTarget, type ManualGrade } from "../state";
import { formatNumber } from "./chart";

/** lastResult returns the result of a case's last run, or null. */
export const lastResult = (document: string, caseId: string): Promise<LastResult | null> => callEvaluator("last", { document, case: caseId });

/** gradesOfRun returns the grades of a run as manual grades. */
export const gradesOfRun = ({ grades }: LastResult): ManualGrade[] =>
  grades.filter((g) => !g.ungraded).map(({ grader, id, turn, satisfied, score, votes, label }) => JSON.parse(JSON.stringify({ grader, id, turn, satisfied, score, votes, label })) as ManualGrade);

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
  return g ? element("div", { class: "faint judged", dir: "auto" }, `run: ${gradeText(g)} `, g.stale ? element("span", { class: "chip stale" }, "stale") : null, g.reasoning ? ` ${g.reasoning}` : null) : null;
}
