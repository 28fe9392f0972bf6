// The cases of a file with their lines. The full answer for ten thousand cases would block the page, so the worker
// reduces it.
import type { CaseHead } from "@rubric-ls/wasm";

/** CasePosition is the place of a case, from 0, what people call it, and what keeps it from running. */
export interface CasePosition {
  id: string;
  label: string; // the id, or a title in place of a generated one, with the id where several have it
  line: number;
  character: number;
  error?: string; // why the case does not run
}

/** positionsMethod is the page's own request for the positions. */
export const positionsMethod = "playground/cases";

/** progressMethod is the worker's own notification about the loading of its module. */
export const progressMethod = "playground/progress";

/** switchedMethod is the worker's own notification that the whole evaluator answers from now on. */
export const switchedMethod = "playground/switched";

/** casePositions returns the positions of cases. */
export function casePositions(cases: CaseHead[]): CasePosition[] {
  const counts = new Map<string, number>();
  for (const { title } of cases) if (title) counts.set(title, (counts.get(title) ?? 0) + 1);
  return cases.map(({ id, title, range, error }) => ({ id, label: !title ? id : counts.get(title) === 1 ? title : `${title} (${id})`, ...range.start, ...(error && { error }) }));
}

/** caseLabel returns what people call a case. */
export const caseLabel = (cases: CasePosition[], id: string): string => cases.find((c) => c.id === id)?.label ?? id;
