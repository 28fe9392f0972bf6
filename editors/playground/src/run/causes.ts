// Why cases are ungraded. One cause, such as a wrong key, usually keeps many cases from being graded.
import type { CaseRecord, GraderRecord } from "@rubric-ls/wasm";

/** Cause is a reason with its cases, and what to do about it. */
export interface Cause {
  message: string;
  cases: string[];
  remedy?: string;
  /** what the user has to change */
  field?: "judge" | "key" | "answer";
}

/** remedies are tried in this order. */
const remedies: [RegExp, string, Cause["field"]?][] = [
  [/^programs run only/, "The page starts no programs. Type this on your machine, with the name of the file."],
  [/^there is no answer/, "Type one, or open a file of recorded answers (.jsonl). The command line asks the targets that the file names.", "answer"],
  [/needs a model/, "The offline judge asks none and decides only what can be checked literally. Each row says what was not found.", "judge"],
  [/\b40[13]\b|api key|unauthori[sz]ed|authentication/i, "The server refused the key.", "key"],
  [/\b429\b|quota|rate limit/i, "The server's limit is reached: wait, or use another key.", "key"],
  [/\b404\b|model .*not (?:found|exist)/i, "Check the address and the model's name.", "judge"],
  [/could not be reached|does not answer/, "Check the address, and that the server allows requests from this page (CORS).", "judge"],
  [/no recorded answer/, "The recording has no answer for this prompt: record again after a change of the text.", "judge"],
];

/** reasonsOf returns why the parts of a grader are ungraded. A grader without such parts may be ungraded itself. */
function reasonsOf(g: GraderRecord): string[] {
  const parts = [...(g.grades ?? []).map((k) => k.ungraded), ...(g.evaluator_results ?? []).flatMap(reasonsOf)].filter((reason) => reason !== undefined);
  return parts.length || g.ungraded === undefined ? parts : [g.ungraded];
}

/** causesOf groups the results that lack grades by their cause, the most frequent first. */
export function causesOf(records: CaseRecord[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const record of records) {
    const reasons = record.error ? [record.error] : record.evaluator_results.flatMap(reasonsOf);
    for (const message of new Set(reasons.map(alike))) {
      const cause = causes.get(message) ?? newCause(message);
      cause.cases.push(record.eval_id);
      causes.set(message, cause);
    }
  }
  return [...causes.values()].sort((a, b) => b.cases.length - a.cases.length);
}

/** alike returns a reason without what differs from case to case. */
const alike = (reason: string): string => (reason.endsWith("needs a model") ? "a criterion needs a model" : reason.endsWith("has no expected output to answer with") ? "there is no answer to grade" : reason);

function newCause(message: string): Cause {
  const [, remedy, field] = remedies.find(([pattern]) => pattern.test(message)) ?? [];
  return { message, cases: [], remedy, field };
}
