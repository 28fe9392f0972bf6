// The cases of a file as the page needs them, made of the evaluator's beside it: all that it
// says of ten thousand would hold the page up.
import type { CaseHead } from "@rubric-ls/wasm";

/** Place is where a case is: its line, from 0. */
export interface Place {
  id: string;
  line: number;
}

/** method is what the page asks for them by. */
export const method = "playground/cases";

/** places are those of some cases. */
export const places = (cases: CaseHead[]): Place[] => cases.map(({ id, range }) => ({ id, line: range.start.line }));
