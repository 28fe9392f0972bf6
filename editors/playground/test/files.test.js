// Opening several files, replacing an example, and changing between files.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openFiles, choose, chooseIn, pane, playground, nothingElse, paneShows, settles, smallEvaluator, textSaved, workspaceSaved, write } from "./browser.js";
import { banking, faulty, twoCriteria } from "./texts.js";

const fixture = await playground();
const tab = (page, name) => page.getByRole("tab", { name, exact: true });
const tabSelected = (page, name) => page.getByRole("tab", { name, selected: true }).waitFor();

/** openWith opens files, and shows the first of them. */
async function openWith(files, ...where) {
  const page = await fixture.open(...where);
  await openFiles(page, files);
  await tab(page, Object.keys(files)[0]).click();
  return page;
}

test("an example can be searched and opened", async () => {
  const page = await fixture.open();
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("unknown-key bad");
  await page.getByRole("button", { name: "unknown-key: bad" }).click();
  await choose(page, /Problems/);
  await pane(page).locator("code", { hasText: "unknown-key" }).first().waitFor();
  await page.close();
});

test("a JSON Schema in a tab applies to the file that names it, and again after an edit", async () => {
  const page = await openWith({ "x.eval.yaml": `# yaml-language-server: $schema=house.schema.json\n${twoCriteria}`, "house.schema.json": `{"required":["owner"]}` }, "", "", undefined, smallEvaluator);
  await choose(page, /Problems/);
  await paneShows(page, "owner is missing");
  for (const [schema, text] of [[`{"required":["reviewer"]}`, "reviewer is missing"], [`{"$ref":"#"}`, "is not applied: the schema at # applies itself to the same value without end"]]) {
    await tab(page, "house.schema.json").click();
    await write(page, schema);
    await tab(page, "x.eval.yaml").click();
    await paneShows(page, text);
  }
  await page.close();
});

test("the whole evaluator loads when it is needed; if it cannot be had, that is reported and tried again", async () => {
  const whole = /rubric-(?!small-)[^/]*\.wasm$/, before = fixture.requests.length;
  const page = await fixture.open("", "", undefined, smallEvaluator);
  assert.deepEqual(fixture.requests.slice(before).filter((url) => whole.test(url)), []);
  await page.context().route(whole, (route) => route.abort());
  await openFiles(page, { "house.schema.json": `{"required":["owner"]}`, "x.eval.yaml": twoCriteria });
  await tab(page, "x.eval.yaml").click();
  await write(page, `# yaml-language-server: $schema=house.schema.json\n${twoCriteria}`);
  await page.getByText("JSON Schemas are ignored").waitFor();
  await choose(page, "Results");
  await page.getByRole("button", { name: "Run case a", exact: true }).click();
  await paneShows(page, "could not be loaded: Failed to fetch; try again when there is a network");
  await page.context().unroute(whole);
  await page.getByRole("button", { name: "Run case a", exact: true }).click();
  await paneShows(page, "Done: 1 case");
  await choose(page, /Problems/);
  await paneShows(page, "owner is missing");
  await page.close();
});

test("a file for the whole evaluator is graded as soon as that has loaded, also after a reload", async () => {
  const config = "prompts: ['Say {{ word }}']\nproviders: [echo]\ntests:\n  - vars: { word: hello }\n    assert: [{ type: contains, value: hello }]\n";
  const page = await openWith({ "promptfooconfig.yaml": config }, "", "", undefined, smallEvaluator);
  for (const round of ["opened", "reloaded", "reloaded again"]) {
    if (round !== "opened") await page.reload();
    await tabSelected(page, "promptfooconfig.yaml");
    await settles(() => page.locator("#format").textContent(), "promptfoo", round);
    await choose(page, "Score");
    await paneShows(page, "contains");
    await page.locator(".cm-lenses", { hasText: "Run case" }).first().waitFor();
  }
  await page.close();
});

