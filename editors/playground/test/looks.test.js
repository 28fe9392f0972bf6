// The page in other pages, and in every width.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, testLayouts } from "./axe.js";
import { choose, chooseIn, openFiles, playground, nothingElse, paneShows, settles, write } from "./browser.js";
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

test("the tabs of many files with long names show that there are more", async () => {
  const page = await fixture.open();
  await page.setViewportSize({ width: 1280, height: 800 });
  await openFiles(page, Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`regression-suite-of-the-customer-support-${i}.eval.yaml`, twoCriteria])));
  const row = page.getByRole("tablist", { name: "Files" });
  await settles(() => row.getByRole("tab").count(), 8);
  await settles(() => row.evaluate((e) => e.scrollWidth > e.clientWidth && getComputedStyle(e).scrollbarWidth), "thin"); // the browser of the tests draws none
  const edges = async () => { // how the background differs between both ends, in a screenshot
    const png = (await row.screenshot()).toString("base64");
    return page.evaluate(async (data) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))])), canvas = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
      canvas.drawImage(image, 0, 0);
      const [start, end] = [3, image.width - 4].map((x) => canvas.getImageData(x, 2, 1, 1).data[0]);
      return Math.abs(start - end) < 5 ? "alike" : "differ";
    }, png);
  };
  await settles(edges, "differ"); // more files on the right
  await row.evaluate((e) => e.scrollTo(200, 0));
  await settles(edges, "alike");
  await page.close();
});

