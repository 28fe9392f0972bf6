// Tests the package in Chromium: `npm run browser`. CHROMIUM names another browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

const root = new URL("../..", import.meta.url).pathname; // the folder wasm, which also has the graders
const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html", ".jsonl": "text/plain" };
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** serve serves the folder. The outcome is what the page posts. */
async function serve() {
  let resolveOutcome;
  const outcome = new Promise((resolve) => (resolveOutcome = resolve));
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const chunks = [];
      for await (const part of request) chunks.push(part);
      response.end();
      return resolveOutcome(JSON.parse(Buffer.concat(chunks)));
    }
    const path = normalize(decodeURIComponent(request.url));
    try {
      const body = await readFile(join(root, path));
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, outcome, page: `http://127.0.0.1:${server.address().port}/npm/test/browser.html` };
}

test("the package in Chromium", { timeout: 180_000 }, async () => {
  const { server, outcome, page } = await serve();
  const profile = await mkdtemp(join(tmpdir(), "rubric-chromium-"));
  const browser = spawn(process.env.CHROMIUM ?? "chromium-headless-shell", [...flags, `--user-data-dir=${profile}`, page], { stdio: "ignore", detached: true });
  const exited = new Promise((_, reject) => browser.on("error", reject).on("exit", (code) => reject(new Error(`the browser ended with ${code}`))));
  exited.catch(() => {}); // the browser is stopped below
  try {
    const { fault, figures, ...results } = await Promise.race([outcome, exited]);
    console.log(figures);
    assert.equal(fault, undefined);
    assert.deepEqual(results, {
      different: [],
      remote: "agentv",
      crash: "internal",
      timeout: "timeout",
      grade: { score: 1, reasoning: "4 characters" },
      loop: "timed out after 500 ms",
      server: true,
    });
    for (const [name, milliseconds] of Object.entries(figures)) assert.ok(milliseconds > 0, name);
  } finally {
    process.kill(-browser.pid); // and what it has started
    await new Promise((ended) => browser.once("close", ended));
    server.close();
    server.closeAllConnections();
    // A process of the browser may outlive the first one for a moment and still write. What is then left fails no test.
    for (let tries = 0, left = true; left && tries < 20; tries++) {
      left = await rm(profile, { recursive: true, force: true }).then(() => false, () => pause(100, true));
    }
  }
});
