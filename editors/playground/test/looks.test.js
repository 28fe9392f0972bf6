// The page in other pages, and in every width.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, testLayouts } from "./axe.js";
import { choose, playground, nothingElse, paneShows, settles, write } from "./browser.js";
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

test("on a phone the verdict stays on the screen, and all that is touched is 44 pixels high", async () => {
  const page = await fixture.open();
  await page.setViewportSize({ width: 320, height: 700 });
  await page.getByRole("button", { name: "Set faults to 7: pass" }).click();
  await paneShows(page, "Set faults to 6: fail");
  await page.getByRole("slider", { name: "faults" }).focus(); // further down
  await settles(() => page.locator(".outcome .verdict").evaluate((verdict) => {
    const { left, top, width, height } = verdict.getBoundingClientRect();
    return `${verdict.textContent} ${document.elementFromPoint(left + width / 2, top + height / 2) === verdict ? "in sight" : "hidden"}`;
  }), "pass in sight");
  const small = () => page.evaluate(() => [...document.querySelectorAll("button, select, input, .results a")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5 && !e.closest("label, .cm-panel")).map((e) => e.textContent || e.id));
  for (const label of ["Score", "Problems", "Results", "Judge prompt", "Reply", "JSON", "Edit"]) {
    await choose(page, label);
    await settles(small, [], label);
  }
  await page.close();
});

test("at 1024 pixels the header is one row", async () => {
  const page = await fixture.open();
  await page.setViewportSize({ width: 1024, height: 768 });
  const top = (where) => page.locator(where).evaluate((e) => e.getBoundingClientRect().top < 40);
  await settles(() => Promise.all(["h1", ".tagline", "#actions", "#run-all"].map(top)), [true, true, true, true]);
  await page.close();
});

test("at 768 pixels all tabs are in sight, and in forced colours a link has no frame", async () => {
  const page = await fixture.open();
  await page.setViewportSize({ width: 768, height: 800 });
  await page.emulateMedia({ forcedColors: "active" });
  await settles(() => page.locator("#tabs").evaluate((e) => e.scrollWidth <= e.clientWidth), true);
  await settles(() => page.locator("#pane button.link").first().evaluate((e) => getComputedStyle(e).borderColor === getComputedStyle(document.body).backgroundColor), true);
  await page.close();
});

testLayouts("", fixture.open, async (page) => {
  await write(page, twoCriteria);
  await choose(page, "Score");
  await page.getByRole("slider", { name: "two" }).waitFor();
  await paneShows(page, "Click one of these to change the verdict:");
});

nothingElse(fixture);
