// The cases of a file with their lines. The full answer for ten thousand cases would block the page, so the worker
// reduces it.
import type { CaseHead } from "@rubric-ls/wasm";

/** CasePosition is the line of a case, from 0. */
export interface CasePosition {
  id: string;
  line: number;
}

/** method is the page's own request for the positions. */
export const method = "playground/cases";

/** casePositions returns the positions of cases. */
export const casePositions = (cases: CaseHead[]): CasePosition[] => cases.map(({ id, range }) => ({ id, line: range.start.line }));
