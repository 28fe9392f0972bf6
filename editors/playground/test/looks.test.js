// The page in other pages, and in every width.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, testLayouts } from "./axe.js";
import { choose, playground, nothingElse, paneShows, write } from "./browser.js";
import { faulty, twoCriteria } from "./texts.js";

const fixture = await playground();

test("embedded pages have no header", async () => {
  const page = await fixture.open("", "?embed");
  assert.ok((await page.locator("header").boundingBox()).height <= 1);
  assert.equal(await page.getByRole("button", { name: "Share" }).count(), 0);
  await write(page, faulty);
  await choose(page, /Problems/);
  await paneShows(page, "did you mean weight?");
  await accessible(page);
  await page.close();
});

testLayouts("", fixture.open, async (page) => {
  await write(page, twoCriteria);
  await choose(page, "Score");
  await page.getByRole("slider", { name: "two" }).waitFor();
  await paneShows(page, "What would flip it");
});

nothingElse(fixture);
