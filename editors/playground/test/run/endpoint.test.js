// The user's own model judges: at an address, and in the browser.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pane, playground, nothingElse, settles, share } from "../browser.js";
import { cases, ok } from "./cases.js";
import { ran } from "./command.js";
import { address, model, reply } from "./model.js";
import { openRunPane, endpoint, press, shown, status } from "./pane.js";

const key = "geheim-4711-Äé-key";
const fixture = await playground();

describe("a model at an address", () => {
  let page;
  before(async () => {
    page = await openRunPane(fixture.open);
    await endpoint(page, key);
  });
  after(() => page.close());

  test("is asked about each case, and the results are the command line's", async () => {
    model.answer = (question, response) => reply(response, ok(question));
    await press(page, "Run all 2 cases");
    await status(page, "Done: 2 cases");
    assert.deepEqual([...new Set(model.asked.map((a) => a.path))], ["/v1/chat/completions"]);
    for (const { cookie, referer, body } of model.asked) assert.deepEqual([cookie, referer, body.model], [undefined, undefined, "m"]);
    const pageRecords = await shown(page);
    assert.equal(pageRecords[0].evaluator_results[0].grades.length, 2);
    // The page's own requests are the command line's.
    const bodies = () => model.asked.map(({ path, body }) => JSON.stringify({ path, body }));
    const [first] = bodies();
    model.asked = [];
    assert.deepEqual(pageRecords, await ran({ "x.eval.yaml": cases }, ["--judge", "openai:m", "--no-cache"]));
    assert.ok(bodies().includes(first), first);
  });

  test("the key is only in its request", async () => {
    model.asked = [];
    model.answer = (question, response) => reply(response, `Incorrect API key provided: ${key}, ${encodeURIComponent(key)}`, 401);
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 ungraded");
    assert.ok(Buffer.from(model.asked[0].key, "latin1").toString().includes("geheim"));
    await pane(page).getByText("[key]").first().waitFor();
    await pane(page).getByText("the key was not accepted").first().waitFor();
    await share(page, "Copy link");
    await page.locator("#status", { hasText: "The link is copied" }).waitFor();
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
    for (const [where, text] of Object.entries({ ...found, console: fixture.faults.join("\n"), urls: fixture.requests.join("\n") })) {
      for (const form of [key, encodeURIComponent(key), "geheim"]) assert.ok(!text.includes(form), `the key is in ${where}`);
    }
  });

  test("another address does not get the key, and one elsewhere without https is not asked", async () => {
    await page.getByLabel("Address", { exact: true }).fill("http://models.example/v1");
    await settles(() => page.getByLabel("Key", { exact: true }).inputValue(), "");
    await press(page, "Run case a");
    await status(page, "The address must start with https:");
    await endpoint(page, key);
  });

  test("an unusable reply is requested again, and finally ungraded", async () => {
    model.asked = [];
    model.answer = (question, response) => reply(response, model.asked.length < 2 ? "no" : ok(question));
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 pass");
    assert.equal(model.asked.length, 2);
    model.answer = (question, response) => reply(response, "no");
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 ungraded");
  });

  test("text of a model does not become markup", async () => {
    const hostile = `<img src=x onerror="window.hit=1">`;
    model.answer = (question, response) => reply(response, ok(question).replaceAll("fairly", hostile.replaceAll('"', '\\"')));
    await press(page, "Run case a");
    await status(page, "Done: 1 case: 1 pass");
    await page.getByRole("region", { name: "Table of results" }).getByRole("button", { name: "a", exact: true }).click();
    await pane(page).getByText(hostile).first().waitFor();
    assert.equal(await page.evaluate(() => window.hit ?? document.querySelectorAll("#pane img").length), 0);
  });

  test("a run keeps its settings when the user changes them", async () => {
    let heldAnswer, signal;
    const requested = new Promise((done) => (signal = done));
    model.answer = (question, response) => {
      const answer = () => reply(response, ok(question));
      if (heldAnswer) return answer();
      heldAnswer = answer;
      signal();
    };
    await press(page, "Run all 2 cases");
    await requested;
    await page.locator("#answers").selectOption("typed");
    heldAnswer();
    await status(page, "Done: 2 cases");
    assert.deepEqual((await shown(page)).slice(-2).map((r) => r.target), Array(2).fill("self (expected output)"));
    await page.locator("#answers").selectOption("self");
  });

  test("a cancelled run keeps its grades", async () => {
    let waiting;
    const requested = new Promise((done) => (waiting = done));
    model.answer = (question, response) => (question.includes("Say more") ? waiting() : reply(response, ok(question)));
    await press(page, "Run all 2 cases");
    await requested;
    const asked = new Promise((done) => page.once("dialog", (dialog) => dialog.dismiss().then(() => done(dialog.type()))));
    await page.evaluate(() => location.reload()); // a run that has not ended is not lost by mistake
    assert.equal(await asked, "beforeunload");
    await press(page, "Cancel");
    await status(page, "Cancelled after 2 of 2: 1 pass, 1 ungraded");
    await pane(page).getByText("the run was cancelled").first().waitFor();
    await settles(() => page.evaluate(() => document.activeElement.textContent), "Run all 2 cases");
  });

  test("the key is stored for the session only while the box is ticked", async () => {
    await page.getByLabel("Keep address, model and key").check();
    await settles(() => page.evaluate(() => JSON.stringify(sessionStorage).includes("geheim")), true);
    await page.getByLabel("Keep address, model and key").uncheck();
    await settles(() => page.evaluate(() => sessionStorage.length), 0);
  });
});

