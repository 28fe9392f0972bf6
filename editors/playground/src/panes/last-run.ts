// The results of the last run, shown next to the user's grades.
import type { Case, LastGrade, LastResult } from "@rubric-ls/wasm";
import { codeBlock, element, inlineCode } from "../dom";
import { callEvaluator } from "../evaluator";
import { isSameTarget, type Entry, type ManualGrade } from "../state";
import { formatNumber } from "./chart";

/** Last is the result of a case's last run, with the name of the run if it is a stored one. */
export type Last = LastResult & { run?: string };

/** storedRuns has the names of the stored runs that results are from, by document and case. */
const storedRuns = new Map<string, string>();

const keyOf = (document: string, caseId: string): string => JSON.stringify([document, caseId]);

/** nameRun says which stored run the result of a case is from, or that it is from none. */
export const nameRun = (document: string, caseId: string, name?: string): unknown => name ? storedRuns.set(keyOf(document, caseId), name) : storedRuns.delete(keyOf(document, caseId));

/** lastResult returns the result of a case's last run, or null. */
export async function lastResult(document: string, caseId: string): Promise<Last | null> {
  const last = await callEvaluator("last", { document, case: caseId });
  return last && { ...last, run: storedRuns.get(keyOf(document, caseId)) };
}

/** typedTarget is the target of answers that the user has typed. */
export const typedTarget = "typed answer";

/** gradedAnswer shows the answer that the grades are about, and where it comes from. */
export function gradedAnswer(last: LastResult | null, { answer: recorded, reference_answer: expected }: Case, typed?: string): HTMLElement | "" {
  const answer = last ? last.answer ?? "" : typed ?? recorded ?? expected, target = last ? last.target ?? "" : typed === undefined ? "self" : typedTarget;
  if (!last && !answer) return "";
  const source = target.startsWith("self") ? (recorded === undefined ? "the file's expected output" : "recorded in the file") : target === typedTarget ? "typed in Results" : `from ${target}`;
  return element("details", { class: "answer", open: answer.length <= 400 }, element("summary", {}, last ? "The answer that the run graded" : "The answer that a run would grade", element("span", { class: "faint" }, `: ${source}`)), codeBlock(answer || "(empty)"));
}

/** gradesOfRun returns the grades of a run as manual grades. */
export const gradesOfRun = ({ grades }: LastResult): ManualGrade[] =>
  grades.filter((g) => !g.ungraded).map(({ grader, id, turn, satisfied, score, votes, label }) => JSON.parse(JSON.stringify({ grader, id, turn, satisfied, score, votes, label })) as ManualGrade);

/** replaced has the entries of the user, the example or a link that a run took the place of. */
const replaced = new WeakMap<Entry, Entry>();

/** graded has what the grades of a run are about. */
const graded = new WeakMap<Entry, string>();

/** followText notes whether a case has changed since a run graded it, or since the page opened with these grades. It reports whether that is new. */
export function followText(entry: Entry | undefined, { id: _, ...text }: Case): boolean {
  if (!entry?.from?.endsWith("run")) return false;
  const now = JSON.stringify([text, entry.answer]), { stale } = entry;
  if (graded.has(entry)) entry.stale = graded.get(entry) !== now || undefined;
  else if (!stale) graded.set(entry, now);
  return entry.stale !== stale;
}

/** adoptGrades makes the grades of a run those of the case. It keeps grades that no run gave, and reports whether there were other ones. */
export function adoptGrades(entry: Entry, last: LastResult): boolean {
  const grades = gradesOfRun(last), keeps = entry.from !== "run" && Boolean(entry.grades?.length) && JSON.stringify(entry.grades) !== JSON.stringify(grades);
  if (keeps) replaced.set(entry, { ...entry });
  Object.assign(entry, { grades, from: "run", stale: last.stale || undefined });
  graded.delete(entry);
  return keeps;
}

/** hasReplaced reports whether a run took the place of other grades of a case. */
export const hasReplaced = (entry: Entry): boolean => replaced.has(entry);

/** restoreGrades brings back the grades of a case that a run took the place of. */
export function restoreGrades(entry: Entry): void {
  const { grades, from } = replaced.get(entry)!;
  Object.assign(entry, { grades, from });
  replaced.delete(entry);
}

/** lastRunSummary describes the last run in a line. */
export function lastRunSummary(last: Last | null): HTMLElement | null {
  if (!last) return null;
  const { standing, score, stale, judge, run = "Last run" } = last;
  return element("p", { class: "faint" }, `${run}${judge ? ` (${judge})` : ""}: ${standing}${score === null ? "" : `, score ${formatNumber(score)}`}`, stale ? element("span", {}, ". ", element("span", { class: "chip stale" }, "stale"), " what it rests on has changed since") : null, ".");
}

const gradeText = (g: LastGrade, isYesNo: boolean): string => {
  if (g.ungraded) return `not judged: ${g.ungraded}`;
  if (g.label) return g.label;
  if (g.votes !== undefined) return `${g.votes} ${g.votes === 1 ? "vote" : "votes"} for it`;
  if (g.turn) return g.satisfied ? "yes" : "no";
  if (g.score !== undefined && !isYesNo) return g.id ? `${formatNumber(g.score)} of 10` : formatNumber(g.score);
  return satisfiedText(g.satisfied ?? g.score === 1);
};

/** satisfiedText says yes or no of a criterion. */
export const satisfiedText = (satisfied: boolean | undefined): string => (satisfied ? "satisfied" : "not satisfied");

/** lastGrade shows a grade of the last run, and whether it is stale. */
export function lastGrade(last: LastResult | null, target: ManualGrade, isYesNo = false): HTMLElement | null {
  const g = last?.grades.find((g) => isSameTarget(g, target));
  return g ? element("div", { class: "faint judged", dir: "auto" }, `run: ${gradeText(g, isYesNo)}`, ...(g.stale ? [" ", element("span", { class: "chip stale" }, "stale")] : []), ...(g.reasoning ? [": ", ...inlineCode(g.reasoning)] : [])) : null;
}
