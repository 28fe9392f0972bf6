// What somebody does with a large file never holds the page up. The tasks of the page's
// own thread are measured by what a piece of work takes in the same minutes that takes
// 16 ms of an idle machine: machines are busy, and not all alike.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { playground, quiet } from "./browser.js";
import { tasks } from "./trace.js";
import { banking, evalset, many } from "./texts.js";

const there = await playground();
const folder = mkdtempSync(path.join(os.tmpdir(), "gestures-"));

/** opening opens files as somebody does who chooses them; what is passed on by the test itself would be a task of the page. */
function opening(page, files) {
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  });
  return page.locator("input[type=file]").setInputFiles(paths);
}

/** until waits for what is soon told. */
const until = (page, holds, arg) => page.waitForFunction(holds, arg, { polling: 100, timeout: 120_000 });
const listed = (page, cases) => until(page, (count) => document.getElementById("case").options.length >= count, cases);
const tab = (page, name) => page.locator(`[data-tab="${name}"]`).click();
const focus = (page) => page.locator("#editor .host:not([hidden]) .cm-content").focus();
const presses = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** yardstick is the work of 16 ms, done some times: a thousand rows that are made, and laid out. */
const yardstick = (page) => page.evaluate(async () => {
  for (let i = 0; i < 10; i++) {
    await new Promise((done) => setTimeout(() => {
      const rows = document.createElement("div");
      rows.style.cssText = "position: absolute; visibility: hidden; width: 600px";
      for (let k = 0; k < 1000; k++) {
        const row = document.createElement("div");
        row.className = "row";
        row.append(`row ${k} of the yardstick `, document.createElement("b"));
        rows.append(row);
      }
      document.body.append(rows);
      rows.offsetHeight;
      rows.remove();
      done();
    }));
  }
});

/** gestures are what is done with a file, in this order. */
const gestures = {
  "going to another file and back": async (page, { name, other }) => {
    for (const to of [other, name, other, name]) await tab(page, to);
  },
  "scrolling": async (page) => {
    const { x, y } = await page.locator("#editor").boundingBox();
    await page.mouse.move(x + 100, y + 100);
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i % 8 === 7 ? 8000 : 300);
  },
  "going through by keys": async (page) => {
    await focus(page);
    await presses(page, "Control+End", "Control+Home", ...Array(10).fill("PageDown"), ...Array(20).fill("ArrowDown"), "Control+Home");
  },
  "each pane": async (page) => {
    for (const pane of ["run", "problems", "prompt", "rubric", "reply", "json", "verdict"]) {
      await tab(page, pane);
      await page.waitForTimeout(100); // so that it is shown
    }
  },
  "another case": (page, { cases }) => page.locator("#case").selectOption({ index: Math.min(cases, 1000) >> 1 }),
  "giving grades": async (page) => {
    await page.locator("#pane input[type=checkbox], #pane input[type=range]").first().focus();
    await presses(page, ...Array(6).fill("Space"));
    const slider = page.locator("#pane input[type=range]").first();
    if (!(await slider.count())) return;
    await slider.focus();
    await presses(page, ...Array(5).fill("ArrowLeft"), ...Array(5).fill("ArrowRight"));
  },
  "the outline": async (page) => {
    await focus(page);
    await page.keyboard.press("Control+Shift+O");
    await until(page, () => document.querySelectorAll("#outline button").length > 20);
    await page.keyboard.type("99");
  },
  "typing beside the outline": async (page) => {
    await focus(page);
    await presses(page, "Control+Home", "ArrowDown", "End");
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press(i % 2 ? "Backspace" : "x");
      await page.waitForTimeout(60 * (i % 5)); // so that what is done in a pause is done as well
    }
    await page.locator("#filter").focus();
    await page.keyboard.press("Escape");
  },
  "folding all, and unfolding": async (page) => {
    await focus(page);
    await page.keyboard.press("Control+Alt+BracketLeft");
    await page.waitForTimeout(500); // so that what is on the screen then is asked for
    await page.keyboard.press("Control+Alt+BracketRight");
  },
  "the examples": async (page) => {
    await page.locator("#actions button", { hasText: "Examples" }).click();
    await until(page, () => document.querySelectorAll("dialog li").length > 20);
    await page.keyboard.type("bad");
    await page.locator("dialog button", { hasText: "Close" }).click();
  },
  "a link of it": async (page) => {
    await page.locator("#actions button", { hasText: "Copy link" }).click();
    await until(page, () => document.getElementById("said").textContent.startsWith("The link is copied"));
  },
  "cutting all, and pasting it": async (page, { cases }) => {
    await focus(page);
    await presses(page, "Control+A", "Control+X");
    await listed(page, 0);
    await page.keyboard.press("Control+V");
    await listed(page, Math.min(cases, 1000));
  },
  "taking that back, and doing it again": async (page, { cases }) => {
    await presses(page, "Control+Z", "Control+Y");
    await listed(page, Math.min(cases, 1000));
  },
  "running cases": async (page) => {
    await tab(page, "run");
    await page.locator("#pane button", { hasText: "Run all" }).click();
    await until(page, () => document.querySelectorAll(".runs section").length > 15);
    await page.locator("#pane button", { hasText: "Cancel" }).click();
    await until(page, () => /Done|Cancelled/.test(document.querySelector(".runs [role=status]").textContent));
  },
  "typing after a run": async (page) => {
    await focus(page);
    await presses(page, "Control+Home", "ArrowDown", "End", "x", "Backspace");
  },
};

