/** Limits end what a grader may use: milliseconds, and bytes. */
export interface Limits {
  time: number;
  memory: number;
  /** of each of its two streams */
  output: number;
  /** of its file */
  module: number;
}

/** defaults are the limits of a grader that is given no others. */
export const defaults: Limits;

/**
 * run runs a code grader that is a WASI command, in a worker where it sees no
 * file, no network, no environment and no clock of the machine. A run without a
 * regular end (a crash, a limit, the signal) is an Error that says why.
 */
export function run(
  module: ArrayBuffer | Uint8Array,
  given?: { stdin?: string | Uint8Array; args?: string[] },
  limits?: Partial<Limits>,
  signal?: AbortSignal,
): Promise<{ code: number; stdout: string; stderr: string }>;
