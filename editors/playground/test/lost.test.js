// What a part of the page costs that could not be loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playground, nothingElse, write } from "./browser.js";
import { twoCriteria } from "./texts.js";

const fixture = await playground();

/** statusShows waits until the status line is exactly this text. */
const statusShows = (page, words) => page.waitForFunction((words) => document.getElementById("status").textContent === words, words);

test("without the background worker the page works and reports what fails", async () => {
  const page = await fixture.open("", "", () => {
    globalThis.Worker = class extends Worker {
      constructor(url, options) {
        super(/background-worker/.test(url) ? "./assets/none.js" : url, options);
      }
    };
  });
  const reason = "a part of the page could not be loaded; reload it";
  await statusShows(page, `Earlier work cannot be read: ${reason}.`);
  await page.locator("#unsaved", { hasText: `Not saved in this browser: ${reason}.` }).waitFor();
  await write(page, twoCriteria);
  await page.getByRole("tab", { name: "Problems (1)" }).waitFor();
  for (const name of ["Copy link", "Download"]) {
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await statusShows(page, "The files are copied as Markdown.");
    await page.getByRole("button", { name }).click();
    await statusShows(page, reason);
  }
  assert.equal(new URL(page.url()).hash, "");
  await page.close();
});

nothingElse(fixture, { expectedFaults: ["status of 404"] });
