import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { run } from "../grader.js";
import { assemble, forever, growAll, unreachable } from "./module.js";

const start = (code, imported) => assemble({ _start: { code } }, imported);

test("a grader reads its question and prints its judgement", async () => {
  const brief = await readFile(new URL("../../graders/brief/brief.wasm", import.meta.url));
  const { code, stdout, stderr } = await run(brief, { stdin: JSON.stringify({ candidate_answer: "Yes." }, null, 2) });
  assert.deepEqual({ code, stderr, ...JSON.parse(stdout) }, { code: 0, stderr: "", score: 1, reasoning: "4 characters" });
});

for (const [name, module, want] of [
  ["loops", start(forever), /^timed out after 500 ms/],
  ["traps", start(unreachable), /^crashed: unreachable/],
  ["calls itself for ever", start([0x10, 0]), /^crashed: Maximum call stack/],
  ["takes all memory", start([...growAll, ...unreachable]), /^crashed: unreachable/],
  ["wants to fork", start([], [["wasix_32v1", "proc_fork"]]), /^is no WASI module: it wants `proc_fork` of `wasix_32v1`/],
  ["has no start", assemble({}), /^is not a WASI command: it exports no function `_start`/],
  ["is no WebAssembly", new TextEncoder().encode("#!/bin/sh"), /^is not WebAssembly/],
  ["is too large", new Uint8Array(2 << 20), /^has 2 MiB; graders of up to 1 MiB are run/],
]) {
  test(`a grader that ${name} is stopped`, async () => {
    await assert.rejects(run(module, {}, { time: 500, memory: 64 << 20, module: 1 << 20 }), { message: want });
  });
}

test("a grader is ended by a signal", async () => {
  const stop = new AbortController();
  const running = run(start(forever), {}, {}, stop.signal);
  stop.abort();
  await assert.rejects(running, { message: "cancelled" });
  await assert.rejects(run(start(forever), {}, {}, stop.signal), { message: "cancelled" });
});