test("a message with a button stays for the user to read, and ends when the user goes on", async () => {
  const page = await fixture.open("", "", () => {
    const before = globalThis.setTimeout;
    globalThis.setTimeout = (work, delay, ...given) => (delay === 20_000 ? (globalThis.pass = work) && 0 : before(work, delay, ...given));
  });
  await openFiles(page, { "a.eval.yaml": twoCriteria, "b.eval.yaml": twoCriteria });
  await page.getByRole("tab", { name: "a.eval.yaml", selected: true }).waitFor();
  await page.getByRole("button", { name: "Close file" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  await page.locator("#tabs").getByRole("tab", { name: "Results" }).click();
  assert.ok(await undo.isVisible()); // so soon
  await page.evaluate(() => globalThis.pass()); // the 20 seconds
  assert.ok(await undo.isVisible()); // nothing was done
  await page.locator("#tabs").getByRole("tab", { name: "Score" }).click();
  await undo.waitFor({ state: "detached" });
  await page.close();
});

test("on a phone an opened row shows what is in it, and a further run does not move the table", async () => {
  const page = await fixture.open();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator("#run-all").click();
  await paneShows(page, "Done: 5 cases");
  const row = page.locator(".grid").getByRole("button", { name: "summarise-review" });
  await row.click();
  await settles(() => page.getByRole("region", { name: "Result of summarise-review" }).getByText("Why it did not pass").evaluate((e) => {
    const { left, top } = e.getBoundingClientRect();
    return e.contains(document.elementFromPoint(left + 5, top + 5));
  }), true);
  await row.click();
  await page.locator("#pane").evaluate((e) => {
    globalThis.tops = new Set();
    const table = e.querySelector(".grid").parentElement;
    new MutationObserver(() => {
      globalThis.tops.add(Math.round(table.getBoundingClientRect().top + e.scrollTop));
      globalThis.begun ||= !e.textContent.includes("Done: 5 cases");
    }).observe(e, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await page.locator("#run-all").click();
  await page.waitForFunction(() => globalThis.begun);
  await paneShows(page, "Done: 5 cases");
  await page.locator(".grid .chip").first().waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => globalThis.tops.size), 1);
  await page.close();
});

test("what a run says at its end moves no row, and the first rows are in sight", async () => {
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    const page = await fixture.open("", "", undefined, (context) => context.on("page", (opened) => opened.setViewportSize(size)));
    await page.locator("#run-all").click();
    await paneShows(page, "Done: 5 cases");
    const rows = page.locator(".grid tbody tr");
    if (size.width > 1000) await settles(() => rows.evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length >= 4), true);
    await choose(page, "Score");
    await page.getByRole("slider", { name: "faults" }).fill("9");
    await paneShows(page, "Your grades, not those of the run.");
    await choose(page, "Results");
    await rows.first().waitFor();
    await page.locator("#pane").evaluate((pane) => {
      const top = () => Math.round(pane.querySelector(".grid").getBoundingClientRect().top + pane.scrollTop);
      globalThis.tops = new Set([top()]);
      new MutationObserver(() => globalThis.tops.add(top())).observe(pane, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    await page.locator("#run-all").click();
    await paneShows(page, "The grades that summarise-review had before the run are kept");
    await settles(() => page.locator(".grid .chip").count(), 0);
    assert.equal(await page.evaluate(() => globalThis.tops.size), 1, `${size.width} pixels wide`);
    await page.close();
  }
});

test("no grade is cut at any width, and a cause that appears moves no row", async () => {
  const page = await fixture.open(), pane = page.locator("#pane");
  await page.getByRole("button", { name: "Examples", exact: true }).click();
  await page.getByRole("button", { name: "A banking agent" }).click(); // seven metrics with long names
  await settles(() => page.locator("#case").inputValue(), "checks_then_transfers");
  for (const width of [1280, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.locator("#run-all").click();
    await paneShows(page, "Done: 4 cases");
    await settles(() => page.locator(".grid tbody tr:first-child .cell-grade").count(), 7);
    await settles(() => page.locator(".cell-grade").evaluateAll((all) => all.every((e) => {
      const { left, right } = e.getBoundingClientRect(), edges = document.getElementById("pane").getBoundingClientRect();
      return left >= edges.left && right <= edges.right;
    })), true, `${width} pixels wide`);
    assert.ok(await pane.evaluate((e) => e.querySelector(".cause").getBoundingClientRect().top > e.querySelector(".grid").getBoundingClientRect().bottom));
  }
  await page.getByRole("button", { name: "See why" }).click();
  await settles(() => page.evaluate(() => document.activeElement.textContent), "Choose a judge");
  await page.close();
});

test("with a large zoom, the header can be scrolled away, and results be read", async () => {
  const page = await fixture.open();
  await page.setViewportSize({ width: 320, height: 256 }); // 400 % of 1280 by 1024
  await page.mouse.move(160, 20);
  await page.mouse.wheel(0, 1000);
  await page.getByRole("tab", { name: "Score" }).click();
  const shown = () => page.locator("#pane").evaluate((pane) => Math.min(innerHeight, pane.getBoundingClientRect().bottom) - Math.max(0, pane.getBoundingClientRect().top));
  await settles(async () => await shown() > 100, true);
  await page.getByRole("tab", { name: "Edit", exact: true }).click();
  await page.locator(".cm-line").first().click();
  await page.keyboard.type("# a note");
  await page.locator(".cm-line", { hasText: "# a note" }).waitFor();
  await page.close();
});

test("words that a visitor may not know explain themselves, by keyboard too", async () => {
  const page = await fixture.open();
  for (const [word, text] of [["hypothetical", "No run has given this verdict. It is what the grades below come to."], ["llm_judge", "A language model, the judge, reads the question and the answer and gives the grades."]]) {
    await page.getByRole("button", { name: word }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".explanation:popover-open", { hasText: text }).waitFor();
    await accessible(page);
    await page.keyboard.press("Escape");
    await settles(() => page.locator(".explanation:popover-open").count(), 0);
  }
  await chooseIn(page, "Help", "Words on this page");
  await page.getByRole("dialog", { name: "Words on this page" }).getByText("hypothetical").waitFor();
  await accessible(page);
  await page.close();
});

testLayouts("", fixture.open, async (page) => {
  await write(page, twoCriteria);
  await choose(page, "Score");
  await page.getByRole("slider", { name: "two" }).waitFor();
  await paneShows(page, "Click one of these to change the verdict:");
});

nothingElse(fixture);
