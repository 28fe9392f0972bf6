// A long text is inserted in slices. Nothing that the user does meanwhile is lost.
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openFiles as together, choose, textSaved as keptWith, workspaceSaved, playground, nothingElse, paneShows, settles, write } from "./browser.js";
import { evalset, faulty, twoCriteria } from "./texts.js";

const fixture = await playground();
const folder = mkdtempSync(path.join(os.tmpdir(), "long-"));
const long = evalset(300), longer = evalset(400); // of several slices each

/** pausablePage opens a page that stops between two slices from `hold` until `release`. After `stumble` its next wait for a frame throws. */
async function pausablePage() {
  const page = await fixture.open("", "", () => {
    const heldTimers = [], setTimeoutBefore = globalThis.setTimeout;
    globalThis.hold = () => (globalThis.held = true);
    globalThis.release = () => {
      globalThis.held = false;
      for (const [work, given] of heldTimers.splice(0)) setTimeoutBefore(work, 0, ...given);
    };
    globalThis.stumble = () => (globalThis.stumbling = true);
    globalThis.setTimeout = (work, delay, ...given) => {
      if (globalThis.stumbling && delay === 200) {
        globalThis.stumbling = false;
        throw new Error("stumbled");
      }
      return globalThis.held && delay === undefined ? heldTimers.push([work, given]) : setTimeoutBefore(work, delay, ...given);
    };
  });
  return { page, hold: () => page.evaluate(() => hold()), release: () => page.evaluate(() => release()) };
}

const line = (page, words) => page.locator("#editor .host:not([hidden]) .cm-line", { hasText: words }).first();
const tab = (page, name) => page.getByRole("tab", { name, exact: true });
const tabSelected = (page, name) => page.getByRole("tab", { name, selected: true }).waitFor();

/** openFiles opens a file through the file dialog. */
function openFiles(page, name, text) {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return page.locator("input[type=file]").setInputFiles(file);
}

/** textSaved waits until the saved workspace has exactly these files. */
const textSaved = (page, files) => workspaceSaved(page, (state) => JSON.stringify(Object.fromEntries((state?.files ?? []).map(({ name, text }) => [name, text]))) === JSON.stringify(files));

/** pageWithOwnFile returns a paused page with the user's own file. */
async function pageWithOwnFile() {
  const paused = await pausablePage();
  await openFiles(paused.page, "mine.eval.yaml", twoCriteria);
  await tabSelected(paused.page, "mine.eval.yaml");
  await line(paused.page, "Says it").click();
  return paused;
}

/** paste pastes over all. */
async function paste(page, text) {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+V");
}

/** goToLine returns a page after the user went to a case, with a long text ready to be pasted. */
async function goToLine(page, words, about) {
  await page.evaluate((words) => navigator.clipboard.writeText(words), long);
  await page.locator(`#case option[value="${about}"]`).waitFor({ state: "attached" }); // the page goes along once it knows the cases,
  await page.keyboard.press("Control+Home"); // and with a caret that moves
  await line(page, words).click();
  await keptWith(page, `"case":"${about}"`);
  await choose(page, "JSON");
  await paneShows(page, `"${about}"`);
  await line(page, words).click();
}

test("what is typed while a text is being pasted stands behind it, and one key takes the text back", async () => {
  const { page, hold, release } = await pageWithOwnFile();
  await hold();
  await paste(page, long);
  await page.keyboard.type("# typed");
  await line(page, "# typed").waitFor();
  await release();
  await textSaved(page, { "mine.eval.yaml": `${long}# typed` });
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+X");
  await textSaved(page, { "mine.eval.yaml": "" });
  await page.keyboard.press("Control+V");
  await textSaved(page, { "mine.eval.yaml": `${long}# typed` });
  await write(page, twoCriteria);
  await textSaved(page, { "mine.eval.yaml": twoCriteria });
  await paste(page, long);
  await textSaved(page, { "mine.eval.yaml": long });
  await page.keyboard.press("Control+Z");
  await textSaved(page, { "mine.eval.yaml": twoCriteria });
  await page.close();
});

