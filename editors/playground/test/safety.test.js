// What must never happen, whatever is pasted, typed or linked to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { choose, hover, playground, nothingElse, settles, write, share } from "./browser.js";

const fixture = await playground();
const { open, requests } = fixture;

const panes = ["Score", /^Problems/, "Judge prompt", "Effective rubric", "Reply", "JSON"];

/** vectors are texts that become markup if they are not escaped. */
const vectors = [
  `<img src=x onerror="window.hit=1">`, `<script>window.hit=1</script>`, `<svg onload="window.hit=1">`, `"><img src=x onerror=window.hit=1>`, `' autofocus onfocus='window.hit=1`,
  `<iframe srcdoc="<script>parent.hit=1</script>">`, `<a href="javascript:window.hit=1">x</a>`, `[x](javascript:window.hit=1)`, `![x](x" onerror="window.hit=1)`, `<math><mtext><table><mglyph><style><img src=x onerror=window.hit=1>`,
  `</textarea><script>window.hit=1</script>`, `<details open ontoggle=window.hit=1>`, `<form action="javascript:window.hit=1"><button>x`, `<base href="https://evil.example/">`, `<style>@import "https://evil.example/";</style>`,
  `<link rel=stylesheet href="https://evil.example/">`, `{{constructor.constructor("window.hit=1")()}}`, "`<img src=x onerror=window.hit=1>`", `<object data="javascript:window.hit=1">`, `&lt;img src=x onerror=window.hit=1&gt;`,
];

/** combinedVectors joins the vectors into five texts; each vector starts one of the texts' parts. */
const combinedVectors = Array.from({ length: 5 }, (_, i) => vectors.filter((_, k) => k % 5 === i).join(" "));

const quoted = (text) => JSON.stringify(text);
const hostile = (v) => `evalcases:
  - id: ${quoted(`case ${v}`)}
    expected_outcome: ${quoted(v)}
    input: ${quoted(v)}
    ${quoted(v)}: 1
    rubrics:
      - id: ${quoted(`one ${v}`)}
        expected_outcome: ${quoted(v)}
        required: ${quoted(v)}
      - id: two
        expected_outcome: ${quoted(v)}
        score_ranges: [{ score_range: [0, 10], expected_outcome: ${quoted(v)} }]
  - id: two
    expected_outcome: ${quoted(v)}
    input: ${quoted(v)}
`;

/** markup is what of a page is more than the page's own: in it, and in the editors' trees. */
const markup = () => {
  const found = [];
  const walk = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.matches("script:not([src^='./assets/']), iframe, object, embed, base, form[action], math, style:not(:empty), img[src]:not([src='./icon.svg']), svg:not(.icon), link[href*=evil]")) found.push(e.outerHTML.slice(0, 200));
      for (const { name, value } of e.attributes) if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) found.push(`${name}=${value}`);
      if (e.shadowRoot) walk(e.shadowRoot);
    }
  };
  walk(document);
  return { found, hit: window.hit };
};

test("pasted text does not become markup in any pane", async () => {
  const page = await open();
  const check = async (where) => assert.deepEqual(await page.evaluate(markup), { found: [], hit: undefined }, where);
  for (const v of combinedVectors) {
    await write(page, hostile(v));
    await choose(page, "JSON");
    await page.locator("#pane pre", { hasText: v.replaceAll("\\", "\\\\").replaceAll('"', '\\"').slice(0, 12) }).first().waitFor();
    for (const label of panes) {
      await choose(page, label);
      await page.locator("#pane > *").first().waitFor();
    }
    await choose(page, "Reply");
    await page.getByRole("textbox", { name: /reply about/ }).fill(JSON.stringify({ checks: [{ id: v, satisfied: true, reasoning: v }, { id: `one ${v}`, satisfied: true, reasoning: v }] }));
    await page.locator("#pane .error, #pane .verdict").first().waitFor();
    await check(v);
  }
  await page.close();
});

test("pasted text does not become markup in tooltips", async () => {
  const page = await open();
  const v = vectors.join(" ");
  await write(page, hostile(v));
  await hover(page, page.locator(".cm-line", { hasText: "score_ranges" }).getByText("score_ranges"), page.locator(".cm-tooltip").first());
  await hover(page, page.locator(".cm-lintRange").first(), page.locator(".cm-tooltip-lint").first());
  await page.mouse.move(5, 5); // a tooltip could cover the tab below
  await page.keyboard.press("Control+Shift+O");
  await page.getByRole("navigation", { name: "Outline" }).getByRole("button").first().waitFor();
  await choose(page, /^Problems/);
  await page.locator("#pane").getByRole("button", { name: /^About / }).first().click();
  await page.locator("#pane .markdown").waitFor();
  assert.deepEqual(await page.evaluate(markup), { found: [], hit: undefined });
  await page.close();
});

