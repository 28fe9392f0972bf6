// Cases are run: by each kind of judge, in the built page, served by the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import axe from "axe-core";
import { browse, choose, program, serve } from "./browser.js";
import { endless, flood, greedy } from "./hostile.js";

const key = "geheim-4711-Äé-key";
const two = `evalcases:
  - id: a
    expected_outcome: Says it
    input: Say it
    expected_messages: [{ role: assistant, content: It is said kindly }]
    rubrics:
      - { id: one, expected_outcome: Says it, weight: 3, required: false }
      - id: two
        expected_outcome: Says it kindly
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Rude }
          - { score_range: [5, 10], expected_outcome: Kind }
  - id: b
    expected_outcome: Says more
    input: Say more
    expected_messages: [{ role: assistant, content: More }]
    rubrics:
      - { id: three, expected_outcome: Says more }
`;
const good = (user) => JSON.stringify({
  checks: [...user.matchAll(/^- `(\w+)` \((yes\/no|0–10)/gm)].map(([, id, mode]) => (mode === "yes/no" ? { id, satisfied: true, reasoning: `${id} holds` } : { id, score: 7, reasoning: "fairly" })),
  overall_reasoning: "fine",
});

/** model is a server with OpenAI's interface and Ollama's, whose answers a test gives. */
const model = { answer: undefined, asked: [], origin: undefined };
const fake = http.createServer(async (request, response) => {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "authorization, content-type");
  if (request.method !== "POST") return response.end();
  let body = "";
  for await (const part of request) body += part;
  const asked = JSON.parse(body);
  model.asked.push({ path: request.url, key: request.headers.authorization, cookie: request.headers.cookie, referer: request.headers.referer, ...asked });
  await model.answer(asked.messages.at(-1).content, response, request);
});
await new Promise((done) => fake.listen(0, "127.0.0.1", done));
const address = `http://127.0.0.1:${fake.address().port}`;
const says = (response, text, status = 200) => {
  response.statusCode = status;
  response.end(JSON.stringify(status === 200 ? { model: "m-1", choices: [{ message: { content: text }, finish_reason: "stop" }], usage: { prompt_tokens: 11, completion_tokens: 5 } } : { error: { message: text } }));
};

const site = await serve();
const faults = [], requests = [];
const { open, close } = await browse(site.address, { faults, requests });
after(async () => {
  await close();
  await site.stop();
  fake.close();
  fake.closeAllConnections();
});

const pane = (page) => page.locator("#pane");
const status = (page, what) => page.locator(".runs [role=status]").filter({ hasText: what }).waitFor();
const bring = (page, files) => page.locator("input[type=file]").setInputFiles(Object.entries(files).map(([name, body]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(body) })));
/** begin opens files and the pane; the first file is the active one. */
async function begin(files = { "x.eval.yaml": two }, fragment = "", script = undefined) {
  const page = await open(fragment, "", script);
  await bring(page, files);
  await page.getByRole("tab", { name: Object.keys(files)[0] }).click();
  await choose(page, "Run");
  await page.locator("#judge option[value=openai]").waitFor({ state: "attached" });
  return page;
}
async function endpoint(page, typed = key) {
  await page.locator("#judge").selectOption("openai");
  await page.getByLabel("Address", { exact: true }).fill(`${address}/v1`);
  await page.getByLabel("Model", { exact: true }).fill("m");
  await page.getByLabel("Key", { exact: true }).fill(typed);
}
const press = (page, name) => page.getByRole("button", { name }).click();
/** ran is what `rubric run` says of the same files. */
function ran(files, args, name = Object.keys(files)[0]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "run-"));
  for (const [file, body] of Object.entries(files)) writeFileSync(path.join(folder, file), body);
  const options = { encoding: "utf8", cwd: folder, env: { ...process.env, OPENAI_API_KEY: key, OPENAI_BASE_URL: `${address}/v1`, XDG_CACHE_HOME: folder } };
  try {
    return { folder, out: execFileSync(program, ["run", name, "--format", "jsonl", ...args], options) };
  } catch (fault) {
    return { folder, out: fault.stdout };
  }
}
const records = (lines) => lines.trim().split("\n").map((l) => JSON.parse(l)).map(({ timestamp, duration_ms, ...r }) => r);
/** shown are the records that the page has come to, by its own evaluator's answers. */
const shown = (page) => page.evaluate(() => globalThis.records);
const watch = () => {
  globalThis.records = [];
  const post = Worker.prototype.postMessage;
  const asked = new Map();
  Worker.prototype.postMessage = function (message) {
    if (typeof message === "string" && message.includes('"method":"run"')) {
      asked.set(JSON.parse(message).id, true);
      if (!this.watched) this.addEventListener("message", ({ data }) => {
        const { id, result } = JSON.parse(data);
        if (asked.has(id) && result && !result.questions.length && !result.programs.length) globalThis.records.push((({ timestamp, duration_ms, ...r }) => r)(result.record));
      });
      this.watched = true;
    }
    return post.apply(this, arguments);
  };
};

