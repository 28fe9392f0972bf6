// What somebody does on the page, in a real browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import axe from "axe-core";
import { browse, choose, serve, write } from "./browser.js";

const faulty = `evalcases:
  - id: a
    expected_outcome: Says it
    input: Say it
    rubrics:
      - id: one
        expected_outcome: Says it
        weigth: 3
`;
const two = `evalcases:
  - id: a
    expected_outcome: Says it
    input: Say it
    rubrics:
      - id: one
        expected_outcome: Says it
        weight: 3
        required: false
      - id: two
        expected_outcome: Says it kindly
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Rude }
          - { score_range: [5, 10], expected_outcome: Kind }
`;

const site = await serve();
const faults = [];
const requests = [];
const { open, close } = await browse(site.address, { faults, requests });
after(async () => {
  await close();
  await site.stop();
});

const pane = (page) => page.locator("#pane");
const says = (page, what) => pane(page).filter({ hasText: what }).waitFor();

describe("the editor", () => {
  let page;
  before(async () => {
    page = await open();
    await write(page, faulty);
  });
  after(() => page.close());

  test("a fault is marked where it is", async () => {
    const mark = page.locator(".cm-lintRange-warning");
    await mark.waitFor();
    assert.equal(await mark.innerText(), "weigth");
  });

  test("hover tells what a thing means", async () => {
    await page.locator(".cm-line", { hasText: "- id: one" }).getByText("id", { exact: true }).hover();
    await page.locator(".cm-lsp-hover-tooltip").waitFor();
  });

  test("hints stand between the words", async () => {
    await page.locator(".cm-hint", { hasText: "weight: 1" }).waitFor();
  });

  test("the problems have their page and their fixes", async () => {
    await choose(page, /Problems/);
    await says(page, "did you mean `weight`?");
    await pane(page).getByRole("button", { name: "Why?" }).last().click();
    await says(page, "# unknown-key");
    await pane(page).getByRole("button", { name: "Fixes" }).last().click();
    await pane(page).getByRole("button", { name: /weight/ }).first().click();
    await says(page, "Nothing is wrong with this file.");
    assert.match(await page.locator(".cm-content").innerText(), / {8}weight: 3/);
  });

  test("what can be folded is folded by the keyboard", async () => {
    await page.locator(".cm-line", { hasText: "rubrics:" }).click();
    await page.keyboard.press("Control+Shift+BracketLeft");
    await page.locator(".cm-foldPlaceholder").waitFor();
    await page.keyboard.press("Control+Shift+BracketRight");
    await page.locator(".cm-foldPlaceholder").waitFor({ state: "detached" });
  });

  test("completion offers what may stand there", async () => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("        requ");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "required" }).waitFor();
    await page.keyboard.press("Escape");
  });

  test("colours are the server's, and so is a new line's indentation", async () => {
    await page.locator(".cm-is-class", { hasText: "a" }).first().waitFor();
    await write(page, "evalcases:\n  - id: a\n    rubrics:");
    await page.keyboard.press("Enter");
    await page.keyboard.type("x");
    await page.waitForFunction(() => [...document.querySelector("#editor .host:not([hidden])").shadowRoot.querySelectorAll(".cm-line")].at(-1).textContent === "      x");
  });
});

test("grades are given, and the verdict, the gates and what would flip it follow", async () => {
  const page = await open();
  await write(page, two);
  await choose(page, "Verdict");
  await page.getByRole("slider", { name: "two" }).waitFor(); // what was there before it passes with 1, too
  await says(page, "pass score 1");
  await page.getByRole("checkbox", { name: "satisfied" }).uncheck();
  await says(page, "fail score 0.25");
  await says(page, "one: satisfied makes it pass");
  await page.getByRole("slider", { name: "two" }).fill("0");
  await says(page, "fail score 0");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await says(page, "fail score 0"); // it was kept
  await page.close();
});

