// The evaluator of rubric eval files; README.md shows how it is used.
import * as engine from "./engine.js";
import * as remote from "./spawn.js";

export { EvaluatorError } from "./engine.js";
export { ABI } from "./instance.js";

/** bundled is this package's own module. */
async function bundled() {
  const url = new URL("./dist/rubric.wasm", import.meta.url);
  if (url.protocol !== "file:") return fetch(url);
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

export const open = (source = bundled()) => engine.open(source);
export const spawn = (source = bundled(), options = undefined) => remote.spawn(source, options);