describe("the stand-in", () => {
  test("judges all cases, as the command line does, and hints and the Verdict tell of it", async () => {
    const page = await begin(undefined, "", watch);
    await press(page, "Run all 2 cases");
    await status(page, "Done: 2 cases");
    assert.deepEqual(await shown(page), records(ran({ "x.eval.yaml": two }, ["--judge", "offline"]).out));
    await page.locator(".cm-hint", { hasText: /satisfied/ }).first().waitFor();
    const [a] = await shown(page);
    await choose(page, "Verdict");
    await pane(page).filter({ hasText: `${a.verdict} score ${a.score}` }).waitFor();
    await page.close();
  });

  test("an answer that is typed is judged, and a recorded one, and one that is missing fails", async () => {
    const files = { "x.eval.yaml": two, "said.jsonl": '{"id": "a", "answer": "It is said"}\n' };
    const page = await begin(files, "", watch);
    await page.locator("#answers").selectOption("typed");
    await page.getByRole("textbox", { name: "Answer" }).fill("nothing");
    await press(page, "Run case a");
    await status(page, "Done: 1 case");
    assert.equal((await shown(page))[0].candidate_answer, "nothing");
    await page.locator("#answers").selectOption("said.jsonl");
    await press(page, "Run all 2 cases");
    await status(page, "Done: 2 cases");
    assert.deepEqual((await shown(page)).slice(1), records(ran(files, ["--judge", "offline", "--target", "said.jsonl"]).out));
    await pane(page).getByText("no answer is recorded for the case").first().waitFor();
    await page.close();
  });

  test("an evalset is measured, by the configuration that is open beside it", async () => {
    const folder = "../../testdata/quickstart/banking";
    const files = { "banking.evalset.json": readFileSync(`${folder}/banking.evalset.json`, "utf8"), "test_config.json": readFileSync(`${folder}/test_config.json`, "utf8") };
    const page = await begin(files, "", watch);
    await press(page, /Run all \d+ cases/);
    await status(page, "Done");
    assert.deepEqual(await shown(page), records(ran(files, ["--judge", "offline"]).out));
    await page.close();
  });

  test("nothing is run while the file has errors", async () => {
    const page = await begin({ "x.eval.yaml": `${two}  - { id: c\n` });
    await page.getByRole("tab", { name: /Problems \(/ }).waitFor();
    await press(page, "Run case a");
    await status(page, "Nothing is run while the file has an error");
    await page.close();
  });
});

describe("a model at an address", () => {
  let page;
  before(async () => {
    page = await begin(undefined, "", watch);
    await endpoint(page);
  });
  after(() => page.close());

  test("is asked about each case, and the results are the command line's", async () => {
    model.answer = (user, response) => says(response, good(user));
    await press(page, "Run all 2 cases");
    await status(page, "Done: 2 cases");
    assert.deepEqual([...new Set(model.asked.map((a) => a.path))], ["/v1/chat/completions"]);
    for (const asked of model.asked) assert.deepEqual([asked.cookie, asked.referer, asked.model], [undefined, undefined, "m"]);
    const mine = await shown(page);
    assert.equal(mine[0].evaluator_results[0].grades.length, 2);
    // The page's own requests are the command line's.
    const body = ({ key, cookie, referer, ...rest }) => rest;
    const [first] = model.asked.map(body);
    model.asked = [];
    const server = spawnRun({ "x.eval.yaml": two }, ["--judge", "openai:m", "--no-cache"]);
    assert.deepEqual(mine, records(await server));
    assert.deepEqual(model.asked.map(body).find((b) => JSON.stringify(b) === JSON.stringify(first)), first);
  });

  test("the key is nowhere but in its request", async () => {
    model.asked = [];
    model.answer = (user, response) => says(response, `Incorrect API key provided: ${key}, ${encodeURIComponent(key)}`, 401);
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 unknown");
    assert.ok(Buffer.from(model.asked[0].key, "latin1").toString().includes("geheim"));
    await pane(page).getByText("[key]").first().waitFor();
    await pane(page).getByText("the key was not accepted").first().waitFor();
    await press(page, "Copy link");
    await page.locator("#said", { hasText: "The link is copied" }).waitFor();
    const found = await page.evaluate(async () => {
      const all = { html: document.documentElement.outerHTML, link: location.href, clip: await navigator.clipboard.readText(), local: JSON.stringify(localStorage), session: JSON.stringify(sessionStorage), cookie: document.cookie };
      for (const { name } of await indexedDB.databases()) {
        const db = await new Promise((done) => (indexedDB.open(name).onsuccess = (e) => done(e.target.result)));
        for (const store of db.objectStoreNames) all[`${name}/${store}`] = JSON.stringify(await new Promise((done) => (db.transaction(store).objectStore(store).getAll().onsuccess = (e) => done(e.target.result))));
        db.close();
      }
      for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) all[url] = url;
      return all;
    });
    for (const [where, text] of Object.entries({ ...found, console: faults.join("\n"), urls: requests.join("\n") })) {
      for (const form of [key, encodeURIComponent(key), "geheim"]) assert.ok(!text.includes(form), `the key is in ${where}`);
    }
  });

  test("another address does not get the key, and one elsewhere without https is not asked", async () => {
    await page.getByLabel("Address", { exact: true }).fill("http://models.example/v1");
    assert.equal(await page.getByLabel("Key", { exact: true }).inputValue(), "");
    await press(page, "Run case a");
    await status(page, "The address has to begin with https:");
    await endpoint(page);
  });

  test("a reply that cannot be used is asked for again, and one that never can is unknown", async () => {
    model.asked = [];
    model.answer = (user, response) => says(response, model.asked.length < 2 ? "no" : good(user));
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 pass");
    assert.equal(model.asked.length, 2);
    model.answer = (user, response) => says(response, "no");
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 unknown");
  });

  test("nothing that a model says becomes markup", async () => {
    const evil = `<img src=x onerror="window.hit=1">`;
    model.answer = (user, response) => says(response, good(user).replaceAll("fairly", evil.replaceAll('"', '\\"')));
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 pass");
    await pane(page).getByText(evil).waitFor();
    assert.equal(await page.evaluate(() => window.hit ?? document.querySelectorAll("#pane img").length), 0);
  });

  test("a run goes on as it began, whatever is chosen meanwhile", async () => {
    let held, waiting;
    const asked = new Promise((done) => (waiting = done));
    model.answer = (user, response) => {
      const answer = () => says(response, good(user));
      if (held) return answer();
      held = answer;
      waiting();
    };
    await press(page, "Run all 2 cases");
    await asked;
    await page.locator("#answers").selectOption("typed");
    held();
    await status(page, "Done: 2 cases");
    assert.deepEqual((await shown(page)).slice(-2).map((r) => r.target), Array(2).fill("self (expected output)"));
    await page.locator("#answers").selectOption("self");
  });

  test("a run is cancelled, and keeps what was judged", async () => {
    let waiting;
    const asked = new Promise((done) => (waiting = done));
    model.answer = (user, response) => (user.includes("Say more") ? waiting() : says(response, good(user)));
    await press(page, "Run all 2 cases");
    await asked;
    await press(page, "Cancel");
    await status(page, "Cancelled after 2 of 2: 1 pass, 1 unknown");
    await pane(page).getByText("the run was cancelled").first().waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Run all 2 cases");
  });

  test("what is kept for the session is said to be, and forgotten at once when it is not to be", async () => {
    await page.getByLabel("Keep address, model and key").check();
    assert.ok((await page.evaluate(() => JSON.stringify(sessionStorage))).includes("geheim"));
    await page.getByLabel("Keep address, model and key").uncheck();
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });
});

