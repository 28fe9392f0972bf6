import type { JudgeAnswer, Methods, Program, ProgramOutput, Question, RunParams, RunResult } from "./api.js";

/** RunCase is a case to run: the parameters of the evaluator's `run`, which `run` completes. */
export type RunCase = Omit<RunParams, "answers" | "printed" | "completed" | "replay"> & { case: string };

/** RunEvent is one step of a run. `result` holds the grades so far; those of a step that is done are final. */
export type RunEvent = { case: string; index: number; total: number } & (
  { stage: "started"; result?: undefined } | { stage: "graded" | "done"; result: RunResult });

/** Caller calls methods of the evaluator by name. */
export interface Caller {
  call<M extends "run" | "order" | "version">(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]>;
}

/** RunHost answers what the evaluator asks for. */
export interface RunHost {
  /** answer asks the judge. Without an answer the question stays open, as for a recording that lacks it. */
  answer?(question: Question, signal: AbortSignal): Promise<JudgeAnswer | undefined>;
  /** runProgram runs a WebAssembly grader. */
  runProgram?(program: Program, signal: AbortSignal): Promise<ProgramOutput>;
  /** replay says that the answers are recorded, so that missing ones are errors. */
  replay?: boolean;
  /** workers is the number of concurrent questions and programs. The default is that of `rubric run`. */
  workers?: number;
  /** signal cancels the run. The case that runs keeps the grades so far, and no further case starts. */
  signal?: AbortSignal;
}

/**
 * run runs cases of one file one after another, as `rubric run` does, and yields what happens. Cases that others depend
 * on come first, and are added if they are missing. `engine` is an evaluator, or anything
 * else that calls its methods.
 */
export function run(engine: Caller, cases: RunCase[], host?: RunHost): AsyncGenerator<RunEvent, void, void>;
