// The entry point. README.md shows how to use it.
import * as engine from "./engine.js";
import * as worker from "./spawn.js";

export { EvaluatorError } from "./engine.js";
export { ABI } from "./instance.js";

/** loadBundledModule loads the module of this package. */
async function loadBundledModule() {
  const url = new URL("./dist/rubric.wasm", import.meta.url);
  if (url.protocol !== "file:") return fetch(url);
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

export const open = (source = loadBundledModule()) => engine.open(source);
export const spawn = (source = loadBundledModule(), options = undefined) => worker.spawn(source, options);
