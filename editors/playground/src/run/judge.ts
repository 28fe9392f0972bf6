// Who judges: whoever answers the questions of a case.
import type { JudgeAnswer, Question } from "@rubric-ls/wasm";

/** Judge answers questions. One without `answer` is the evaluator's own stand-in. */
export interface Judge {
  /** as results name it */
  name: string;
  /** whether what it has no answer to was never recorded, and is a fault */
  replay?: boolean;
  answer?(question: Question, signal: AbortSignal): Promise<JudgeAnswer>;
  /** end gives up what it holds. */
  end?(): void;
}

/** offline is the stand-in that needs no model. */
export const offline: Judge = { name: "offline" };

/** fault is an answer that there is none, because nobody was reached. */
export const fault = (error: string): JudgeAnswer => ({ text: "", error, unreachable: true });

/** wait waits for a time, in milliseconds, or until the signal. */
export const wait = (time: number, signal: AbortSignal): Promise<void> => new Promise((done) => {
  if (signal.aborted) return done();
  const timer = setTimeout(done, time);
  signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
});
