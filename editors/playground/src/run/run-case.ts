// Runs a case. The evaluator returns the questions and programs that it needs, until none are left. A cancelled run
// keeps the grades so far.
import type { JudgeAnswer, ProgramOutput, RunParams, RunResult } from "@rubric-ls/wasm";
import { callEvaluator } from "../evaluator";
import { runProgram } from "./graders";
import type { Judge } from "./judge";

/** RunRequest is one case to run, as the evaluator's `run` takes it. */
export type RunRequest = Omit<RunParams, "answers" | "printed" | "judge" | "replay">;

/** maxConcurrent is the number of concurrent questions. */
const maxConcurrent = 3;

const cancelled = "the run was cancelled";

/** runCase runs a case and calls onStep after each step. */
export async function runCase(request: RunRequest, judge: Judge, signal: AbortSignal, onStep: (result: RunResult) => void): Promise<RunResult> {
  const answers: Record<string, JudgeAnswer> = {}, outputs: Record<string, ProgramOutput> = {};
  for (let last = false; ;) {
    const result: RunResult = await callEvaluator("run", { ...request, judge: judge.name, answers, printed: outputs, replay: last });
    onStep(result);
    const { questions, programs } = result;
    if (questions.length + programs.length === 0) return result;
    const tasks = [
      ...questions.map((q) => async () => {
        const answer = signal.aborted ? { text: "", error: cancelled } : await judge.answer!(q, signal);
        if (signal.aborted && answer?.error) answers[q.key] = { text: "", error: cancelled };
        else if (answer) answers[q.key] = answer;
      }),
      ...programs.map((p) => async () => {
        outputs[p.key] = signal.aborted ? { stdout: "", stderr: "", code: -1, error: cancelled } : await runProgram(p, signal);
      }),
    ];
    await Promise.all(Array.from({ length: maxConcurrent }, async () => {
      for (let next = tasks.shift(); next; next = tasks.shift()) await next();
    }));
    // A recording gains no answers later. Once nothing else is open, the evaluator reports the missing ones.
    last = Boolean(judge.replay) && !programs.length && questions.every((q) => !answers[q.key]);
  }
}
