// What a part of the page costs that could not be loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playground, quiet, write } from "./browser.js";
import { two } from "./texts.js";

const there = await playground();

/** said waits until the page says this about itself, and no more. */
const said = (page, words) => page.waitForFunction((words) => document.getElementById("status").textContent === words, words);

test("without the background worker the page works and reports what fails", async () => {
  const page = await there.open("", "", () => {
    globalThis.Worker = class extends Worker {
      constructor(url, options) {
        super(/background-worker/.test(url) ? "./assets/none.js" : url, options);
      }
    };
  });
  const why = "a part of the page could not be loaded; reload it";
  await said(page, `Earlier work cannot be read: ${why}.`);
  await page.locator("#unsaved", { hasText: `Not saved in this browser: ${why}.` }).waitFor();
  await write(page, two);
  await page.getByRole("tab", { name: "Problems (1)" }).waitFor();
  for (const name of ["Copy link", "Download"]) {
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await said(page, "The files are copied as Markdown.");
    await page.getByRole("button", { name }).click();
    await said(page, why);
  }
  assert.equal(new URL(page.url()).hash, "");
  await page.close();
});

quiet(there, { meant: ["status of 404"] });
