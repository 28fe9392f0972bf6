// The cases of a file with their lines. The full answer for ten thousand cases would block the page, so the worker
// reduces it.
import type { CaseHead } from "@rubric-ls/wasm";

/** CasePosition is the place of a case, from 0, and what keeps the case from running. */
export interface CasePosition {
  id: string;
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
export const casePositions = (cases: CaseHead[]): CasePosition[] => cases.map(({ id, range, error }) => ({ id, ...range.start, ...(error && { error }) }));
