// Code graders that are WebAssembly (WASI commands), in a worker of their own:
// they see nothing but what they are given, and what they use has an end.
import { start } from "./thread.js";

/** Defaults are the limits of a grader that is given no others. */
export const defaults = { time: 10_000, memory: 256 << 20, output: 8 << 20, module: 32 << 20 };

/**
 * run runs a grader to its end: what it printed and its exit status. It fails
 * with an Error that says why a run had no regular end; a signal ends it.
 */
export async function run(module, { stdin = "", args = ["grader"] } = {}, limits = {}, signal = undefined) {
  const { time, memory, output, module: size } = { ...defaults, ...limits };
  if (module.byteLength > size) throw new Error(`has ${module.byteLength >> 20} MiB; graders of up to ${size >> 20} MiB are run`);
  const job = {
    module: capMemory(new Uint8Array(module), memory >> 16),
    stdin: typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin,
    args, output,
  };
  let thread, timer;
  try {
    return await new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new Error("cancelled"));
      signal?.addEventListener("abort", () => reject(new Error("cancelled")), { once: true });
      timer = setTimeout(() => reject(new Error(`timed out after ${time} ms`)), time);
      thread = start(
        (Worker) => new Worker(new URL("./grader-worker.js", import.meta.url), { type: "module" }), // as bundlers look for it
        ({ result, fault }) => (fault === undefined ? resolve(result) : reject(new Error(fault))),
        (message) => reject(new Error(`crashed: ${message}`)),
      );
      thread.then((t) => (t.busy(true), t.post(job)), reject);
    });
  } finally {
    clearTimeout(timer);
    (await thread)?.end();
  }
}

/**
 * capMemory writes a limit into a module's own memory, which nothing outside can
 * set: the memory section holds a flag, the least and the most of 64 KiB pages.
 */
function capMemory(module, pages) {
  const number = (at) => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = module[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128 || byte === undefined) return [value, at];
    }
  };
  for (let at = 8; at < module.length;) {
    const id = module[at];
    const [size, begin] = number(at + 1);
    if (id !== 5) {
      at = begin + size;
      continue;
    }
    const [, flag] = number(begin);
    const [least, next] = number(flag + 1);
    const most = module[flag] & 1 ? Math.min(number(next)[0], pages) : pages;
    if (least > pages) throw new Error(`wants ${least >> 4} MiB of memory; graders have ${pages >> 4}`);
    const section = [1, module[flag] | 1, ...leb(least), ...leb(most)];
    const head = [5, ...leb(section.length), ...section];
    const capped = new Uint8Array(at + head.length + module.length - begin - size);
    capped.set(module.subarray(0, at));
    capped.set(head, at);
    capped.set(module.subarray(begin + size), at + head.length);
    return capped;
  }
  return module;
}

function leb(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}
