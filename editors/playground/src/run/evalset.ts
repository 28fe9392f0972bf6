// An evalset of ADK's, whose cases are measured by metrics and have no rubric to show.
import type { File } from "../state";

/** caseIds are the ids of an evalset's cases; nothing of another file. */
export function caseIds({ name, text }: File): string[] {
  if (!name.endsWith(".json")) return [];
  try {
    const { eval_cases: cases } = JSON.parse(text) as { eval_cases?: { eval_id?: unknown }[] };
    return (cases ?? []).map((c) => c.eval_id).filter((id) => typeof id === "string");
  } catch {
    return [];
  }
}
