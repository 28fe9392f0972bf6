/** Limits bound what a grader may use, in milliseconds and bytes. */
export interface Limits {
  time: number;
  memory: number;
  /** for each of stdout and stderr */
  output: number;
  /** of the module's file */
  module: number;
}

/** defaults are the limits that apply unless the caller sets others. */
export const defaults: Limits;

/**
 * run runs a code grader that is a WASI command, in a worker without access to files, network, environment and the
 * machine's clock. It rejects with the reason if the grader crashes, exceeds a limit, or is cancelled by the signal.
 */
export function run(
  module: ArrayBuffer | Uint8Array,
  given?: { stdin?: string | Uint8Array; args?: string[] },
  limits?: Partial<Limits>,
  signal?: AbortSignal,
): Promise<{ code: number; stdout: string; stderr: string }>;