test("nothing is said about a file before its evaluator is there", async () => {
  const config = "prompts: ['Say hello']\nproviders: [echo]\ntests:\n  - assert: [{ type: contains, value: hello }]\n";
  const loads = {}, hold = (kind) => {
    const held = new Promise((load) => (loads[kind] = load));
    return (route) => held.then(() => route.fallback()); // also for the offline copy
  };
  const page = await fixture.visit("", "", undefined, async (context) => {
    await smallEvaluator(context);
    await context.route(/\/rubric-(?!small-)[^/]*\.wasm$/, hold("whole"));
    await context.route(/\/rubric-small-[^/]*\.wasm$/, hold("small"));
  });
  await choose(page, /Problems/);
  await openFiles(page, { "promptfooconfig.yaml": config });
  await tabSelected(page, "promptfooconfig.yaml");
  await paneShows(page, "Loading the evaluator.");
  loads.small();
  await paneShows(page, "No problems so far. The rest of the evaluator, which reads promptfoo files, is not loaded yet.");
  await choose(page, "Score");
  await paneShows(page, /^ ?The rest of the evaluator, which reads promptfoo files, is not loaded yet.$/);
  loads.whole();
  await paneShows(page, "contains");
  await choose(page, /Problems/);
  await paneShows(page, "No problems in this file.");
  await page.close();
});

test("chosen files are opened", async () => {
  const page = await openWith({ "y.eval.yaml": faulty, "x.eval.yaml": twoCriteria });
  await choose(page, /Problems/);
  await paneShows(page, "unknown-key");
  await openFiles(page, { "z.eval.yaml": twoCriteria });
  await tabSelected(page, "z.eval.yaml");
  await tab(page, "x.eval.yaml").waitFor(); // they stay beside it
  await page.getByRole("button", { name: "Close file" }).click();
  await tab(page, "z.eval.yaml").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New file" }).click();
  await page.getByRole("combobox", { name: "Template" }).selectOption("Score ranges: criteria from 0 to 10");
  await page.getByRole("textbox", { name: "Name" }).fill("mine.eval.yaml");
  await page.keyboard.press("Enter");
  await tabSelected(page, "mine.eval.yaml");
  await paneShows(page, "No problems in this file.");
  await openFiles(page, { "picture.png": "\0\x01" });
  await page.locator("#status", { hasText: "picture.png is not a text file in UTF-8." }).waitFor();
  await settles(() => page.getByRole("tablist", { name: "Files" }).getByRole("tab").count(), 3);
  await page.close();
});

test("dropped files and folders are opened, and the text under them stays as it is", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "drop-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["sub", "node_modules"]) mkdirSync(path.join(folder, "evals", name), { recursive: true });
  for (const [name, text] of Object.entries({ "x.eval.yaml": twoCriteria, "picture.png": "\0\x01", "evals/sub/y.eval.yaml": twoCriteria, "evals/a.md": "Be kind.", "evals/node_modules/z.yaml": "a: 1", "evals/logo.svg": "<svg/>" })) writeFileSync(path.join(folder, name), text);
  const page = await fixture.open();
  const content = page.locator("#editor .host:not([hidden]) .cm-content");
  const session = await page.context().newCDPSession(page);
  const { x, y } = await content.boundingBox();
  const drop = async (...names) => {
    const data = { items: [], files: names.map((name) => path.join(folder, name)), dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: x + 50, y: y + 50, data });
  };
  await drop("picture.png", "x.eval.yaml");
  await page.locator("#status", { hasText: "x.eval.yaml opened. picture.png is not a text file in UTF-8. The example support.eval.yaml is closed" }).waitFor();
  await drop("evals");
  await tab(page, "evals/a.md").waitFor();
  await tabSelected(page, "evals/sub/y.eval.yaml");
  await textSaved(page, "Be kind."); // so that all texts are in place
  assert.deepEqual(await page.getByRole("tablist", { name: "Files" }).getByRole("tab").allTextContents(), ["x.eval.yaml", "evals/sub/y.eval.yaml", "evals/a.md"]);
  await workspaceSaved(page, ({ files }) => files.slice(0, 2).every(({ text }) => text === twoCriteria));
  for (const type of ["dragEnter", "dragOver", "dragCancel"]) await session.send("Input.dispatchDragEvent", { type, x: x + 50, y: y + 50, data: { items: [], files: [path.join(folder, "x.eval.yaml")], dragOperationsMask: 1 } });
  await page.mouse.move(x + 60, y + 60);
  await tab(page, "evals/a.md").click(); // a drag that is given up leaves the page as it was
  await tabSelected(page, "evals/a.md");
  await page.close();
});

