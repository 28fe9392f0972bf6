import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { open } from "../index.js";
import { serve } from "../lsp.js";
import { applyChange } from "../lsp-documents.js";

const uri = "file:///w/a%20b.eval.yaml";
const file = "evalcases:\n  - id: a\n    expected_outcome: Greets\n    input: Hi 😀\n    rubrics: [Greets]\n    wieght: 1\n";
const clientCapabilities = { general: { positionEncodings: ["utf-16"] }, textDocument: {} };

/** client returns a session and its messages. `ask` resolves to a request's response. */
function client(engine = open(), options = {}) {
  const received = [];
  const session = serve(engine, { send: (message) => received.push(structuredClone(message)), ...options });
  let id = 0;
  const send = (method, params, more = {}) => session.receive({ jsonrpc: "2.0", method, params, ...more });
  return {
    received, send, session,
    async ask(method, params) {
      const requestId = ++id;
      send(method, params, { id: requestId });
      await session.settled();
      return received.find((m) => m.id === requestId);
    },
    open: (text = file, version = 1) => send("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version, text } }),
    edit: (version, ...contentChanges) => send("textDocument/didChange", { textDocument: { uri, version }, contentChanges }),
    published: () => received.filter((m) => m.method === "textDocument/publishDiagnostics").map((m) => m.params),
  };
}

async function startClient(...args) {
  const c = client(...args);
  await c.ask("initialize", { capabilities: clientCapabilities });
  c.send("initialized", {});
  return c;
}

const positionParams = (line, character) => ({ textDocument: { uri }, position: { line, character } });
const shared = open();

test("diagnostics are published with their version, and never stale", async () => {
  const c = await startClient(shared);
  c.open();
  await c.session.settled();
  assert.deepEqual(c.published().map(({ version, diagnostics }) => [version, diagnostics.at(-1).code]), [[1, "unknown-key"]]);
  const key = { start: { line: 5, character: 4 }, end: { line: 5, character: 10 } };
  c.edit(2, { range: key, rangeLength: 6, text: "wei" });
  c.edit(3, { range: { start: { line: 5, character: 0 }, end: { line: 6, character: 0 } }, text: "" });
  await c.session.settled();
  const { version, diagnostics } = c.published().at(-1);
  assert.deepEqual([c.published().length, version, diagnostics.filter((d) => d.code === "unknown-key")], [2, 3, []]);
  c.edit(4, { text: file });
  c.send("textDocument/didSave", { textDocument: { uri } });
  c.edit(5, { range: "everywhere", text: 5 });
  await c.session.settled();
  assert.equal(c.published().at(-1).version, 4);
  c.send("textDocument/didClose", { textDocument: { uri } });
  c.edit(6, { text: file });
  await c.session.settled();
  assert.deepEqual(c.published().at(-1), { uri, diagnostics: [] });
});

test("a host with `publish` gets the same diagnostics as text", async () => {
  const texts = [];
  const [c, d] = [await startClient(shared), await startClient(shared, { publish: (params) => texts.push(JSON.parse(params)) })];
  for (const one of [c, d]) {
    one.open();
    await one.session.settled();
    one.edit(2, { range: { start: { line: 5, character: 4 }, end: { line: 5, character: 4 } }, text: "\n    " });
    await one.session.settled();
    one.open(file.replaceAll("a", "\u2028\"'"), 3);
    await one.session.settled();
  }
  assert.ok(c.published().every((p) => p.diagnostics.length));
  assert.deepEqual(texts, c.published());
  assert.deepEqual(d.published(), []);
  d.send("textDocument/didClose", { textDocument: { uri } });
  c.send("textDocument/didClose", { textDocument: { uri } });
  await Promise.all([c.session.settled(), d.session.settled()]);
});

test("with `together`, a change of one document refreshes the diagnostics of the others", async () => {
  const c = await startClient(shared, { together: true });
  const targets = "file:///w/targets.yaml";
  const codes = () => c.published().filter((p) => p.uri === uri).at(-1).diagnostics.map((d) => d.code).filter((code) => code === "unknown-target");
  c.open("evalcases:\n  - { id: a, expected_outcome: O, input: q }\nexecution: { target: prod }\n");
  await c.session.settled();
  assert.deepEqual(codes(), []);
  c.send("textDocument/didOpen", { textDocument: { uri: targets, version: 1, text: "targets: [{ name: dev, provider: mock }]" } });
  await c.session.settled();
  assert.deepEqual(codes(), ["unknown-target"]);
  c.send("textDocument/didChange", { textDocument: { uri: targets, version: 2 }, contentChanges: [{ text: "targets: [{ name: prod, provider: mock }]" }] });
  await c.session.settled();
  assert.deepEqual(codes(), []);
  c.send("textDocument/didClose", { textDocument: { uri: targets } });
  c.send("textDocument/didClose", { textDocument: { uri } });
  await c.session.settled();
});

test("the evaluator answers requests", async () => {
  const c = await startClient(shared);
  c.open();
  const ask = async (method, params) => (await c.ask(method, params)).result;
  assert.match((await ask("textDocument/hover", positionParams(2, 6))).contents.value, /expected_outcome/);
  const { items } = await ask("textDocument/completion", positionParams(5, 4));
  const documented = items.find((item) => item.data);
  assert.equal((await ask("completionItem/resolve", documented)).documentation.kind, "markdown");
  assert.deepEqual(items.filter((item) => item.command), []);
  assert.equal((await ask("rubric/score", { uri, case: "a", grades: [{ id: "rubric-1", satisfied: true }] })).score, 1);
  assert.equal((await ask("rubric/call", { method: "suite", params: { document: uri } })).cases[0].id, "a");
  c.edit(2, { range: { start: { line: 2, character: 15 }, end: { line: 2, character: 16 } }, text: "" });
  const line = { start: { line: 2, character: 6 }, end: { line: 2, character: 6 } };
  const [fix] = await ask("textDocument/codeAction", { textDocument: { uri }, range: line, context: { diagnostics: [], only: ["quickfix"] } });
  const { edit } = await ask("codeAction/resolve", fix);
  assert.deepEqual(edit.documentChanges[0].textDocument, { uri, version: 2 });
  const [all] = await ask("textDocument/codeAction", { textDocument: { uri }, range: line, context: { diagnostics: [], only: ["source"] } });
  assert.equal(all.kind, "source.migrate.rubric");
  assert.ok((await ask("textDocument/semanticTokens/full", { textDocument: { uri } })).data.length > 20);
  assert.equal((await ask("textDocument/documentSymbol", { textDocument: { uri } }))[0].children[0].name, "a");
  c.edit(3, { text: "# moved\n" + file });
  assert.equal((await c.ask("codeAction/resolve", fix)).error.code, -32801);
});

/** missingCapabilities are those of the Go server that this one lacks, with the reason. */
const missingCapabilities = {
  workspaceSymbolProvider: "it cannot read folders",
  executeCommandProvider: "it runs no commands",
  workspace: "it reads no folders",
};

test("the capabilities are those of the Go server, except for those that need a machine", async () => {
  const serverAnswer = JSON.parse(await readFile(new URL("../dist/initialize.json", import.meta.url)));
  const ours = (await client(shared).ask("initialize", { capabilities: clientCapabilities })).result;
  for (const key of Object.keys(missingCapabilities)) {
    assert.ok(serverAnswer.capabilities[key], key);
    delete serverAnswer.capabilities[key];
  }
  const { full } = serverAnswer.capabilities.semanticTokensProvider;
  assert.deepEqual(full, { delta: true });
  serverAnswer.capabilities.semanticTokensProvider.full = true; // the client computes changes of tokens itself
  const { codeActionKinds } = serverAnswer.capabilities.codeActionProvider;
  serverAnswer.capabilities.codeActionProvider.codeActionKinds = codeActionKinds.filter((kind) => !/\.(generate|convert)$/.test(kind)); // these need a judge, or write another file
  assert.deepEqual(JSON.parse(JSON.stringify(ours)), serverAnswer);
});

test("other files have no diagnostics", async () => {
  const c = await startClient(shared);
  const composeFile = "file:///w/compose.yaml", position = { textDocument: { uri: composeFile }, position: { line: 0, character: 0 } };
  c.send("textDocument/didOpen", { textDocument: { uri: composeFile, languageId: "yaml", version: 1, text: "a: [1\n" } });
  assert.deepEqual((await c.ask("textDocument/hover", position)).result, null);
  assert.deepEqual((await c.ask("textDocument/documentSymbol", position)).result, []);
  assert.deepEqual(c.published(), [{ uri: composeFile, version: 1, diagnostics: [] }]);
});

test("only lenses with implemented commands are returned", async () => {
  for (const [commands, want] of [[[], 0], [["rubric.runCase"], 1]]) {
    const c = await startClient(shared, { commands });
    c.open();
    const { result } = await c.ask("textDocument/codeLens", { textDocument: { uri } });
    assert.equal(result.filter((lens) => lens.command.command).length, want);
  }
});

test("a session starts and ends", async () => {
  let status;
  const c = client(shared, { exit: (code) => (status = code) });
  const code = async (method, params) => (await c.ask(method, params)).error?.code;
  assert.equal(await code("shutdown"), -32002);
  assert.equal(await code("initialize", { capabilities: {} }), undefined);
  assert.equal(await code("initialize", { capabilities: {} }), -32600);
  assert.equal(await code("no/such", {}), -32601);
  assert.equal(await code("constructor", {}), -32601);
  assert.equal(await code("initialized", {}), -32601);
  assert.equal(await code("textDocument/hover"), -32602);
  assert.equal(await code("textDocument/hover", { textDocument: 5 }), -32602);
  assert.equal(await code("textDocument/hover", {}), undefined); // no document is not an eval file
  assert.equal(await code("shutdown"), undefined);
  assert.equal(await code("textDocument/hover", positionParams(0, 0)), -32600);
  c.send("exit");
  await c.session.settled();
  assert.equal(status, 0);
});

test("a module that cannot be loaded is reported by initialize", async () => {
  for (const error of [new Error("the module could not be fetched: 404 Not Found"), new TypeError("Failed to fetch")]) {
    const c = client(Promise.reject(error));
    await new Promise((go) => setImmediate(go));
    assert.deepEqual((await c.ask("initialize", { capabilities: {} })).error, { code: -32603, message: error.message });
  }
});

test("invalid messages do not end the session", async () => {
  const c = await startClient(shared);
  for (const message of [null, 12, "x", {}, { jsonrpc: "2.0" }, { id: 7, method: "shutdown" }, { jsonrpc: "2.0", id: 7, method: 12 }, { jsonrpc: "2.0", id: {}, method: "shutdown" }, []]) {
    c.session.receive(message);
    assert.equal(c.received.at(-1).error?.code, -32600, JSON.stringify(message));
  }
  const before = c.received.length;
  c.send("textDocument/didChange");
  c.send("textDocument/didOpen", { textDocument: [] });
  c.edit(2, { text: "x" });
  c.send("no/such", {});
  c.send("$/cancelRequest", { id: [] });
  c.session.receive({ jsonrpc: "2.0", id: 99, result: null });
  c.open();
  assert.ok((await c.ask("textDocument/hover", positionParams(2, 6))).result);
  assert.deepEqual(c.received.slice(before).filter((m) => m.error), []);
});

test("a cancelled request has one response", async () => {
  const c = await startClient(shared);
  c.open();
  c.send("textDocument/hover", positionParams(2, 6), { id: "late" });
  c.send("$/cancelRequest", { id: "late" });
  await c.session.settled();
  assert.deepEqual(c.received.filter((m) => m.id === "late").map((m) => m.error?.code), [-32800]);
});

test("diagnostics of a change precede the responses to later requests", async () => {
  const c = await startClient(shared);
  c.open();
  c.send("textDocument/foldingRange", { textDocument: { uri } }, { id: "folds" });
  await c.session.settled();
  c.edit(2, { text: `# typed\n${file}` });
  for (const method of ["foldingRange", "documentSymbol"]) c.send(`textDocument/${method}`, { textDocument: { uri } }, { id: method });
  await c.session.settled();
  const order = c.received.filter((m) => m.result !== undefined || m.params?.uri === uri).map((m) => m.id ?? m.params.version);
  assert.deepEqual(order.slice(1), ["folds", 1, 2, "foldingRange", "documentSymbol"]);
});

test("a crashed evaluator gets the documents again", async () => {
  const real = await open();
  const c = await startClient(real);
  c.open();
  await c.session.settled();
  await real.forget({ document: uri });
  assert.ok((await c.ask("textDocument/hover", positionParams(2, 6))).result);
  await real.forget({ document: uri });
  c.edit(2, { range: { start: { line: 4, character: 0 }, end: { line: 6, character: 0 } }, text: "" });
  await c.session.settled();
  assert.equal(c.published().at(-1).version, 2);
  assert.equal((await real.suite({ document: uri })).cases[0].rubrics.length, 0);
});

test("content changes apply as the protocol defines", () => {
  const range = (a, b, c, d) => ({ start: { line: a, character: b }, end: { line: c, character: d } });
  for (const [before, change, want] of [
    ["a\nb", { text: "x" }, "x"],
    ["a\r\nb\rc", { range: range(2, 0, 2, 1), text: "x" }, "a\r\nb\rx"],
    ["😀b", { range: range(0, 2, 0, 3), text: "x" }, "😀x"],
    ["a\nb", { range: range(0, 9, 1, 0), text: "" }, "ab"],
    ["a\nb", { range: range(9, 9, 99, 0), text: "x" }, "a\nbx"],
  ]) assert.equal(applyChange(before, change), want);
});

test("the client's settings set the severities of rules", async () => {
  const rules = { "unknown-key": "off", nope: "error" };
  const codes = (c) => c.published().at(-1).diagnostics.map((d) => d.code);
  const shown = (c) => c.received.filter((m) => m.method === "window/showMessage").map((m) => m.params.message);

  const pushed = await startClient(shared);
  pushed.open();
  pushed.send("workspace/didChangeConfiguration", { settings: { rubric: { rules } } });
  await pushed.session.settled();
  assert.equal(codes(pushed).includes("unknown-key"), false);
  assert.match(shown(pushed).join(), /^rubric\.rules: there is no rule `nope`/);
  pushed.send("workspace/didChangeConfiguration", { settings: { rubric: {} } });
  await pushed.session.settled();
  assert.ok(codes(pushed).includes("unknown-key"));

  const requester = client(shared);
  await requester.ask("initialize", { capabilities: { workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } } } });
  requester.send("initialized", {});
  requester.open();
  await requester.session.settled();
  const [register, configuration] = requester.received.filter((m) => m.method && m.id !== undefined);
  assert.deepEqual([register.method, configuration.method, configuration.params], ["client/registerCapability", "workspace/configuration", { items: [{ section: "rubric" }] }]);
  requester.session.receive({ jsonrpc: "2.0", id: register.id, result: null });
  requester.session.receive({ jsonrpc: "2.0", id: configuration.id, result: [{ rules }] });
  await requester.session.settled();
  assert.equal(codes(requester).includes("unknown-key"), false);
});

