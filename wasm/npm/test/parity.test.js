import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "../index.js";

test("the module and the native evaluator give the same responses", async () => {
  const lines = (await readFile(new URL("../dist/parity.jsonl", import.meta.url), "utf8")).trimEnd().split("\n");
  const engine = await open();
  for (let n = 0; n < lines.length; n += 2) {
    const got = new TextDecoder().decode(await engine.answer(new TextEncoder().encode(lines[n])));
    assert.equal(got, lines[n + 1], lines[n].slice(0, 300));
  }
  assert.ok(lines.length > 2000);
});
