// What `rubric run` says of the same files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { program } from "../browser.js";
import { address } from "./model.js";

/** withoutTimes returns a record without what differs between runs: times, and which answers were cached. */
export const withoutTimes = ({ timestamp, duration_ms, ...record }) => JSON.parse(JSON.stringify(record, (key, value) => (key === "kept" ? undefined : value)));

/** ran runs the first of some files, beside the others, and gives its records. */
export async function ran(files, args) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "run-"));
  for (const [name, body] of Object.entries(files)) writeFileSync(path.join(folder, name), body);
  const env = { ...process.env, OPENAI_API_KEY: "plain-key-for-the-test", OPENAI_BASE_URL: `${address}/v1`, XDG_CACHE_HOME: folder };
  const child = spawn(program, ["run", Object.keys(files)[0], "--format", "jsonl", ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const lines = (await text(child.stdout)).trim();
  assert.ok(lines, "rubric run printed nothing");
  return lines.split("\n").map((line) => withoutTimes(JSON.parse(line)));
}
