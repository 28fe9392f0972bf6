// What an evaluator says of a state, in short: so that a link can tell whether what
// it brings back is what there was.

/** Results are the codes of each file's findings, and what the cases come to that somebody graded, and the one that is shown. */
export interface Results {
  findings: Record<string, string[]>;
  /** of AgentV's cases */
  scores: Record<string, number>;
  /** of an evalset's cases what they come to, under no name, and what each metric does: PASSED 1 */
  measures: Record<string, Record<string, string>>;
}

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
