// Code graders that the user has opened: WebAssembly modules. Each runs in a worker of its own, sees only the case,
// and has limits.
import { run } from "@rubric-ls/wasm/grader";
import type { ProgramOutput, Program } from "@rubric-ls/wasm";

const modules = new Map<string, Uint8Array>();

/** maxModuleSize limits a module, in bytes. The command line has the same limit. */
export const maxModuleSize = 32 << 20;

/** addModule adds a module until the page is closed. */
export const addModule = (name: string, bytes: Uint8Array): void => void modules.set(name, bytes);

/** moduleNames returns the names of the open modules. */
export const moduleNames = (): string[] => [...modules.keys()].sort();

/** runProgram runs a grader. */
export async function runProgram({ argv, stdin }: Program, signal: AbortSignal): Promise<ProgramOutput> {
  const failed = (error: string): ProgramOutput => ({ stdout: "", stderr: "", code: -1, error });
  const name = argv[0].split("/").pop()!;
  const module = modules.get(name);
  if (!module) return failed(`${argv[0]}: is not open here; open the module too`);
  try {
    return await run(module, { stdin, args: argv }, {}, signal);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}