/** sets are files of so many cases; the largest, of which the evaluator takes its time, where it is asked for by LARGE=1. */
const sets = [
  { what: "1,000 cases", name: "big.eval.yaml", other: "small.eval.yaml", cases: 1000, files: { "big.eval.yaml": many(1000, true), "small.eval.yaml": many(2, true) } },
  { what: "10,000 cases", name: "big.eval.yaml", other: "small.eval.yaml", cases: 10_000, files: { "big.eval.yaml": many(10_000, false), "small.eval.yaml": many(2, true) } },
  { what: "an evalset of 1,000 cases", name: "big.evalset.json", other: "test_config.json", cases: 1000, files: { "big.evalset.json": evalset(1000), "test_config.json": banking["test_config.json"] } },
];

for (const set of sets.filter(({ cases }) => cases <= 1000 || process.env.LARGE)) {
  test(`with ${set.what} the page is not held up`, async () => {
    const page = await there.open();
    const measured = [];
    const measure = async (page, what, work) => {
      measured.push([what, await tasks(page, async () => {
        await work();
        await page.waitForTimeout(700); // so that what waits for a pause is done as well
      })]);
    };
    const yards = async () => (await tasks(page, () => yardstick(page))).sort((a, b) => b - a).slice(0, 10);
    const all = await yards();
    await measure(page, "opening", async () => {
      await opening(page, set.files);
      await tab(page, set.name);
      await listed(page, Math.min(set.cases, 1000));
    });
    for (const [what, work] of Object.entries(gestures)) await measure(page, what, () => work(page, set));
    const link = new URL(page.url()).hash.slice(1), others = [];
    for (const [what, fragment] of [["the page's start", ""], ["opening the link", link]]) {
      await measure(page, what, async () => others.push(await there.open(fragment)));
    }
    for (const other of others) await other.context().close();
    all.push(...await yards());
    const yard = all.sort((a, b) => a - b)[all.length >> 1];
    console.log(`with ${set.what}; the yardstick took ${yard.toFixed(1)} ms`);
    for (const [what, took] of measured) {
      const long = took.filter((ms) => ms > yard);
      console.log(`${what.padEnd(38)} ${String(took.length).padStart(5)} tasks, ${String(long.length).padStart(2)} longer than it, the longest ${(Math.max(...took) / yard).toFixed(2)} of it`);
    }
    const [start, opened] = measured.slice(-2).map(([, took]) => took.filter((ms) => ms > yard).length);
    assert.ok(opened <= start + 6, `${opened} tasks of opening a link are longer than the yardstick, and ${start} of the page's start`);
    for (const [what, took] of measured.slice(0, -2)) assert.ok(Math.max(...took) < 4 * yard, `${what}: ${Math.max(...took)} ms, and the yardstick ${yard} ms`);
    const whole = measured.slice(0, -2).flatMap(([, took]) => took);
    assert.ok(whole.length > 500 && whole.filter((ms) => ms > yard).length < whole.length / 100, `${whole.filter((ms) => ms > yard).length} of ${whole.length} tasks are longer than the yardstick`);
    await page.close();
  });
}

quiet(there);