test("a text goes where it was pasted, whatever file is gone to meanwhile", async () => {
  const { page, hold, release } = await pageWithOwnFile();
  await openFiles(page, "other.eval.yaml", twoCriteria);
  await tabSelected(page, "other.eval.yaml");
  await tab(page, "mine.eval.yaml").click();
  await line(page, "Says it").click();
  await hold();
  await paste(page, long);
  await tab(page, "other.eval.yaml").click();
  await line(page, "Says it").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# typed");
  await release();
  await textSaved(page, { "mine.eval.yaml": long, "other.eval.yaml": `# typed${twoCriteria}` });
  await page.close();
});

test("two texts that are pasted stand one behind the other, and a file that is closed meanwhile is closed", async () => {
  const { page, hold, release } = await pageWithOwnFile();
  await hold();
  await paste(page, long);
  await page.keyboard.press("Control+V");
  await release();
  await textSaved(page, { "mine.eval.yaml": long + long });
  await openFiles(page, "other.eval.yaml", twoCriteria);
  await tabSelected(page, "other.eval.yaml");
  await line(page, "Says it").click();
  await hold();
  await paste(page, long);
  await page.getByRole("button", { name: "Close file" }).click();
  await release();
  await textSaved(page, { "mine.eval.yaml": long + long });
  await page.close();
});

test("files that are chosen one after the other are opened so, and what is typed before they are there stays", async () => {
  const { page, hold, release } = await pausablePage();
  await line(page, "id:").click();
  await hold();
  await openFiles(page, "long.evalset.json", long);
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type("# typed"); // in the example, which would have made room
  await openFiles(page, "longer.evalset.json", longer);
  await line(page, "# typed").waitFor();
  await release();
  await tabSelected(page, "longer.evalset.json");
  await textSaved(page, { "support.eval.yaml": "# typed", "long.evalset.json": long, "longer.evalset.json": longer });
  await page.close();
});

test("an example that is chosen while a file is being opened takes its place", async () => {
  const { page, hold, release } = await pageWithOwnFile();
  await hold();
  await openFiles(page, "long.evalset.json", long);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("faults");
  await page.getByRole("button", { name: "A rubric with faults" }).click();
  await release();
  await tabSelected(page, "refund.eval.yaml");
  await settles(() => page.getByRole("tablist", { name: "Files" }).getByRole("tab").count(), 1);
  await page.close();
});

test("a file takes what is being pasted into it along to its new name", async () => {
  const { page, hold, release } = await pageWithOwnFile();
  await goToLine(page, "Says it", "a");
  await page.keyboard.press("Control+End");
  await hold();
  await page.keyboard.press("Control+V");
  await page.getByRole("button", { name: "Rename file" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("other.eval.yaml");
  await page.keyboard.press("Enter");
  await line(page, "Says it").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+V"); // once more, into what is to be renamed
  await release();
  await textSaved(page, { "other.eval.yaml": twoCriteria + long + long });
  await page.close();
});

for (const [moment, first] of [["when a file is chosen", true], ["while a file is being opened", false]]) {
  test(`an example makes no room if something is being pasted into it ${moment}`, async () => {
    const { page, hold, release } = await pausablePage();
    await goToLine(page, "id:", "summarise-review");
    await hold();
    if (first) await page.keyboard.press("Control+V");
    await openFiles(page, "mine.eval.yaml", twoCriteria);
    if (!first) await page.keyboard.press("Control+V");
    await release();
    await tabSelected(page, "mine.eval.yaml");
    await tab(page, "support.eval.yaml").waitFor();
    await keptWith(page, "case-299");
    await page.close();
  });
}

test("what fails while an editor is furnished costs no other step, and no other file", async () => {
  const { page } = await pausablePage();
  await page.evaluate(() => stumble());
  await together(page, { "a.eval.yaml": faulty, "b.eval.yaml": faulty });
  for (const name of ["a.eval.yaml", "b.eval.yaml"]) {
    await tab(page, name).click();
    await page.locator(`#editor .host:not([hidden]) .cm-content[aria-label="${name}"]`).waitFor();
    await page.getByRole("tab", { name: "Problems (1)" }).waitFor();
  }
  await page.close();
});

nothingElse(fixture, { expectedFaults: ["stumbled"] });
