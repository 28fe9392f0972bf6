// What a part of the page costs that could not be loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, playground, nothingElse, write, share } from "./browser.js";
import { twoCriteria } from "./texts.js";

const fixture = await playground({ serviceWorkers: "allow" });

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
    await share(page, "Copy as Markdown");
    await statusShows(page, "The files are copied as Markdown.");
    await share(page, name);
    await statusShows(page, reason);
  }
  assert.equal(new URL(page.url()).hash, "");
  await page.close();
});

test("an evaluator that cannot be loaded says why, and Retry loads it without losing the text", async () => {
  const page = await fixture.visit("", "", undefined, (context) => context.route(/\.wasm$/, (route) => route.fulfill({ status: 503 })));
  await page.getByRole("alert").filter({ hasText: "The evaluator could not be loaded: the module could not be fetched: 503 Service Unavailable." }).waitFor();
  await write(page, twoCriteria);
  await page.context().unroute(/\.wasm$/);
  await page.context().route(/\.wasm$/, (route) => route.abort());
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("alert").filter({ hasText: "The evaluator could not be loaded: Failed to fetch." }).waitFor();
  await page.context().unroute(/\.wasm$/);
  await page.getByRole("button", { name: "Retry" }).click();
  await open(page);
  await page.getByRole("slider", { name: "two" }).waitFor();
  await page.locator(".cm-line", { hasText: "Says it kindly" }).waitFor();
  await page.close();
});

nothingElse(fixture, { expectedFaults: ["status of 404", "status of 503", "net::ERR_FAILED"] });