test("Ollama is asked by its own interface, and nobody there is unknown", async () => {
  const page = await begin();
  await page.locator("#judge").selectOption("ollama");
  assert.equal(await page.getByLabel("Address", { exact: true }).inputValue(), "http://localhost:11434");
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByLabel("Model", { exact: true }).fill("m");
  model.asked = [];
  model.answer = (user, response) => response.end(JSON.stringify({ model: "m", message: { role: "assistant", content: good(user) }, done: true }));
  await press(page, "Run case a");
  await status(page, "Done: 1 case: 1 pass");
  assert.deepEqual([model.asked[0].path, model.asked[0].key], ["/api/chat", undefined]);
  await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:9");
  await press(page, "Run case a");
  await status(page, "Done: 1 case: 1 unknown");
  faults.splice(0, faults.length, ...faults.filter((f) => !f.includes("ERR_CONNECTION_REFUSED") && !f.includes("ERR_UNSAFE_PORT") && !f.includes("401")));
  await page.close();
});

test("the browser's own model judges where there is one", async () => {
  const page = await begin(undefined, "", () => {
    globalThis.LanguageModel = {
      availability: async () => "available",
      create: async ({ initialPrompts }) => ({
        prompt: async (text, { responseConstraint }) => JSON.stringify({ checks: responseConstraint && initialPrompts[0].content && text.includes("three") ? [{ id: "three", satisfied: true, reasoning: "r" }] : [], overall_reasoning: "o" }),
        destroy() {},
      }),
    };
  });
  await page.locator("#judge").selectOption("browser");
  await page.locator("#case").selectOption("b");
  await press(page, "Run case b");
  await status(page, "Done: 1 case: 1 pass");
  await page.close();
  const without = await begin(undefined, "", () => delete globalThis.LanguageModel);
  assert.equal(await without.locator("#judge option[value=browser]").count(), 0);
  await without.close();
});

