// The other side of `run`: one grader, once.
import { serve } from "./thread.js";
import { Exit, imports } from "./wasi.js";

/** Overflow ends a grader that prints more than it may. */
class Overflow extends Error {}

await serve(async (job, post) => {
  try {
    post({ result: await grade(job) });
  } catch (fault) {
    post({ fault: fault instanceof WebAssembly.CompileError ? `is not WebAssembly: ${fault.message}` : fault.message });
  }
});

async function grade({ module: bytes, stdin, args, output }) {
  const module = await WebAssembly.compile(bytes);
  const printed = { 1: [], 2: [] }, room = { 1: output, 2: output };
  const write = (fd, part) => {
    if ((room[fd] -= part.length) < 0) throw new Overflow(`printed more than ${output >> 20} MiB`);
    printed[fd].push(part);
    return true;
  };
  let exports;
  ({ exports } = await WebAssembly.instantiate(module, imports(module, () => exports.memory, { args, stdin, write })));
  if (typeof exports._start !== "function") throw new Error("is not a WASI command: it exports no function `_start`");
  return { code: run(exports._start), stdout: await text(printed[1]), stderr: await text(printed[2]) };
}

function run(start) {
  try {
    start();
    return 0;
  } catch (fault) {
    if (fault instanceof Exit) return fault.code;
    if (fault instanceof Overflow) throw fault;
    throw new Error(`crashed: ${fault.message}`);
  }
}

const text = (parts) => new Blob(parts).text();
