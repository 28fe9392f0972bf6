import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { run } from "../grader.js";
import { assemble, forever, growMemory, unreachable } from "./module.js";

const start = (code, imported) => assemble({ _start: { code } }, imported);

test("a grader reads its input and prints its grade", async () => {
  const brief = await readFile(new URL("../../graders/brief/brief.wasm", import.meta.url));
  const { code, stdout, stderr } = await run(brief, { stdin: JSON.stringify({ candidate_answer: "Yes." }, null, 2) });
  assert.deepEqual({ code, stderr, ...JSON.parse(stdout) }, { code: 0, stderr: "", score: 1, reasoning: "4 characters" });
});

for (const [name, module, want, time = 60_000] of [
  ["loops", start(forever), /^timed out after 500 ms/, 500],
  ["traps", start(unreachable), /^crashed: unreachable/],
  ["recurses forever", start([0x10, 0]), /^crashed: Maximum call stack/],
  ["allocates all memory", start([...growMemory, ...unreachable]), /^crashed: unreachable/],
  ["imports fork", start([], [["wasix_32v1", "proc_fork"]]), /^is not a WASI module: it imports `proc_fork` from `wasix_32v1`/],
  ["exports no start function", assemble({}), /^is not a WASI command: it exports no function `_start`/],
  ["is not WebAssembly", new TextEncoder().encode("#!/bin/sh"), /^is not WebAssembly/],
  ["is too large", new Uint8Array(2 << 20), /^has 2 MiB; the limit is 1 MiB/],
]) {
  test(`a grader that ${name} is stopped`, async () => {
    await assert.rejects(run(module, {}, { time, memory: 64 << 20, module: 1 << 20 }), { message: want });
  });
}

test("a signal stops a grader", async () => {
  const stop = new AbortController();
  const running = run(start(forever), {}, {}, stop.signal);
  stop.abort();
  await assert.rejects(running, { message: "cancelled" });
  await assert.rejects(run(start(forever), {}, {}, stop.signal), { message: "cancelled" });
});