test("recorded judgements are found by the same keys as the command line's, and a miss says so", async () => {
  model.answer = (user, response) => says(response, good(user));
  const files = { "x.eval.yaml": two };
  const folder = mkdtempSync(path.join(os.tmpdir(), "tape-"));
  await spawnRun(files, ["--judge", "openai:m", "--no-cache", "--record", path.join(folder, "tape.jsonl")]);
  const with_ = { ...files, "tape.jsonl": readFileSync(path.join(folder, "tape.jsonl"), "utf8") };
  const page = await begin(with_, "", watch);
  await page.locator("#judge").selectOption("replay:tape.jsonl");
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases: 2 pass");
  assert.deepEqual(await shown(page), records(ran(with_, ["--replay", "tape.jsonl"]).out));
  const missing = { "x.eval.yaml": two.replace("Says more", "Says even more"), "tape.jsonl": with_["tape.jsonl"] };
  await page.close();
  const other = await begin(missing, "", watch);
  await other.locator("#judge").selectOption("replay:tape.jsonl");
  await press(other, "Run all 2 cases");
  await status(other, "1 pass, 1 unknown");
  await pane(other).getByText("no recorded answer for the question").first().waitFor();
  assert.deepEqual(await shown(other), records(ran(missing, ["--replay", "tape.jsonl"]).out));
  await other.close();
});

describe("graders that are WebAssembly", () => {
  const coded = (script) => two.replace("    rubrics:\n      - { id: three, expected_outcome: Says more }\n", `    evaluators:\n      - { name: code, type: code_judge, script: [${script}] }\n`);
  const brief = readFileSync("../../wasm/graders/brief/brief.wasm");

  test("run in the page, and come to what they come to in the command line", async () => {
    const files = { "x.eval.yaml": coded("brief.wasm"), "brief.wasm": brief };
    const page = await begin(files, "", watch);
    await pane(page).getByText("Code graders that are open: brief.wasm").waitFor();
    await press(page, "Run all 2 cases");
    await status(page, "Done: 2 cases");
    assert.deepEqual(await shown(page), records(ran(files, ["--judge", "offline"]).out));
    await page.close();
  });

  for (const [name, module, want] of [["that never ends", endless, /timed out after/], ["that floods", flood, /printed more than 8 MiB/], ["that takes all memory", greedy, /crashed/]]) {
    test(`one ${name} is stopped, and is unknown`, async () => {
      const page = await begin({ "x.eval.yaml": coded("bad.wasm"), "bad.wasm": module });
      await page.locator("#case").selectOption("b");
      await press(page, "Run case b");
      await status(page, "Done: 1 case: 1 unknown");
      assert.match(await pane(page).innerText(), want);
      await page.close();
    });
  }

  test("one that never ends is ended by a cancellation, and one that is not there is said to be", async () => {
    const page = await begin({ "x.eval.yaml": coded("bad.wasm"), "bad.wasm": endless });
    await page.locator("#case").selectOption("b");
    await press(page, "Run case b");
    await status(page, "1 being asked");
    await press(page, "Cancel");
    await status(page, "Cancelled after 1 of 1: 1 unknown");
    await page.close();
    const bare = await begin({ "x.eval.yaml": coded("none.wasm") });
    await bare.locator("#case").selectOption("b");
    await press(bare, "Run case b");
    await status(bare, "Done: 1 case: 1 unknown");
    await pane(bare).getByText("none.wasm: is not open here").first().waitFor();
    await bare.close();
  });
});

