// The page in other pages, and in every width.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, everywhere } from "./axe.js";
import { choose, playground, quiet, says, write } from "./browser.js";
import { faulty, two } from "./texts.js";

const there = await playground();

test("embedded pages have no header", async () => {
  const page = await there.open("", "?embed");
  assert.ok((await page.locator("header").boundingBox()).height <= 1);
  assert.equal(await page.getByRole("button", { name: "Copy link" }).count(), 0);
  await write(page, faulty);
  await choose(page, /Problems/);
  await says(page, "did you mean `weight`?");
  await accessible(page);
  await page.close();
});

everywhere("", there.open, async (page) => {
  await write(page, two);
  await choose(page, "Verdict");
  await page.getByRole("slider", { name: "two" }).waitFor();
  await says(page, "What would flip it");
});

quiet(there);