test("a tab that is pressed while its number changes is chosen", async () => {
  const page = await fixture.open();
  await page.getByRole("tab", { name: "Problems" }).hover();
  await page.mouse.down();
  await openFiles(page, { "x.eval.yaml": faulty });
  await page.getByRole("tab", { name: "Problems (1)" }).waitFor();
  await page.mouse.up();
  await paneShows(page, "did you mean weight?");
  await page.close();
});

test("a button renames a file, to an unused name", async () => {
  const page = await openWith({ "x.eval.yaml": twoCriteria, "y.eval.yaml": twoCriteria });
  await page.getByRole("button", { name: "Rename file" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("../z.eval.yaml");
  await page.keyboard.press("Enter");
  await tabSelected(page, "z.eval.yaml");
  await page.locator("#editor .host:not([hidden]) .cm-line", { hasText: "- id: a" }).first().waitFor();
  assert.equal(await tab(page, "x.eval.yaml").count(), 0);
  await page.getByRole("button", { name: "Rename file" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("y.eval.yaml");
  await page.keyboard.press("Enter");
  await page.locator("#status", { hasText: "There is a file y.eval.yaml already." }).waitFor();
  await tabSelected(page, "z.eval.yaml");
  await page.close();
});

test("a related location in another file opens that file", async () => {
  const { "banking.evalset.json": evalset, "test_config.json": config } = banking;
  const duplicated = JSON.parse(evalset);
  duplicated.eval_cases[0].rubrics[0].rubric_id = "security"; // a criterion has the same id
  const page = await openWith({ "banking.evalset.json": JSON.stringify(duplicated, null, 2), "test_config.json": config });
  await choose(page, /Problems/);
  await pane(page).getByRole("button", { name: /^test_config\.json:\d+:\d+$/ }).first().click();
  await tabSelected(page, "test_config.json");
  await page.locator("#editor .host:not([hidden]) .cm-activeLine", { hasText: "security" }).waitFor();
  await page.close();
});

test("many opened files are counted, and a long lens is cut where the text wraps", async () => {
  const page = await openWith({ ...banking, "x.eval.yaml": twoCriteria });
  await page.locator("#status", { hasText: /^4 files opened\./ }).waitFor();
  await page.setViewportSize({ width: 1000, height: 900 });
  await page.locator("#editor .host:not([hidden]) .cm-lenses", { hasText: "get_account_balance, get_account_balance" }).waitFor();
  await settles(() => page.locator("#editor .host:not([hidden]) .cm-scroller").evaluate((scroller) => scroller.scrollWidth - scroller.clientWidth), 0);
  await page.close();
});

test("a definition in another file opens that file", async () => {
  const page = await openWith({ "x.eval.yaml": "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n    execution: { target: prod }\n", "targets.yaml": "targets:\n  - { name: dev, provider: mock }\n  - { name: prod, provider: mock }\n" });
  await page.locator("#editor .host:not([hidden]) .cm-line", { hasText: "prod" }).click();
  await page.keyboard.press("End");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F12");
  await tabSelected(page, "targets.yaml");
  await page.locator("#editor .host:not([hidden]) .cm-activeLine", { hasText: "prod" }).waitFor();
  await page.close();
});

test("a file with CRLF is saved with CRLF, also after an edit, a new name and a reload", async () => {
  const windows = (text) => text.replaceAll("\n", "\r\n"), page = await openWith({ "win.eval.yaml": windows(twoCriteria) });
  /** save downloads an entry of a menu, and returns the bytes as text. */
  const save = async (menu, entry) => {
    const [saved] = await Promise.all([page.waitForEvent("download"), chooseIn(page, menu, entry)]);
    return readFileSync(await saved.path(), "utf8");
  };
  assert.equal(await save("File", "Download this file"), windows(twoCriteria));
  await page.getByRole("button", { name: "Rename file" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("other.eval.yaml");
  await page.keyboard.press("Enter");
  await tab(page, "other.eval.yaml").waitFor();
  await write(page, `${twoCriteria}# one more\n`);
  await textSaved(page, "# one more");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await save("File", "Download this file"), windows(`${twoCriteria}# one more\n`));
  assert.ok((await save("Share", "Download")).includes(windows(twoCriteria)));
  await page.close();
});

nothingElse(fixture);
