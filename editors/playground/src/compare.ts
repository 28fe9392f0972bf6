// Compares the results of a state here with the results in its link.
import { uriOf } from "./editor";
import { callEvaluator, onEvaluatorSwitch } from "./evaluator";
import type { Link } from "./link";
import { completeGrades } from "./panes/grades";
import { manualVerdicts } from "./panes/evalset-verdict";
import { differences, type Results } from "./results";
import type { Entries, State } from "./state";

let switches = 0;

onEvaluatorSwitch(() => switches++);

/** hasWhole reports whether the evaluator reads all open files. */
const hasWhole = async (): Promise<boolean> => !(await callEvaluator("version", {})).wholeWanted;

/** resultsForLink returns the results of a state, or none while the whole evaluator is loading, whose results differ. */
export async function resultsForLink(state: State, isCurrent: () => boolean): Promise<Results | undefined> {
  const before = switches, results = await evaluateState(state, isCurrent);
  if (!(await hasWhole())) return undefined;
  return switches === before ? results : evaluateState(state, isCurrent);
}

/** evaluateState returns the results of a state. It leaves out the results of cases if the open files have changed. */
async function evaluateState(state: State, isCurrent: () => boolean): Promise<Results> {
  const results: Results = { findings: {}, scores: {}, measures: {} };
  for (const { name, text } of state.files) {
    const { diagnostics } = await callEvaluator("check", { text, path: name });
    results.findings[name] = diagnostics.map((d) => d.code).sort();
  }
  const document = uriOf(state.active), entries = state.entries[state.active] ?? {};
  const cases = await callEvaluator("cases", { document });
  const shown = cases.find((c) => c.id === state.case) ?? cases[0];
  for (const { id } of cases.filter((c) => c === shown || entries[c.id]?.grades)) {
    await addCaseResult(entries, document, id, results).catch(() => undefined); // the text may have changed
  }
  return isCurrent() ? results : { ...results, scores: {}, measures: {} };
}

/** addCaseResult adds the result of one case. */
async function addCaseResult(entries: Entries, document: string, id: string, { scores, measures }: Results): Promise<void> {
  const { dialect, cases: [c] } = await callEvaluator("suite", { document, case: id });
  if (dialect === "adk") {
    const { final_eval_status, metrics } = await callEvaluator("measure", { document, case: id, grades: manualVerdicts(entries, id) }).catch(() => notMeasured);
    measures[id] = { "": final_eval_status };
    for (const m of metrics) measures[id][m.metric_name] = m.score === null ? m.eval_status : `${m.eval_status} ${Math.round(m.score * 10_000) / 10_000}`;
    return;
  }
  const { score } = await callEvaluator("grade", { document, case: id, grades: completeGrades(c, entries[id]?.grades ?? []) });
  if (score !== null) scores[id] = Math.round(score * 10000) / 10000;
}

/** notMeasured is the result of a case whose configuration has an error. */
const notMeasured = { final_eval_status: "NOT_EVALUATED", metrics: [] } as const;

/** maxShown is the number of differences that the message lists. */
const maxShown = 6;

/** compare returns a message if the results differ from those in the link, or if another version made the link. The same version may differ after a run. */
export async function compare({ state, evaluator, results }: Link, version: string, isCurrent: () => boolean): Promise<string> {
  const versionNote = evaluator === version ? "" : `This link was made with evaluator ${evaluator}, and this is ${version}: `;
  if (!Object.keys(results.findings).length) return versionNote && `${versionNote}the link has no results to compare.`;
  const first = await resultsForLink(state, isCurrent);
  if (!first) await new Promise<void>(onEvaluatorSwitch);
  const now = first ?? (await evaluateState(state, isCurrent));
  const differing = differences(isCurrent() ? results : { ...results, scores: {}, measures: {} }, now);
  const more = differing.length > maxShown ? `; and ${differing.length - maxShown} more` : "";
  if (differing.length) return `${versionNote || "Here "}the results differ. ${differing.slice(0, maxShown).join("; ")}${more}.`;
  return versionNote && `${versionNote}the results are the same.`;
}
