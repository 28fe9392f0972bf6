// A run: the evaluator says what a case needs from outside, and is told, until it
// needs nothing more. Several questions are asked at a time; a run that is cancelled
// keeps what was judged until then.
import type { JudgeAnswer, ProgramOutput, RunParams, RunResult } from "@rubric-ls/wasm";
import { ask } from "../evaluator";
import { runProgram } from "./graders";
import type { Judge } from "./judge";

/** Order is one case to be run, in the evaluator's words. */
export type Order = Omit<RunParams, "answers" | "printed" | "judge" | "replay">;

/** atOnce is how many questions are asked at a time. */
const atOnce = 3;

const cancelled = "the run was cancelled";

/** runCase runs a case to its end, and tells of each step. */
export async function runCase(order: Order, judge: Judge, signal: AbortSignal, tell: (result: RunResult) => void): Promise<RunResult> {
  const answers: Record<string, JudgeAnswer> = {}, printed: Record<string, ProgramOutput> = {};
  for (let last = false; ;) {
    const result: RunResult = await ask("run", { ...order, judge: judge.name, answers, printed, replay: last });
    tell(result);
    const { questions, programs } = result;
    if (questions.length + programs.length === 0) return result;
    const work = [
      ...questions.map((q) => async () => {
        const answer = signal.aborted ? { text: "", error: cancelled } : await judge.answer!(q, signal);
        if (signal.aborted && answer?.error) answers[q.key] = { text: "", error: cancelled };
        else if (answer) answers[q.key] = answer;
      }),
      ...programs.map((p) => async () => {
        printed[p.key] = signal.aborted ? { stdout: "", stderr: "", code: -1, error: cancelled } : await runProgram(p, signal);
      }),
    ];
    await Promise.all(Array.from({ length: atOnce }, async () => {
      for (let next = work.shift(); next; next = work.shift()) await next();
    }));
    // What a recording has no answer to it will not have later: once nothing else is
    // open, the evaluator says what is missing.
    last = Boolean(judge.replay) && !programs.length && questions.every((q) => !answers[q.key]);
  }
}
