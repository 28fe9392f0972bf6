import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { promisify } from "node:util";

const module = fileURLToPath(new URL("../dist/rubric.wasm", import.meta.url));

test("the JavaScript host in ../README.md works", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const [, example] = readme.match(/\n```js\n(.*?)\n```\n/s);
  const dir = await mkdtemp(join(tmpdir(), "rubric-readme-"));
  try {
    const host = join(dir, "host.mjs");
    await writeFile(host, example);
    const { stdout } = await promisify(execFile)(process.execPath, [host, module]);
    assert.match(stdout, /^agentv/);
  } finally {
    await rm(dir, { recursive: true });
  }
});
