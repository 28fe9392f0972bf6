// Code graders that somebody has opened: WebAssembly, each run in a worker of its own,
// where it sees nothing but the case and what it uses has an end.
import { run } from "@rubric-ls/wasm/grader";
import type { ProgramOutput, Program } from "@rubric-ls/wasm";

const modules = new Map<string, Uint8Array>();

/** most is how large a module may be, in bytes: as large as the command line takes. */
export const most = 32 << 20;

/** keepModule takes a module in, for as long as the page is open. */
export const keepModule = (name: string, bytes: Uint8Array): void => void modules.set(name, bytes);

/** moduleNames are those that are there. */
export const moduleNames = (): string[] => [...modules.keys()].sort();

/** runProgram runs a grader to its end. */
export async function runProgram({ argv, stdin }: Program, signal: AbortSignal): Promise<ProgramOutput> {
  const failed = (error: string): ProgramOutput => ({ stdout: "", stderr: "", code: -1, error });
  const name = argv[0].split("/").pop()!;
  const module = modules.get(name);
  if (!module) return failed(`${argv[0]}: is not open here; open the module beside the file`);
  try {
    return await run(module, { stdin, args: argv }, {}, signal);
  } catch (why) {
    return failed(why instanceof Error ? why.message : String(why));
  }
}
