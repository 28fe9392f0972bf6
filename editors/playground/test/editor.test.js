// A text is edited, with all that the language server knows of it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { choose, pane, playground, quiet, says, write } from "./browser.js";
import { faulty, two } from "./texts.js";

const there = await playground();

describe("the editor", () => {
  let page;
  before(async () => {
    page = await there.open();
    await write(page, faulty);
  });
  after(() => page.close());

  test("a fault is marked where it is", async () => {
    const mark = page.locator(".cm-lintRange-warning", { hasText: "weigth" });
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
    await page.getByTitle("Fold line", { exact: true }).first().waitFor();
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

test("the outline goes to a place, by the keyboard too", async () => {
  const page = await there.open();
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

quiet(there);
