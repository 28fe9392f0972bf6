// A summary of the evaluator's results for a state. A link contains it, to show whether the results differ later.

/** Results has the codes of each file's findings, and the results of the graded cases and the shown case. */
export interface Results {
  findings: Record<string, string[]>;
  /** scores of AgentV's cases */
  scores: Record<string, number>;
  /** results of evalset cases: the status under the empty name, and each metric's status and score, such as "PASSED 1" */
  measures: Record<string, Record<string, string>>;
}

/** noResults is what a link has that is made before the evaluator has read all files. */
export const noResults: Results = { findings: {}, scores: {}, measures: {} };

const problemCount = (problems: number): string => (problems === 1 ? "1 problem" : `${problems} problems`);

/** differences describes what differs. It skips what the earlier results do not contain. */
export function differences(before: Results, now: Results): string[] {
  const all: string[] = [];
  for (const [name, codes] of Object.entries(now.findings)) {
    const was = before.findings[name];
    if (was && was.join() !== codes.join()) all.push(`${name} had ${problemCount(was.length)} then and has ${codes.length} now${was.length === codes.length ? ", other ones" : ""}`);
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

/** parseResults validates results from a link. */
export function parseResults(from: unknown): Results {
  const { findings, scores, measures } = (typeof from === "object" && from !== null ? from : {}) as Record<string, unknown>;
  const pick = <T>(all: unknown, is: (x: unknown) => x is T): Record<string, T> => Object.fromEntries(Object.entries(all ?? {}).filter((e): e is [string, T] => is(e[1])));
  return {
    findings: pick(findings, (x): x is string[] => Array.isArray(x) && x.every((c) => typeof c === "string")),
    scores: pick(scores, (x): x is number => typeof x === "number"),
    measures: pick(measures, (x): x is Record<string, string> => typeof x === "object" && x !== null && Object.values(x).every((of) => typeof of === "string")),
  };
}
