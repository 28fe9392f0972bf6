// What a result file of ADK's says that its cases came to. The evaluator reads of one what
// was said alone, to measure that again. Keys may be in either style.
import type { Status } from "./panes/status";

/** RecordedScore is what something was measured as, and what was said of each rubric; a score is null where there is none. */
export interface RecordedScore {
  status: Status;
  score: number | null;
  rubrics: { id: string; score: number | null; rationale: string }[];
}

/** RecordedMetric is what a metric came to, in all and in each turn from the first. */
export interface RecordedMetric extends RecordedScore {
  name: string;
  threshold: number | null;
  turns: RecordedScore[];
}

/** RecordedCase is what a run of a case came to. */
export interface RecordedCase {
  id: string;
  status: Status;
  metrics: RecordedMetric[];
}

const camel = (key: string): string => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const of = (from: unknown, key: string): unknown => (typeof from === "object" && from !== null ? ((from as Record<string, unknown>)[camel(key)] ?? (from as Record<string, unknown>)[key]) : undefined);
const list = (from: unknown, key: string): unknown[] => [of(from, key) ?? []].flat();
const words = (from: unknown, key: string): string => String(of(from, key) ?? "");
const figure = (from: unknown, key: string): number | null => [of(from, key)].find((n): n is number => typeof n === "number") ?? null;
const status = (from: unknown, key: string): Status => ({ 1: "PASSED", 2: "FAILED" } as const)[Number(of(from, key))] ?? "NOT_EVALUATED";

const scored = (from: unknown): RecordedScore => ({
  status: status(from, "eval_status"), score: figure(from, "score"),
  rubrics: list(of(from, "details"), "rubric_scores").map((r) => ({ id: words(r, "rubric_id"), score: figure(r, "score"), rationale: words(r, "rationale") })),
});

function recorded(from: unknown): RecordedCase {
  const turns = list(from, "eval_metric_result_per_invocation").map((turn) => list(turn, "eval_metric_results"));
  const metrics = list(from, "overall_eval_metric_results").map((m): RecordedMetric => {
    const name = words(m, "metric_name");
    return { ...scored(m), name, threshold: figure(m, "threshold"), turns: turns.flatMap((all) => all.filter((t) => words(t, "metric_name") === name)).map(scored) };
  });
  return { id: words(from, "eval_id"), status: status(from, "final_eval_status"), metrics };
}

/** recordedIn are the runs of a case in a file. An error says that it is no JSON. */
export function recordedIn(text: string, about: string): RecordedCase[] {
  let root: unknown = JSON.parse(text);
  if (typeof root === "string") root = JSON.parse(root); // as older files hold it
  return list(root, "eval_case_results").filter((c) => words(c, "eval_id") === about).map(recorded);
}