test("a key that is invalid in a header is neither sent nor shown", async () => {
  const page = await openRunPane(fixture.open);
  await endpoint(page, "geheim–4711");
  model.asked = [];
  await press(page, "Run case a");
  await status(page, "The key cannot be sent: character 7 is not allowed");
  assert.doesNotMatch(await page.locator("body").innerText(), /geheim/);
  assert.deepEqual(model.asked, []);
  await page.close();
});

test("Ollama is asked with its own API, and a missing server leaves cases ungraded", async () => {
  const page = await openRunPane(fixture.open);
  await page.locator("#judge").selectOption("ollama");
  await settles(() => page.getByLabel("Address", { exact: true }).inputValue(), "http://localhost:11434");
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByLabel("Model", { exact: true }).fill("m");
  model.asked = [];
  model.answer = (question, response) => response.end(JSON.stringify({ model: "m", message: { role: "assistant", content: ok(question) }, done: true }));
  await press(page, "Run case a");
  await status(page, "Done: 1 case: 1 pass");
  assert.deepEqual([model.asked[0].path, model.asked[0].key], ["/api/chat", undefined]);
  await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:9");
  await press(page, "Run case a");
  await status(page, "Done: 1 case: 1 ungraded");
  await page.close();
});

test("the browser's own model judges", async () => {
  const page = await openRunPane(fixture.open, { script: () => {
    globalThis.LanguageModel = {
      availability: async () => "available",
      create: async ({ initialPrompts }) => ({
        prompt: async (text, { responseConstraint }) => JSON.stringify({ checks: responseConstraint && initialPrompts[0].content && text.includes("three") ? [{ id: "three", satisfied: true, reasoning: "r" }] : [], overall_reasoning: "o" }),
        destroy() {},
      }),
    };
  } });
  await page.locator("#judge").selectOption("browser");
  await page.locator("#case").selectOption("b");
  await press(page, "Run case b");
  await status(page, "Done: 1 case: 1 pass");
  await page.close();
  const pageWithout = await openRunPane(fixture.open, { script: () => delete globalThis.LanguageModel });
  assert.equal(await pageWithout.locator("#judge option[value=browser]").count(), 0);
  await pageWithout.close();
});

test("the page itself connects to no other host", async () => {
  const page = await openRunPane(fixture.open);
  const refused = await page.evaluate(async (to) => {
    const requests = [fetch(to), fetch("https://models.example/")];
    return (await Promise.allSettled(requests)).map((t) => t.status);
  }, address);
  assert.deepEqual(refused, ["rejected", "rejected"]);
  await page.close();
});

nothingElse(fixture, { contacted: [address, "http://127.0.0.1:9", "https://models.example"], expectedFaults: ["401", "ERR_CONNECTION_REFUSED", "ERR_UNSAFE_PORT", "Content Security Policy", "violates"] });
