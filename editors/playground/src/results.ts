// What an evaluator says of a state, in short: so that a link can tell whether what
// it brings back is what there was.
import { uriOf } from "./editor";
import { ask } from "./evaluator";
import { typedOf } from "./panes/grades";
import { rulings } from "./panes/metrics";
import { number } from "./panes/picture";
import type { State } from "./state";

/** Results are the codes of each file's findings, and what the cases come to that somebody graded, and the one that is shown. */
export interface Results {
  findings: Record<string, string[]>;
  /** of AgentV's cases */
  scores: Record<string, number>;
  /** of an evalset's cases what they come to, under no name, and what each metric does: PASSED 1 */
  measures: Record<string, Record<string, string>>;
}

/** resultsOf asks for them; the state's files are open. */
export async function resultsOf(state: State): Promise<Results> {
  const results: Results = { findings: {}, scores: {}, measures: {} };
  for (const { name, text } of state.files) {
    const { diagnostics } = await ask("check", { text, path: name });
    results.findings[name] = diagnostics.map((d) => d.code).sort();
  }
  const document = uriOf(state.active);
  const cases = await ask("cases", { document });
  const shown = cases.find((c) => c.id === state.case) ?? cases[0];
  for (const { id } of cases.filter((c) => c === shown || state.grades[c.id])) {
    await judge(state, document, id, results).catch(() => undefined); // the text may have moved on
  }
  return results;
}

/** judge adds what a case comes to. */
async function judge(state: State, document: string, id: string, { scores, measures }: Results): Promise<void> {
  const { dialect, cases: [c] } = await ask("suite", { document, case: id });
  if (dialect === "adk") {
    const { final_eval_status, metrics } = await ask("measure", { document, case: id, grades: rulings(state, id) }).catch(() => unmeasured);
    measures[id] = { "": final_eval_status };
    for (const m of metrics) measures[id][m.metric_name] = m.score === null ? m.eval_status : `${m.eval_status} ${number(m.score)}`;
    return;
  }
  const { score } = await ask("grade", { document, case: id, grades: typedOf(c, state.grades[id] ?? []) });
  scores[id] = Math.round(score * 10000) / 10000;
}

/** unmeasured is a case whose files the evaluator refuses: its configuration has a fault. */
const unmeasured = { final_eval_status: "NOT_EVALUATED", metrics: [] } as const;

const counted = (problems: number): string => (problems === 1 ? "1 problem" : `${problems} problems`);

/** differences are what is not the same, in words; what the results before do not know is not compared. */
export function differences(before: Results, now: Results): string[] {
  const all: string[] = [];
  for (const [name, codes] of Object.entries(now.findings)) {
    const was = before.findings[name];
    if (was && was.join() !== codes.join()) all.push(`${name} had ${counted(was.length)} then and has ${codes.length} now${was.length === codes.length ? ", other ones" : ""}`);
  }
  for (const [id, score] of Object.entries(before.scores)) {
    if (now.scores[id] !== score) all.push(`case ${id} scored ${score} then and ${id in now.scores ? `scores ${now.scores[id]}` : "is not there"} now`);
  }
  for (const [id, was] of Object.entries(before.measures)) {
    const is = now.measures[id];
    if (!is) all.push(`case ${id} was ${was[""]} then and is not there now`);
    for (const metric of is ? new Set([...Object.keys(was), ...Object.keys(is)]) : []) {
      const [then, since] = [was, is].map((m) => m[metric] ?? "NOT_EVALUATED");
      if (then !== since) all.push(`${metric ? `${metric} of case` : "case"} ${id} was ${then} then and is ${since} now`);
    }
  }
  return all;
}

/** properResults are results out of what somebody sent. */
export function properResults(from: unknown): Results {
  const { findings, scores, measures } = (typeof from === "object" && from !== null ? from : {}) as Record<string, unknown>;
  const pick = <T>(all: unknown, is: (x: unknown) => x is T): Record<string, T> => Object.fromEntries(Object.entries(all ?? {}).filter((e): e is [string, T] => is(e[1])));
  return {
    findings: pick(findings, (x): x is string[] => Array.isArray(x) && x.every((c) => typeof c === "string")),
    scores: pick(scores, (x): x is number => typeof x === "number"),
    measures: pick(measures, (x): x is Record<string, string> => typeof x === "object" && x !== null && Object.values(x).every((of) => typeof of === "string")),
  };
}