test("the worker exchanges messages and ends on exit", async () => {
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(new URL("../lsp-worker.js", import.meta.url));
  const published = new Promise((resolve) => worker.on("message", (m) => m.method === "textDocument/publishDiagnostics" && resolve(m.params)));
  const exited = new Promise((resolve) => worker.on("exit", resolve));
  worker.postMessage({ commands: ["rubric.runCase"] });
  for (const [method, params, id] of [
    ["initialize", { capabilities: clientCapabilities }, 1],
    ["initialized", {}],
    ["textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 7, text: file } }],
  ]) worker.postMessage({ jsonrpc: "2.0", id, method, params });
  assert.equal((await published).version, 7);
  worker.postMessage({ jsonrpc: "2.0", id: 2, method: "shutdown" });
  worker.postMessage({ jsonrpc: "2.0", method: "exit" });
  assert.equal(await exited, 0);
});

const house = "file:///w/house.schema.json";
const graded = "tests:\n  - id: a\n    criteria: O\n    input: q\n    expected_output: '{}'\n    assert: [{ type: is-json, value: { required: [n] } }]\n";
const small = async () => open(await readFile(new URL("../dist/rubric-small.wasm", import.meta.url)));

/** runElsewhere returns the record of a case by the whole evaluator, as a server of the page would. */
const runElsewhere = async (params) => (await (await shared).run(params)).record;

/** until waits for a condition, checking it after all received messages are answered. */
async function until(c, so) {
  while (!so()) {
    await new Promise((go) => setImmediate(go));
    await c.session.settled();
  }
}

test("a named JSON Schema loads the whole evaluator, which gets all documents and results", async () => {
  let calls = 0, load;
  const c = await startClient(small(), { together: true, whole: () => (calls++, new Promise((go) => (load = go))) });
  c.open(file);
  await c.session.settled();
  const judged = await runElsewhere({ text: file, path: "a.eval.yaml", case: "a" });
  await c.ask("rubric/call", { method: "keep", params: { document: uri, text: file, record: judged } });
  assert.equal(calls, 0, "before one is named");
  c.send("textDocument/didOpen", { textDocument: { uri: house, languageId: "json", version: 1, text: `{"required":["description"]}` } });
  c.edit(2, { text: `# yaml-language-server: $schema=house.schema.json\n${file}` });
  await c.session.settled();
  const codes = () => c.published().findLast((p) => p.uri === uri).diagnostics.map((d) => d.code);
  assert.deepEqual([calls, codes().includes("user-schema")], [1, false]);
  load(open());
  await until(c, () => codes().includes("user-schema"));
  const last = (await c.ask("rubric/call", { method: "last", params: { document: uri, case: "a" } })).result;
  assert.deepEqual([last.score, last.stale], [judged.score, false]);
  c.send("textDocument/didChange", { textDocument: { uri: house, version: 2 }, contentChanges: [{ text: "{" }] });
  await c.session.settled();
  assert.deepEqual([calls, codes().includes("user-schema"), codes().includes("schema-not-applied")], [1, false, true]);
});

const evalset = (ids) => JSON.stringify({ eval_set_id: "s", eval_cases: ids.map((eval_id) => ({ eval_id, conversation: [{ user_content: { parts: [{ text: "q" }] }, final_response: { parts: [{ text: "r" }] } }] })) });

test("the whole evaluator keeps the measurements of an evalset", async () => {
  let load;
  const c = await startClient(small(), { together: true, whole: () => new Promise((go) => (load = go)) });
  const set = "file:///w/s.evalset.json", writeFile = (uri, languageId, text) => c.send("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
  const text = evalset(["a"]), config = '{"criteria": {"response_match_score": 0.5}}';
  writeFile(set, "json", text);
  writeFile("file:///w/test_config.json", "json", config);
  await c.session.settled();
  const query = { document: set, case: "a" }, last = async () => (await c.ask("rubric/call", { method: "last", params: query })).result;
  const record = await runElsewhere({ text, path: "s.evalset.json", case: "a", config });
  await c.ask("rubric/call", { method: "keep", params: { document: set, text, config, record } });
  writeFile(house, "json", '{"required":["description"]}');
  writeFile(uri, "yaml", `# yaml-language-server: $schema=house.schema.json\n${graded}`);
  await c.session.settled();
  load(open());
  await until(c, () => c.published().findLast((p) => p.uri === uri).diagnostics.some((d) => d.code === "user-schema"));
  assert.deepEqual([(await last()).score, (await last()).stale], [record.score, false]);
});

/** collect runs the garbage collector. */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

test("a replaced evaluator is garbage collected", async () => {
  let first;
  const c = await startClient(small().then((engine) => ((first = new WeakRef(engine)), engine)), { together: true, whole: () => open() });
  c.open(`# yaml-language-server: $schema=house.schema.json\n${file}`);
  await until(c, () => c.published().some((p) => p.diagnostics.some((d) => d.code === "schema-not-applied")));
  for (let i = 0; i < 20 && first.deref(); i++) {
    await new Promise((go) => setImmediate(go));
    collect();
  }
  assert.equal(first.deref(), undefined);
});

test("results of many cases share one copy of their inputs", async () => {
  const c = await startClient(small(), { together: true, whole: () => new Promise(() => {}) });
  const set = "file:///w/s.evalset.json", ids = Array.from({ length: 32 }, (_, i) => `case-${i}`), text = evalset(ids);
  c.send("textDocument/didOpen", { textDocument: { uri: set, languageId: "json", version: 1, text } });
  await c.session.settled();
  const record = await runElsewhere({ text, path: "s.evalset.json", case: ids[0], config: '{"criteria": {"response_match_score": 0.5}}' });
  const used = () => (collect(), process.memoryUsage().heapUsed), before = used(), config = JSON.stringify({ criteria: { response_match_score: 0.5 }, note: "n".repeat(1 << 20) });
  for (const id of ids) {
    await c.ask("rubric/call", structuredClone({ method: "keep", params: { document: set, text, config, record: { ...record, eval_id: id } } }));
    assert.equal(c.received.pop().result.case, id);
  }
  assert.ok(used() - before < (ids.length << 20) / 2, `${used() - before} bytes`);
});

/** record resolves to the record of a run. */
async function record(c) {
  const before = c.received.length, answer = () => c.received.slice(before).find((m) => m.id === "run");
  c.send("rubric/call", { method: "run", params: { document: uri, case: "a" } }, { id: "run" });
  await until(c, answer);
  return answer().result.record;
}

test("only the run waits for the whole evaluator", async () => {
  let load;
  const c = await startClient(small(), { together: true, whole: () => new Promise((go) => (load = go)) });
  c.open(graded);
  const run = record(c);
  await until(c, () => load);
  c.edit(2, { text: graded.replace("[n]", "[m]") });
  await c.session.settled();
  assert.equal(c.published().at(-1).version, 2);
  assert.deepEqual(c.received.filter((m) => m.id === "run"), []);
  load(open());
  assert.deepEqual((await run).misses, ["`m` is missing"]);
});

test("a run tries again to load the whole evaluator", async () => {
  let calls = 0;
  const c = await startClient(small(), { together: true, whole: () => (calls++ ? open() : Promise.reject(new Error("no network"))) });
  c.open(graded);
  await c.session.settled();
  c.send("rubric/call", { method: "run", params: { document: uri, case: "a" } }, { id: "first" });
  const first = () => c.received.find((m) => m.id === "first");
  await until(c, first);
  assert.equal(first().error.message, "the part of the evaluator for this could not be loaded: no network; try again when there is a network");
  assert.deepEqual((await record(c)).misses, ["`n` is missing"]);
});

test("without another evaluator, the small one says what to load", async () => {
  const c = await startClient(small());
  c.open(graded);
  const { error } = await c.ask("rubric/call", { method: "run", params: { document: uri, case: "a" } });
  assert.equal(error.message, "rubric-small.wasm does not include `run`; load rubric.wasm, which has every method");
});

test("loading the whole evaluator is not tried at each key", async () => {
  let calls = 0;
  const c = await startClient(small(), { together: true, whole: () => (calls++, Promise.reject(new Error("404"))) });
  const named = `# yaml-language-server: $schema=house.schema.json\n${file}`;
  c.open(named);
  await c.session.settled();
  for (const version of [2, 3, 4]) {
    c.edit(version, { text: `${named}#${version}\n` });
    await c.session.settled();
  }
  assert.equal(calls, 1);
  assert.deepEqual(c.received.filter((m) => m.method === "window/showMessage").map((m) => m.params.message),
    ["rubric: JSON Schemas are ignored: the part of the evaluator for them could not be loaded: 404"]);
  c.send("textDocument/didOpen", { textDocument: { uri: house, languageId: "json", version: 1, text: "{}" } });
  await c.session.settled();
  assert.equal(calls, 2);
});
