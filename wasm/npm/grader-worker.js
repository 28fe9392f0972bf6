// The worker of `run` in grader.js. It runs one grader, once.
import { serve } from "./thread.js";
import { ExitError, imports } from "./wasi.js";

/** Overflow stops a grader that exceeds its output limit. */
class Overflow extends Error {}

await serve(async (job, post) => {
  try {
    post({ result: await runModule(job) });
  } catch (error) {
    post({ error: error instanceof WebAssembly.CompileError ? `is not WebAssembly: ${error.message}` : error.message });
  }
});

async function runModule({ module: bytes, stdin, args, output }) {
  const module = await WebAssembly.compile(bytes);
  const streams = { 1: [], 2: [] }, remaining = { 1: output, 2: output };
  const write = (fd, chunk) => {
    if ((remaining[fd] -= chunk.length) < 0) throw new Overflow(`printed more than ${output >> 20} MiB`);
    streams[fd].push(chunk);
    return true;
  };
  let exports;
  ({ exports } = await WebAssembly.instantiate(module, imports(module, () => exports.memory, { args, stdin, write })));
  if (typeof exports._start !== "function") throw new Error("is not a WASI command: it exports no function `_start`");
  return { code: exitCode(exports._start), stdout: await decode(streams[1]), stderr: await decode(streams[2]) };
}

function exitCode(start) {
  try {
    start();
    return 0;
  } catch (error) {
    if (error instanceof ExitError) return error.code;
    if (error instanceof Overflow) throw error;
    throw new Error(`crashed: ${error.message}`);
  }
}

const decode = (chunks) => new Blob(chunks).text();