test("weights, bands and gates are a picture, which has its words", async () => {
  const page = await open();
  await write(page, two.replace("        score_ranges:", "        required_min_score: 5\n        score_ranges:"));
  await choose(page, "Verdict");
  const picture = page.getByRole("figure", { name: "one: 75 % of the weight, satisfied; two: 25 % of the weight, 10 of 10. Together 1; borderline from 0.6, pass from 0.8." });
  await picture.waitFor();
  await page.waitForFunction(() => { // which is drawn again when the answer to a later question comes
    const [one, second] = [...document.querySelectorAll("figure .column")].map((c) => c.getBoundingClientRect().width);
    return Math.abs(one / second - 3) < 0.2;
  });
  await page.getByRole("slider", { name: "two" }).fill("4");
  await page.getByRole("figure", { name: /two: 25 % of the weight, 4 of 10, and its gate is not met. Together 0.85/ }).waitFor();
  await page.getByRole("figure", { name: "bands: 0 to 4: Rude; 5 to 10: Kind. At least 5 is required." }).locator(".band.here", { hasText: "Rude" }).waitFor();
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  assert.equal(await page.locator(".fill").first().evaluate((fill) => getComputedStyle(fill).transitionDuration), "0s");
  await page.close();
});

test("the outline goes to a place, by the keyboard too", async () => {
  const page = await open();
  await write(page, two);
  await page.keyboard.press("Control+Shift+O");
  const outline = page.getByRole("navigation", { name: "Outline" });
  await outline.getByRole("button", { name: "two" }).waitFor();
  await page.keyboard.type("two");
  await outline.getByRole("button", { name: "one" }).waitFor({ state: "detached" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".cm-activeLine", { hasText: "id: two" }).waitFor();
  await page.keyboard.press("Control+Shift+O");
  await outline.waitFor({ state: "hidden" });
  await page.close();
});

test("the case that somebody goes to in the text is the one that is shown", async () => {
  const page = await open();
  await page.locator(".cm-line", { hasText: "id: reset-password" }).click();
  await choose(page, "Effective rubric");
  await says(page, "reset-link");
  assert.equal(await page.getByRole("combobox", { name: "Case" }).inputValue(), "reset-password");
  await page.close();
});

test("the other panes show what a judge is asked, the rubric as it is taken, a reply and the model", async () => {
  const page = await open();
  await write(page, two);
  await choose(page, "Judge prompt");
  await says(page, "Says it kindly");
  await choose(page, "Effective rubric");
  await says(page, "5–10: Kind");
  await choose(page, "JSON");
  await says(page, '"dialect": "agentv"');
  await choose(page, "Reply");
  await page.getByRole("textbox", { name: "A judge's reply about a" }).fill('{"checks": [{"id": "nobody"');
  await pane(page).locator(".error").first().waitFor();
  await page.close();
});

test("a link from an older evaluator says whether the results differ", async () => {
  const state = { files: [{ name: "a.eval.yaml", text: two }], active: "a.eval.yaml", grades: { a: [{ grader: "rubric", id: "one", satisfied: false }] }, case: "a", tab: "verdict" };
  const linkOf = (results) => `1.${deflateRawSync(JSON.stringify({ state, evaluator: "0.0.1", results })).toString("base64url")}`;
  const other = await open(linkOf({ findings: { "a.eval.yaml": ["no-such-rule", "unknown-key"] }, scores: { a: 0.5 } }));
  await other.locator("#said", { hasText: "made with evaluator 0.0.1, and this is 0.1.0-dev: the results differ. a.eval.yaml had 2 problems then and has 1 now; case a scored 0.5 then and scores 0.25 now." }).waitFor();
  await other.close();
  const same = await open(linkOf({ findings: { "a.eval.yaml": ["dominant-weight"] }, scores: { a: 0.25 } }));
  await same.locator("#said", { hasText: /made with evaluator 0.0.1, and this is .*: the results/ }).waitFor();
  assert.match(await same.locator("#said").innerText(), /the results are the same/);
  await same.close();
});

test("a link brings everything back, and one with a secret is not made", async () => {
  const page = await open();
  await write(page, two);
  await choose(page, "Verdict");
  await says(page, "Says it kindly");
  await page.getByRole("checkbox", { name: "satisfied" }).uncheck();
  await says(page, "fail score 0.25");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.locator("#said", { hasText: "The link is copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await write(page, "evalcases: []\n");
  const other = await open(new URL(link).hash.slice(1));
  await says(other, "fail score 0.25");
  assert.match(await other.locator(".cm-content").innerText(), /Says it kindly/);
  await write(other, two.replace("Say it", "use sk-proj-abcdefghijklmnop0123456789"));
  await other.locator("#said", { hasText: "This is not kept in the browser: line 4 of support.eval.yaml looks like an API key" }).waitFor();
  await other.getByRole("button", { name: "Copy link" }).click();
  await other.locator("#said", { hasText: "No link is made: line 4 of support.eval.yaml looks like an API key" }).waitFor();
  await other.close();
  const broken = await open("1.AAAA");
  await broken.locator("#said", { hasText: "the link cannot be read" }).waitFor();
  await broken.close();
  await page.close();
});

test("an example is found and opened in place", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("unknown-key bad");
  await page.getByRole("button", { name: "unknown-key: bad" }).click();
  await choose(page, /Problems/);
  await pane(page).locator("code", { hasText: "unknown-key" }).first().waitFor();
  await page.close();
});

test("files are opened by choosing them", async () => {
  const page = await open();
  await page.locator("input[type=file]").setInputFiles([
    { name: "x.eval.yaml", mimeType: "text/yaml", buffer: Buffer.from(two) },
    { name: "y.eval.yaml", mimeType: "text/yaml", buffer: Buffer.from(faulty) },
  ]);
  await page.getByRole("tab", { name: "y.eval.yaml" }).click();
  await choose(page, /Problems/);
  await says(page, "unknown-key");
  await page.locator("input[type=file]").setInputFiles([{ name: "z.eval.yaml", mimeType: "text/yaml", buffer: Buffer.from(two) }]);
  await page.getByRole("tab", { name: "z.eval.yaml", selected: true }).waitFor();
  await page.getByRole("tab", { name: "x.eval.yaml" }).waitFor(); // they stay beside it
  await page.getByRole("button", { name: "Close file" }).click();
  await page.getByRole("tab", { name: "z.eval.yaml" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New file" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("mine.eval.yaml");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: "mine.eval.yaml", selected: true }).waitFor();
  assert.equal(await page.getByRole("tablist", { name: "Files" }).getByRole("tab").count(), 3);
  await page.close();
});

test("everything works by the keyboard", async () => {
  const page = await open();
  await page.getByRole("tab", { name: "Verdict" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Run/);
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "JSON");
  await says(page, '"dialect"');
  await page.close();
});

test("without a network everything is there", async () => {
  const page = await open();
  await page.waitForFunction(() => navigator.serviceWorker.controller ?? navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await write(page, faulty);
  await choose(page, /Problems/);
  await says(page, "did you mean `weight`?");
  await page.context().setOffline(false);
  await page.close();
});

test("an update is offered, and taken when somebody says so", async () => {
  let newer = false;
  const host = http.createServer(async (request, out) => { // of the same page, and of a newer one
    const answer = await fetch(new URL(request.url, site.address));
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)));
    out.writeHead(answer.status, headers).end(newer && request.url === "/offline-worker.js" ? String(body).replace(/rubric-[0-9a-f]{16}/, "rubric-0123456789abcdef") : body);
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  const there = await browse(new URL(`http://127.0.0.1:${host.address().port}/`), { faults });
  const page = await there.open();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  newer = true;
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const button = page.getByRole("button", { name: "Update ready: reload" });
  await button.waitFor();
  await write(page, faulty); // nothing has been reloaded under somebody's hands
  await choose(page, /Problems/);
  await says(page, "did you mean `weight`?");
  await Promise.all([page.waitForEvent("load"), button.click()]);
  await page.waitForSelector("html[data-ready]");
  await page.locator(".cm-content", { hasText: "weigth" }).waitFor();
  assert.deepEqual(await page.evaluate(async () => (await caches.keys()).filter((k) => k.startsWith("rubric-"))), ["rubric-0123456789abcdef"]);
  await there.close();
  host.closeAllConnections();
  host.close();
});

test("text from right to left stands so", async () => {
  const page = await open();
  await write(page, two.replaceAll("Says it kindly", "אומר זאת בנימוס").replaceAll("Kind", "مهذب").replaceAll("Rude", "فظ"));
  await choose(page, "Verdict");
  const direction = (where) => where.evaluate((e) => getComputedStyle(e).direction);
  await says(page, "אומר זאת בנימוס");
  assert.equal(await direction(pane(page).getByText("אומר זאת בנימוס", { exact: true })), "rtl");
  assert.equal(await direction(pane(page).locator(".band", { hasText: "مهذب" })), "rtl");
  assert.equal(await direction(pane(page).getByText("Says it", { exact: true })), "ltr");
  await choose(page, "Effective rubric");
  assert.equal(await direction(pane(page).getByRole("cell", { name: "אומר זאת בנימוס" })), "rtl");
  await choose(page, "Reply");
  await page.getByRole("textbox", { name: "A judge's reply about a" }).fill('{"checks": [{"id": "one", "satisfied": true, "reasoning": "התשובה נכונה"}, {"id": "two", "score": 7, "reasoning": "الجواب مهذب"}]}');
  assert.equal(await direction(pane(page).getByText("התשובה נכונה", { exact: true })), "rtl");
  assert.equal(await direction(pane(page).getByText("الجواب مهذب", { exact: true })), "rtl");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.close();
});

test("in other pages it is without its head", async () => {
  const page = await open("", "?embed");
  assert.ok((await page.locator("header").boundingBox()).height <= 1);
  assert.equal(await page.getByRole("button", { name: "Copy link" }).count(), 0);
  await write(page, faulty);
  await choose(page, /Problems/);
  await says(page, "did you mean `weight`?");
  await page.evaluate(axe.source);
  assert.deepEqual((await page.evaluate(() => window.axe.run())).violations.map((v) => v.id), []);
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [320, 800, 1400]) {
    test(`${width} pixels wide and ${scheme}, axe has no finding`, async () => {
      const page = await open();
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await write(page, two);
      await choose(page, "Verdict");
      await says(page, "What would flip it");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`), []);
      mkdirSync("test/artefacts", { recursive: true });
      page.removeAllListeners("console"); // the driver adds a style for the picture, which the page's policy refuses
      await page.screenshot({ path: `test/artefacts/${scheme}-${width}.png` });
      await page.close();
    });
  }
}

test("a live address leaves no token in what is kept or shared", async () => {
  const page = await open(site.address.hash.slice(1));
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.locator("#said", { hasText: "The link is copied" }).waitFor();
  const token = site.address.hash.split("=")[1];
  assert.ok(token.length > 10);
  assert.ok(!(await page.evaluate(() => navigator.clipboard.readText())).includes(token));
  await page.close();
});

test("the page is small", () => {
  const folder = path.resolve("../../cmd/internal/host/page/site");
  const entries = execFileSync("find", [folder, "-type", "f"], { encoding: "utf8" }).trim().split("\n");
  const sum = (pick) => entries.filter(pick).reduce((all, file) => all + statSync(file).size, 0);
  const scripts = sum((f) => f.endsWith(".js.gz"));
  const load = sum((f) => f.endsWith(".br"));
  console.log(`JavaScript ${scripts} bytes by gzip, first load ${load} bytes by brotli`);
  assert.ok(scripts <= 250_000, `JavaScript ${scripts}`);
  assert.ok(load <= 2_000_000, `first load ${load}`);
});

test("no other address was ever asked, and nothing was refused or failed", () => {
  assert.deepEqual(requests.filter((url) => !url.startsWith(site.address.origin) && !url.startsWith("blob:") && !url.startsWith("data:")), []);
  assert.deepEqual(faults, []);
});

test("looks of secrets are known, and those of other words", async () => {
  const { secretIn } = await import("./secrets.js");
  const { secrets, others } = JSON.parse(readFileSync("test/secrets.json", "utf8"));
  for (const s of secrets) assert.ok(secretIn(`a: 1\nkey: ${s.replaceAll("~", "")}`), s);
  for (const s of others) assert.equal(secretIn(s), undefined, s);
});
