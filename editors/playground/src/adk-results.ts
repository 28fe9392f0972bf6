// Reads the results from ADK's result files, which use camelCase or snake_case keys. The evaluator reads only the
// conversations of such a file, to measure them again.
import type { Status } from "./panes/status";

/** RecordedScore is the result of a metric, with the score of each rubric. A score is null if nothing was measured. */
export interface RecordedScore {
  status: Status;
  score: number | null;
  rubrics: { id: string; score: number | null; rationale: string }[];
}

/** RecordedMetric is the result of one metric for a case. Its turns start at turn 1. */
export interface RecordedMetric extends RecordedScore {
  name: string;
  threshold: number | null;
  turns: RecordedScore[];
}

/** RecordedCase is the result of one run of a case. */
export interface RecordedCase {
  id: string;
  status: Status;
  metrics: RecordedMetric[];
}

const toCamelCase = (key: string): string => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const valueOf = (from: unknown, key: string): unknown => (typeof from === "object" && from !== null ? ((from as Record<string, unknown>)[toCamelCase(key)] ?? (from as Record<string, unknown>)[key]) : undefined);
const listOf = (from: unknown, key: string): unknown[] => [valueOf(from, key) ?? []].flat();
const textOf = (from: unknown, key: string): string => String(valueOf(from, key) ?? "");
const numberOf = (from: unknown, key: string): number | null => [valueOf(from, key)].find((n): n is number => typeof n === "number") ?? null;
const statusOf = (from: unknown, key: string): Status => ({ 1: "PASSED", 2: "FAILED" } as const)[Number(valueOf(from, key))] ?? "NOT_EVALUATED";

const scoreOf = (from: unknown): RecordedScore => ({
  status: statusOf(from, "eval_status"), score: numberOf(from, "score"),
  rubrics: listOf(valueOf(from, "details"), "rubric_scores").map((r) => ({ id: textOf(r, "rubric_id"), score: numberOf(r, "score"), rationale: textOf(r, "rationale") })),
});

function caseOf(from: unknown): RecordedCase {
  const turns = listOf(from, "eval_metric_result_per_invocation").map((turn) => listOf(turn, "eval_metric_results"));
  const metrics = listOf(from, "overall_eval_metric_results").map((m): RecordedMetric => {
    const name = textOf(m, "metric_name");
    return { ...scoreOf(m), name, threshold: numberOf(m, "threshold"), turns: turns.flatMap((all) => all.filter((t) => textOf(t, "metric_name") === name)).map(scoreOf) };
  });
  return { id: textOf(from, "eval_id"), status: statusOf(from, "final_eval_status"), metrics };
}

/** readRecordedCases returns the runs of a case in a result file. It throws if the text is not JSON. */
export function readRecordedCases(text: string, caseId: string): RecordedCase[] {
  let root: unknown = JSON.parse(text);
  if (typeof root === "string") root = JSON.parse(root); // older versions of ADK encode the file twice
  return listOf(root, "eval_case_results").filter((c) => textOf(c, "eval_id") === caseId).map(caseOf);
}
