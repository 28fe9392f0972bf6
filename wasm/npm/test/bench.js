// Compares the module under V8 with the native evaluator on a file of 1,000 cases: `npm run bench`, after `make
// build`. It prints the best time of each in milliseconds.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { open } from "../index.js";

const cases = Array.from({ length: 1000 }, (_, n) =>
  `  - id: case-${n}\n    expected_outcome: Resolves request ${n}\n    input: Question ${n}\n    rubrics:\n      - Greets the customer\n      - { id: refund, expected_outcome: Refunds order ${n}, weight: 2 }\n`);
const text = "evalcases:\n" + cases.join("");
const request = (n) => JSON.stringify({ method: "check", params: { text, path: `${n}.yaml` } }); // a new path defeats the cache

const program = spawn(fileURLToPath(new URL("../../../bin/rubric", import.meta.url)), ["call"], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: program.stdout });
const engine = await open();
const contenders = {
  native(n) {
    program.stdin.write(request(n) + "\n");
    return once(lines, "line");
  },
  module: (n) => engine.answer(new TextEncoder().encode(request(n))),
};
const best = { native: Infinity, module: Infinity };
for (let n = 0; n < 20; n++) {
  for (const [name, check] of Object.entries(contenders)) {
    const start = performance.now();
    await check(n);
    best[name] = Math.min(best[name], performance.now() - start);
  }
}
program.stdin.end();
const { native, module } = best;
console.log(`native ${native.toFixed(0)} ms, module ${module.toFixed(0)} ms: ${(module / native).toFixed(1)} times`);
