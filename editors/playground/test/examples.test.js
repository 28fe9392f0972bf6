// Every example of the gallery, checked by the page's worker and by the command line.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { playground, program, settles } from "./browser.js";

const { open } = await playground();

const banking = "../../testdata/quickstart/banking";

/** whole are the examples of the gallery that are not a rule's. */
const whole = [
  ["src/examples/support.eval.yaml"], [`${banking}/banking.evalset.json`, `${banking}/test_config.json`, `${banking}/banking.evalset_result.json`], ["../../testdata/readme/refund.eval.yaml"],
  ["src/examples/promptfooconfig.yaml"], ["src/examples/travel.eval.yaml"], ["src/examples/drafts.eval.yaml"],
].map((names) => names.map((name) => ({ name: path.basename(name), text: readFileSync(name, "utf8") })));

/** session starts the page's worker and returns the rules, or the diagnostics of each example's files. */
async function session({ script, examples }) {
  const worker = new Worker(script, { type: "module" });
  const waiting = new Map(); // by a request's id, a document's address
  const last = {}; // findings, by a document's address
  worker.onmessage = ({ data }) => {
    const { id, result, method, params } = JSON.parse(data);
    if (method === "textDocument/publishDiagnostics") last[params.uri] = params.diagnostics;
    waiting.get(params?.uri ?? id)?.(params?.diagnostics ?? result);
  };
  const send = (method, params, key) => new Promise((done) => {
    waiting.set(key, done);
    worker.postMessage(JSON.stringify({ jsonrpc: "2.0", method, params, ...(typeof key === "number" && { id: key }) }));
  });
  await send("initialize", { capabilities: {} }, 1);
  if (!examples) return send("rubric/call", { method: "rules" }, 2);
  const waitsForWhole = async () => (await send("rubric/call", { method: "version" }, 3)).wholeWanted;
  const all = [];
  for (const files of examples) {
    const each = (method, more) => Promise.all(files.map(({ name, text }) => send(method, { textDocument: { uri: `file:///${name}`, ...more(text) } }, `file:///${name}`)));
    await each("textDocument/didOpen", (text) => ({ languageId: "", version: 1, text }));
    while (await waitsForWhole()); // the evaluator that applies users' schemas is loading
    await waitsForWhole(); // by then diagnostics across files are published as well
    all.push(Object.fromEntries(files.map(({ name }) => [name, last[`file:///${name}`]])));
    await each("textDocument/didClose", () => ({}));
  }
  return all;
}

test("the search finds an example by what is in its files, and stays where it is", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Examples" }).click();
  const search = page.getByRole("searchbox", { name: "Search" }), titles = () => page.locator("dialog .card button").allTextContents(), top = async () => (await search.boundingBox()).y;
  const before = await top();
  for (const [words, first] of [["tool use", "A travel assistant with tools"], ["weights", "A support assistant"], ["travel tools", "A travel assistant with tools"]]) {
    await search.fill(words);
    await settles(async () => (await titles())[0], first);
    assert.equal(await top(), before);
  }
  await search.fill("qqqq");
  await page.getByRole("dialog").getByText("No examples").waitFor();
  assert.equal(await top(), before);
  await page.close();
});

const severities = ["", "error", "warning", "info", "hint"];
// Without its end: an editor underlines the first line alone.
const formatDiagnostic = ({ code, severity, message, range }) => `${range.start.line}:${range.start.character} ${severities[severity] ?? severity} ${code} ${message}`;

test("the evaluator and the command line agree on every example", async () => {
  const page = await open();
  const script = page.workers().map((worker) => worker.url()).find((url) => url.includes("/language-server-"));
  assert.ok(script, "the language server has a worker");
  const rules = (await page.evaluate(session, { script })).filter((r) => r.severity !== "off");
  const examples = [...whole, ...rules.flatMap((r) => [r.bad, r.good].map((text) => [{ name: r.path, text }, ...Object.entries(r.beside ?? {}).map(([name, text]) => ({ name, text }))]))];
  await page.getByRole("button", { name: "Examples" }).click();
  await settles(() => page.locator("dialog .card").count(), whole.length);
  await settles(() => page.getByRole("searchbox", { name: "Search" }).getAttribute("placeholder"), `${examples.length - whole.length} examples of rules`);
  const shown = await page.evaluate(session, { script, examples });
  for (const i of [0, 3]) assert.deepEqual(Object.values(shown[i]).flat(), [], `example ${i} has no finding`); // the first one, and promptfoo's
  await page.close();

  const folder = mkdtempSync(path.join(os.tmpdir(), "examples-"));
  examples.forEach((files, i) => files.forEach(({ name, text }) => {
    const file = path.join(folder, String(i), name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }));
  let compared = 0, schemas = 0;
  await Promise.all([0, 1, 2].map(async (turn) => { // each in a folder of its own, or they would be one dataset
    for (let i = turn; i < examples.length; i += 3) {
      const ran = spawn(program, ["check", "--format", "json", path.join(folder, String(i))], { stdio: ["ignore", "pipe", "inherit"] });
      const { files } = JSON.parse(await text(ran.stdout));
      assert.ok(files.length, `example ${i}`);
      for (const { path: file, diagnostics } of files) {
        if (diagnostics.some((d) => d.code === "outside-file")) continue; // a page has no files outside
        const name = path.relative(path.join(folder, String(i)), file);
        assert.deepEqual(shown[i][name].map(formatDiagnostic).sort(), diagnostics.map(formatDiagnostic).sort(), `example ${i}, ${name}`);
        compared++;
        schemas += diagnostics.filter((d) => d.code === "user-schema").length;
      }
    }
  }));
  assert.ok(compared >= examples.length - 1, `${compared} files of ${examples.length} examples`);
  assert.ok(schemas > 0, "no example is held against a schema of its author's");
});
