// Every example of the gallery, checked by the page's worker and by the command line.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { browse, program, serve } from "./browser.js";

const site = await serve();
const { open, close } = await browse(site.address);
after(async () => {
  await close();
  await site.stop();
});

/** quickstart are the examples that are whole files, as the gallery takes them. */
const quickstart = [["quickstart/support.eval.yaml"], ["quickstart/banking/banking.evalset.json", "quickstart/banking/test_config.json"], ["readme/refund.eval.yaml"]]
  .map((names) => names.map((name) => ({ name: path.basename(name), text: readFileSync(path.join("../../testdata", name), "utf8") })));

/** talk speaks to the page's own worker, a new one: the rules, or what it publishes of each example's files. */
async function talk({ script, examples }) {
  const worker = new Worker(script, { type: "module" });
  const waiting = new Map(); // by a request's id, a document's address
  worker.onmessage = ({ data }) => {
    const { id, result, method, params } = JSON.parse(data);
    waiting.get(method === "textDocument/publishDiagnostics" ? params.uri : id)?.(params?.diagnostics ?? result);
  };
  const send = (method, params, key) => new Promise((done) => {
    waiting.set(key, done);
    worker.postMessage(JSON.stringify({ jsonrpc: "2.0", method, params, ...(typeof key === "number" && { id: key }) }));
  });
  await send("initialize", { capabilities: {} }, 1);
  if (!examples) return send("rubric/call", { method: "rules" }, 2);
  const all = [];
  for (const files of examples) {
    const found = {};
    const each = (method, more) => Promise.all(files.map(async ({ name, text }) => (found[name] = await send(method, { textDocument: { uri: `file:///${name}`, ...more(text) } }, `file:///${name}`))));
    await each("textDocument/didOpen", (text) => ({ languageId: "", version: 1, text }));
    all.push({ ...found });
    await each("textDocument/didClose", () => ({}));
  }
  return all;
}

const severities = ["", "error", "warning", "info", "hint"];
const words = ({ code, severity, message, range }) => `${range.start.line}:${range.start.character}-${range.end.line}:${range.end.character} ${severities[severity] ?? severity} ${code} ${message}`;

/** unlike gives each example of a name its own, so that those of one name are not one dataset. */
let count = 0;
const unlike = (name) => name.replace(/^example\b/, () => `example-${++count}`);

/** foreign is what refers to other files, which the page has not. */
const foreign = /\$schema=|"eval_set_id"/;

test("the evaluator says what the command line says, of every example", async () => {
  const page = await open();
  const script = page.workers()[0].url();
  const rules = await page.evaluate(talk, { script });
  const examples = [...quickstart, ...rules.flatMap((r) => [r.bad, r.good].map((text) => [{ name: unlike(r.path), text }, ...Object.entries(r.beside ?? {}).map(([name, text]) => ({ name, text }))]))];
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator("dialog [role=status]", { hasText: `${examples.length} examples` }).waitFor();
  const shown = await page.evaluate(talk, { script, examples });
  await page.close();

  const folder = mkdtempSync(path.join(os.tmpdir(), "examples-"));
  const alone = examples.map((files, i) => ({ files, i })).filter(({ files: [{ text }, ...beside] }) => !beside.length && !foreign.test(text));
  const written = alone.map(({ files: [{ name, text }], i }) => {
    const file = path.join(folder, String(i), name);
    mkdirSync(path.dirname(file));
    writeFileSync(file, text);
    return file;
  });
  const ran = spawnSync(program, ["check", "--format", "json", ...written], { encoding: "utf8", maxBuffer: 64 << 20 });
  const told = new Map(JSON.parse(ran.stdout).files.map((f) => [f.path, f.diagnostics.map(words).sort()]));
  alone.forEach(({ files: [{ name }], i }, k) => assert.deepEqual(shown[i][name].map(words).sort(), told.get(written[k]), `example ${i}`));
});
