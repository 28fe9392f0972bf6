// What an evaluator says of a state, in short: so that a link can tell whether a
// later one says something else.
import { ask } from "./evaluator";
import { typedOf } from "./panes/grades";
import type { State, Typed } from "./state";

/** Results are the codes of each file's findings, and the scores of the cases that somebody graded. */
export interface Results {
  findings: Record<string, string[]>;
  scores: Record<string, number>;
}

/** resultsOf asks for them. */
export async function resultsOf(state: State): Promise<Results> {
  const results: Results = { findings: {}, scores: {} };
  for (const { name, text } of state.files) {
    const { diagnostics } = await ask("check", { text, path: name });
    results.findings[name] = diagnostics.map((d) => d.code).sort();
    if (name !== state.active) continue;
    for (const [id, given] of Object.entries(state.grades)) {
      const score = await scoreOf(text, name, id, given).catch(() => undefined); // the case may have gone
      if (score !== undefined) results.scores[id] = Math.round(score * 10000) / 10000;
    }
  }
  return results;
}

async function scoreOf(text: string, path: string, id: string, given: Typed[]): Promise<number> {
  const { cases: [c] } = await ask("suite", { text, path, case: id });
  return (await ask("grade", { text, path, case: id, grades: typedOf(c, given) })).score;
}

const counted = (problems: number): string => (problems === 1 ? "1 problem" : `${problems} problems`);

/** differences are what is not the same, in words; what the results before do not know is not compared. */
export function differences(before: Results, now: Results): string[] {
  const all: string[] = [];
  for (const [name, codes] of Object.entries(now.findings)) {
    const was = before.findings[name];
    if (was && was.join() !== codes.join()) all.push(`${name} had ${counted(was.length)} then and has ${codes.length} now${was.length === codes.length ? ", other ones" : ""}`);
  }
  for (const [id, score] of Object.entries(now.scores)) {
    if (id in before.scores && before.scores[id] !== score) all.push(`case ${id} scored ${before.scores[id]} then and scores ${score} now`);
  }
  return all;
}

/** properResults are results out of what somebody sent. */
export function properResults(from: unknown): Results {
  const { findings, scores } = (typeof from === "object" && from !== null ? from : {}) as Record<string, unknown>;
  const pick = <T>(all: unknown, is: (x: unknown) => x is T): Record<string, T> => Object.fromEntries(Object.entries(all ?? {}).filter((e): e is [string, T] => is(e[1])));
  return {
    findings: pick(findings, (x): x is string[] => Array.isArray(x) && x.every((c) => typeof c === "string")),
    scores: pick(scores, (x): x is number => typeof x === "number"),
  };
}
