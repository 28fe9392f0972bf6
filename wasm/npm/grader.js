// Runs code graders that are WASI commands. Each has a worker of its own, receives only its input, and has limits.
import { start } from "./thread.js";

/** defaults are the limits that apply unless the caller sets others. */
export const defaults = { time: 10_000, memory: 256 << 20, output: 8 << 20, module: 32 << 20 };

/**
 * run runs a grader to its end and returns its output and exit status. It rejects with the reason if the grader
 * crashes, exceeds a limit, or is cancelled by the signal.
 */
export async function run(module, { stdin = "", args = ["grader"] } = {}, limits = {}, signal = undefined) {
  const { time, memory, output, module: maxSize } = { ...defaults, ...limits };
  if (module.byteLength > maxSize) throw new Error(`has ${module.byteLength >> 20} MiB; the limit is ${maxSize >> 20} MiB`);
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
        (Worker) => new Worker(new URL("./grader-worker.js", import.meta.url), { type: "module" }), // bundlers recognize this form
        ({ result, error }) => (error === undefined ? resolve(result) : reject(new Error(error))),
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
 * capMemory writes the limit into the module's own memory section, because the host cannot set it from outside. The
 * section holds a flag, the minimum and the maximum, in pages of 64 KiB.
 */
function capMemory(module, pages) {
  const readNumber = (at) => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = module[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128 || byte === undefined) return [value, at];
    }
  };
  for (let at = 8; at < module.length;) {
    const id = module[at];
    const [maxSize, begin] = readNumber(at + 1);
    if (id !== 5) {
      at = begin + maxSize;
      continue;
    }
    const [, flag] = readNumber(begin);
    const [minimum, next] = readNumber(flag + 1);
    const maximum = module[flag] & 1 ? Math.min(readNumber(next)[0], pages) : pages;
    if (minimum > pages) throw new Error(`needs ${minimum >> 4} MiB of memory; the limit is ${pages >> 4} MiB`);
    const section = [1, module[flag] | 1, ...encodeNumber(minimum), ...encodeNumber(maximum)];
    const head = [5, ...encodeNumber(section.length), ...section];
    const capped = new Uint8Array(at + head.length + module.length - begin - maxSize);
    capped.set(module.subarray(0, at));
    capped.set(head, at);
    capped.set(module.subarray(begin + maxSize), at + head.length);
    return capped;
  }
  return module;
}

function encodeNumber(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}
