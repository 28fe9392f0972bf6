// The interface of judges.
import type { JudgeAnswer, Question } from "@rubric-ls/wasm";

/** Judge answers questions. Without `answer` the evaluator's offline judge grades. */
export interface Judge {
  /** the name in results */
  name: string;
  /** whether a missing answer is an error of the recording */
  replay?: boolean;
  answer?(question: Question, signal: AbortSignal): Promise<JudgeAnswer>;
  /** end releases resources. */
  end?(): void;
}

/** offline is the judge that needs no model. */
export const offline: Judge = { name: "offline" };

/** unreachable is the answer of a judge that could not be reached. */
export const unreachable = (error: string): JudgeAnswer => ({ text: "", error, unreachable: true });

/** wait waits for a time in milliseconds, or until the signal. */
export const wait = (time: number, signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  if (signal.aborted) return resolve();
  const timer = setTimeout(resolve, time);
  signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
});