describe("the local server", () => {
  const live = site.address.hash.slice(1);

  test("is shown before it is asked, and runs a case by its own judges", async () => {
    const page = await begin(undefined, live);
    await page.locator("#judge").selectOption("live");
    await pane(page).getByText(`at ${site.address.host}`).waitFor();
    await pane(page).getByText("It can ask: offline").waitFor();
    await press(page, "Run all 2 cases");
    await status(page, "Done: 2 cases");
    const told = await pane(page).innerText();
    const [a, b] = records(ran({ "x.eval.yaml": two }, ["--judge", "offline"]).out);
    for (const { eval_id, verdict, score } of [a, b]) assert.match(told, new RegExp(`^${eval_id} ${verdict} ${score}`, "m"));
    await page.getByLabel("Its judge").fill("openai:MODEL");
    await press(page, "Run case a");
    await status(page, "Put the model's name");
    await page.getByLabel("Its judge").fill("cli:false");
    await press(page, "Run case a");
    await status(page, /unknown/);
    await page.close();
  });

  test("a wrong token is refused in plain words, and without any it is not offered", async () => {
    const wrong = await begin(undefined, "live=wrong");
    await wrong.locator("#judge").selectOption("live");
    await pane(wrong).getByText("the local server does not answer").waitFor();
    await press(wrong, "Run case a");
    await status(wrong, "The local server does not answer");
    await wrong.locator("#judge").selectOption("offline");
    await press(wrong, "Run case a");
    await status(wrong, "Done: 1 case");
    await wrong.close();
    const none = await begin();
    assert.equal(await none.locator("#judge option[value=live]").count(), 0);
    await none.close();
    faults.splice(0, faults.length, ...faults.filter((f) => !f.includes("WebSocket")));
  });

  test("a page from elsewhere is refused, though it has the token", async () => {
    const page = await open();
    const token = site.address.hash.split("=")[1];
    await page.goto(`${address}/`);
    const met = await page.evaluate((to) => new Promise((done) => {
      const socket = new WebSocket(to);
      socket.onopen = () => done("let in");
      socket.onerror = () => done("refused");
    }), `ws://${site.address.host}/lsp?token=${token}`);
    assert.equal(met, "refused");
    await page.close();
    faults.splice(0, faults.length, ...faults.filter((f) => !f.includes("WebSocket")));
  });

  test("when it goes away the page says so, and goes on without it", async () => {
    const own = await serve();
    const others = await browse(own.address);
    const page = await others.open(own.address.hash.slice(1));
    await choose(page, "Run");
    await page.locator("#judge").selectOption("live");
    await pane(page).getByText(`at ${own.address.host}`).waitFor();
    await own.stop();
    await press(page, /^Run case/);
    await status(page, "The local server does not answer");
    await page.locator("#judge").selectOption("offline");
    await press(page, /^Run case/);
    await status(page, "Done: 1 case");
    await others.close();
  });
});

test("the page itself connects to nobody else, whatever is in it", async () => {
  const page = await begin();
  const refused = await page.evaluate(async (to) => {
    const tried = [fetch(to), fetch("https://models.example/")];
    return (await Promise.allSettled(tried)).map((t) => t.status);
  }, address);
  assert.deepEqual(refused, ["rejected", "rejected"]);
  faults.splice(0, faults.length, ...faults.filter((f) => !f.includes("Content Security Policy") && !f.includes("violates")));
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [320, 800, 1400]) {
    test(`${width} pixels wide and ${scheme}, axe has no finding`, async () => {
      const page = await begin();
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await endpoint(page, "");
      model.answer = (user, response) => says(response, good(user));
      await press(page, "Run all 2 cases");
      await status(page, "Done: 2 cases");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`), []);
      mkdirSync("test/artefacts", { recursive: true });
      page.removeAllListeners("console"); // the driver adds a style for the picture, which the page's policy refuses
      await page.screenshot({ path: `test/artefacts/run-${scheme}-${width}.png` });
      await page.close();
    });
  }
}

test("nobody was asked but who was named, and nothing was refused or failed", () => {
  assert.deepEqual(requests.filter((url) => ![site.address.origin, address, "http://127.0.0.1:9", "https://models.example"].includes(new URL(url).origin) && !url.startsWith("blob:") && !url.startsWith("data:")), []);
  assert.deepEqual(faults, []);
});

/** spawnRun is `rubric run` beside this process, which answers it meanwhile. */
async function spawnRun(files, args) {
  const { spawn } = await import("node:child_process");
  const folder = mkdtempSync(path.join(os.tmpdir(), "run-"));
  for (const [file, body] of Object.entries(files)) writeFileSync(path.join(folder, file), body);
  const child = spawn(program, ["run", Object.keys(files)[0], "--format", "jsonl", ...args], { cwd: folder, env: { ...process.env, OPENAI_API_KEY: "plain-key-for-the-test", OPENAI_BASE_URL: `${address}/v1` }, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  for await (const part of child.stdout) out += part;
  return out;
}
