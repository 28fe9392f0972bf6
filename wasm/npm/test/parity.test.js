import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "../index.js";

const lines = (await readFile(new URL("../dist/parity.jsonl", import.meta.url), "utf8")).trimEnd().split("\n");

/** compare compares the responses of an evaluator with those of native code, unless `skip` is true of a request and its response. It returns the methods that the evaluator lacks. */
async function compare(engine, skip = () => false) {
  const lacking = new Set();
  for (let n = 0; n < lines.length; n += 2) {
    const got = new TextDecoder().decode(await engine.answer(new TextEncoder().encode(lines[n])));
    if (got.includes('"code":"not-included"')) lacking.add(JSON.parse(lines[n]).method);
    else if (!skip(lines[n] + lines[n + 1])) assert.equal(got, lines[n + 1], lines[n].slice(0, 300));
  }
  return [...lacking].sort();
}

test("the module and the native evaluator give the same responses", async () => {
  assert.ok(lines.length > 2000);
  assert.deepEqual(await compare(await open()), []);
});

test("the small module gives the same responses, but for methods that it lacks, JSON Schemas and promptfoo", async () => {
  const small = await open(await readFile(new URL("../dist/rubric-small.wasm", import.meta.url)));
  assert.deepEqual(await compare(small, (exchange) => /"(user-schema|schema-not-applied)"|promptfoo|prompts:/.test(exchange)), ["metric", "plan", "schema"]);
});
