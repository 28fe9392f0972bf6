// Several files, and going from one to the other; lenses, by which cases are run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import axe from "axe-core";
import { browse, choose, serve } from "./browser.js";

const folder = "../../testdata/quickstart/banking";
const evalset = JSON.parse(readFileSync(`${folder}/banking.evalset.json`, "utf8"));
const config = readFileSync(`${folder}/test_config.json`, "utf8");
const two = `evalcases:
  - id: a
    expected_outcome: Says it
    input: Say it
    expected_messages: [{ role: assistant, content: Says it }]
    rubrics: [Says it]
  - id: b
    expected_outcome: Says more
    input: Say more
    expected_messages: [{ role: assistant, content: Little }]
    rubrics: [Says more]
`;

const site = await serve();
const faults = [], requests = [];
const { open, close } = await browse(site.address, { faults, requests });
after(async () => {
  await close();
  await site.stop();
});

const pane = (page) => page.locator("#pane");
const tab = (page, name) => page.getByRole("tab", { name, exact: true });
async function begin(files) {
  const page = await open();
  await page.locator("input[type=file]").setInputFiles(Object.entries(files).map(([name, body]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(body) })));
  await tab(page, Object.keys(files)[0]).click();
  return page;
}
const chosen = (page, name) => page.getByRole("tab", { name, selected: true }).waitFor();

test("a file is renamed by a button, to a name of its own", async () => {
  const page = await begin({ "x.eval.yaml": two, "y.eval.yaml": two });
  await page.getByRole("button", { name: "Rename file" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("../z.eval.yaml");
  await page.keyboard.press("Enter");
  await chosen(page, "z.eval.yaml");
  await page.locator(".cm-line", { hasText: "- id: a" }).first().waitFor();
  assert.equal(await tab(page, "x.eval.yaml").count(), 0);
  await page.getByRole("button", { name: "Rename file" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("y.eval.yaml");
  await page.keyboard.press("Enter");
  await page.locator("#said", { hasText: "There is a file y.eval.yaml already." }).waitFor();
  await chosen(page, "z.eval.yaml");
  await page.close();
});

test("a second place in another file opens that file", async () => {
  const twice = structuredClone(evalset);
  twice.eval_cases[0].rubrics[0].rubric_id = "security"; // which a criterion has, too
  const page = await begin({ "banking.evalset.json": JSON.stringify(twice, null, 2), "test_config.json": config });
  await choose(page, /Problems/);
  await pane(page).getByRole("button", { name: /^test_config\.json:\d+:\d+$/ }).first().click();
  await chosen(page, "test_config.json");
  await page.locator("#editor .host:not([hidden]) .cm-activeLine", { hasText: "security" }).waitFor();
  await page.close();
});

test("a name's declaration in another file opens that file", async () => {
  const page = await begin({ "x.eval.yaml": "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n    execution: { target: prod }\n", "targets.yaml": "targets:\n  - { name: dev, provider: mock }\n  - { name: prod, provider: mock }\n" });
  await page.locator("#editor .host:not([hidden]) .cm-line", { hasText: "prod" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F12");
  await chosen(page, "targets.yaml");
  await page.locator("#editor .host:not([hidden]) .cm-activeLine", { hasText: "prod" }).waitFor();
  await page.close();
});

test("a case is run from the line above it, by a key, and all from the first line", async () => {
  const page = await begin({ "x.eval.yaml": two });
  const lens = page.locator("#editor .host:not([hidden]) .cm-lenses");
  await lens.nth(2).getByText("Run case").click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor();
  await pane(page).getByRole("region", { name: "Result of b" }).waitFor();
  await lens.nth(2).getByText(/^(pass|borderline|fail), score/).waitFor(); // and tells what came of it
  await page.locator("#editor .host:not([hidden]) .cm-line", { hasText: "Says it" }).first().click();
  await page.keyboard.press("Control+Shift+Enter");
  await pane(page).getByRole("region", { name: "Result of a" }).waitFor();
  await lens.nth(0).getByText("Run file").click();
  await page.locator(".runs [role=status]", { hasText: "Done: 2 cases" }).waitFor();
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target)}`), []);
  await page.close();
});

test("a key that no header can hold is not sent, and is not shown", async () => {
  const page = await begin({ "x.eval.yaml": two });
  await choose(page, "Run");
  await page.locator("#judge").selectOption("openai");
  await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:1/v1");
  await page.getByLabel("Model", { exact: true }).fill("m");
  await page.getByLabel("Key", { exact: true }).fill("geheim–4711");
  await page.getByRole("button", { name: "Run case a" }).click();
  const said = page.locator(".runs [role=status]", { hasText: "The key cannot be sent: letter 7 of it" });
  await said.waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), /geheim/);
  await page.close();
});

test("no other address was asked, and nothing failed", () => {
  assert.deepEqual(requests.filter((r) => !r.startsWith(site.address.origin)), []);
  assert.deepEqual(faults, []);
});
