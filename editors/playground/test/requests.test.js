// What the page asks the evaluator about a long file: little at a time, and nothing
// again that has been answered. What somebody types waits for what is asked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openFiles, playground, nothingElse, settles } from "./browser.js";
import { manyCases } from "./texts.js";

const fixture = await playground({ serviceWorkers: "allow" });
const cases = 1500, text = `${manyCases(cases)}execution:\n  target: default\n  workers: 2\n`; // of two stretches
const lines = text.split("\n").length;

/** asking is a page with a long file; `until` waits until something of a kind was asked, and gives all that was since it was last asked for. */
async function asking() {
  const page = await fixture.open("", "", () => {
    const post = Worker.prototype.postMessage;
    globalThis.asked = [];
    Worker.prototype.postMessage = function (message, ...more) {
      const { method, params } = typeof message === "string" ? JSON.parse(message) : message;
      if (method) globalThis.asked.push({ method, range: params.range, document: params.document });
      return post.call(this, message, ...more);
    };
  });
  await openFiles(page, { "long.eval.yaml": text });
  await page.waitForFunction(() => document.getElementById("case").options.length > 500);
  await page.locator("#editor .host:not([hidden]) .cm-content").focus();
  const until = async (what, from = 0) => {
    await page.waitForFunction(([what, from]) => asked.some(({ method, range }) => method.endsWith(what) && (range?.start.line ?? from) >= from), [what, from]);
    return page.evaluate(() => asked.splice(0));
  };
  return { page, until };
}

const ofMethod = (asked, what) => asked.filter(({ method }) => method.endsWith(what));
const keys = async (page, ...all) => {
  for (const key of all) await page.keyboard.press(key);
};
const folded = (page) => page.locator("#editor .host:not([hidden]) .cm-foldPlaceholder");
const count = async (locator, neededSchemas) => {
  await settles(() => locator.count(), neededSchemas);
};

test("no request is about all of a long file, and its cases are requested once", async () => {
  const { page, until } = await asking();
  const requestsBefore = await until("codeLens"); // which the page is the last to ask for
  const ofFile = () => ofMethod(requestsBefore, "playground/cases").filter(({ document }) => document.endsWith("long.eval.yaml")).length;
  assert.equal(ofFile(), 1);
  await keys(page, ...Array(30).fill("PageDown"), "Control+End");
  requestsBefore.push(...await until("codeLens", lines - 200));
  assert.ok(ofMethod(requestsBefore, "rubric/call").length > 0 && ofMethod(requestsBefore, "foldingRange").length > 1);
  for (const { method, range } of requestsBefore.filter(({ method }) => /foldingRange|codeLens|inlayHint|semanticTokens/.test(method))) {
    assert.ok(range && range.end.line - range.start.line < lines / 2, `${method} is about ${JSON.stringify(range)}`);
  }
  assert.equal(ofFile(), 1, "no other text, no other question");
  await page.keyboard.type("x");
  const typed = await until("playground/cases");
  if (!ofMethod(typed, "codeLens").length) typed.push(...await until("codeLens")); // it may be asked for first
  assert.equal(ofMethod(typed, "playground/cases").length, 1);
  await page.close();
});

test("the outline is requested as far as shown, and again after an edit", async () => {
  const { page, until } = await asking();
  await until("codeLens");
  await keys(page, "Control+Shift+O");
  const entry = (name) => page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name });
  await entry("case-0").first().waitFor();
  assert.equal(ofMethod(await until("documentSymbol"), "documentSymbol").length, 1);
  await page.locator("#filter").fill(`case-${cases - 1}`);
  await entry(`case-${cases - 1}`).waitFor();
  assert.equal(ofMethod(await until("documentSymbol"), "documentSymbol").length, 2);
  await page.locator("#editor .host:not([hidden]) .cm-content").focus();
  await keys(page, "Control+End", "PageUp", "PageUp");
  await page.waitForFunction(() => document.getElementById("case").value.startsWith("case-14"));
  assert.deepEqual(ofMethod(await until("rubric/call"), "documentSymbol"), []); // another case is shown, and the outline is the same
  await page.close();
});

test("all of a long file folds across chunk boundaries, and unfolds", async () => {
  const { page, until } = await asking();
  await until("codeLens");
  await keys(page, "Control+Alt+BracketLeft");
  await count(folded(page), 2); // the cases, and what is after them
  assert.equal(ofMethod(await until("foldingRange"), "foldingRange").filter(({ range }) => range.start.line > lines / 2).length, 1, "what is folded away is not asked about");
  await keys(page, "Control+Alt+BracketRight");
  await folded(page).first().waitFor({ state: "detached" });
  await page.close();
});

nothingElse(fixture);