test("text in a link does not become markup", async () => {
  for (const v of combinedVectors) {
    const name = v.replaceAll(/[/\\]/g, "").slice(0, 120);
    const link = { evaluator: v, results: { findings: { [name]: [v] }, scores: { [`case ${v}`]: 0.1 } }, state: { files: [{ name, text: hostile(v) }], active: name, entries: { [name]: { [`case ${v}`]: { grades: [{ grader: v, id: v, satisfied: true }], answer: v } } }, case: `case ${v}`, tab: v } };
    const page = await open(`1.${deflateRawSync(JSON.stringify(link)).toString("base64url")}`);
    await page.locator("#status", { hasText: "This link was made with evaluator" }).waitFor();
    assert.deepEqual(await page.evaluate(markup), { found: [], hit: undefined }, v);
    await page.context().close();
  }
});

test("a pasted key is in no link, storage, attribute, address or message", async () => {
  const key = "sk-proj-Zk3yZk3yZk3yZk3yZk3yZk3y0123";
  const page = await open();
  const messages = [];
  page.on("console", (m) => messages.push(m.text()));
  page.on("pageerror", (fault) => messages.push(String(fault.stack)));
  await write(page, `evalcases:\n  - id: a\n    expected_outcome: Says it\n    input: "my key is ${key}"\n    metadata: { note: ${key} }\n    rubrics: ["never repeats ${key}"]\n`);
  await page.locator("#unsaved", { hasText: "Not saved in this browser" }).waitFor();
  for (const label of panes) {
    await choose(page, label);
    await page.locator("#pane > *").first().waitFor();
  }
  await choose(page, "Reply");
  await page.getByRole("textbox", { name: /reply about/ }).fill(`{"checks": [{"id": "${key}"`);
  await page.locator("#pane .error").first().waitFor();
  await share(page, "Copy command");
  await page.locator("#status", { hasText: "The command is copied" }).waitFor();
  assert.ok(!(await page.evaluate(() => navigator.clipboard.readText())).includes(key));
  await share(page, "Copy link");
  await page.locator("#status", { hasText: "No link is made: line 4 of support.eval.yaml looks like an API key" }).waitFor();
  const search = await page.evaluate(async (key) => {
    const found = [location.href, document.title, document.cookie, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), JSON.stringify(history.state), document.getElementById("status").textContent, document.getElementById("unsaved").textContent];
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise((done) => (indexedDB.open(name).onsuccess = (e) => done(e.target.result)));
      for (const store of db.objectStoreNames) found.push(JSON.stringify(await new Promise((done) => (db.transaction(store).objectStore(store).getAll().onsuccess = (e) => done(e.target.result)))));
      db.close();
    }
    for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) found.push(request.url);
    const walk = (root) => {
      for (const e of root.querySelectorAll("*")) {
        for (const { value } of e.attributes) found.push(value);
        if (e.shadowRoot) walk(e.shadowRoot);
      }
    };
    walk(document);
    return { searched: found.length, with: found.filter((text) => text.includes(key)) };
  }, key);
  assert.ok(search.searched > 100, String(search.searched));
  assert.deepEqual(search.with, []);
  assert.deepEqual(messages.filter((text) => text.includes(key)), []);
  assert.deepEqual(requests.filter((url) => url.includes(key)), []);
  await page.close();
});

test("typing over several lines causes no policy violation", async () => {
  const page = await open();
  const text = () => page.evaluate(() => [...document.querySelector("#editor .host:not([hidden])").shadowRoot.querySelectorAll(".cm-line")].map((line) => line.textContent));
  const selectLines = async () => { // from the second line to the fourth
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    for (let i = 0; i < 2; i++) await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+End");
  };
  await write(page, "# a\n# b\n# c\n# d\n# e");
  await page.locator(".cm-line span", { hasText: "# e" }).first().waitFor(); // it has its colours
  await selectLines();
  await page.keyboard.type("xy");
  await settles(text, ["# a", "xy", "# e"]);
  await page.keyboard.press("Control+z");
  await settles(text, ["# a", "# b", "# c", "# d", "# e"]);
  await selectLines();
  await page.keyboard.type("[");
  await settles(text, ["# a", "[# b", "# c", "# d]", "# e"]);
  await page.close();
});

nothingElse(fixture);
