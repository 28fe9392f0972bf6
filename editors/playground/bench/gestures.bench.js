// No gesture with a large file blocks the page. The tasks of the page's
// own thread are measured by what a piece of work takes in the same minutes that takes
// 16 ms of an idle machine: machines are busy, and not all alike.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { playground, nothingElse } from "../test/browser.js";
import { tasks } from "../test/trace.js";
import { banking, evalset, manyCases } from "../test/texts.js";

const fixture = await playground();
const folder = mkdtempSync(path.join(os.tmpdir(), "gestures-"));

/** opening opens files through the file dialog; passing them by script would add a task of the page. */
function opening(page, files) {
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  });
  return page.locator("input[type=file]").setInputFiles(paths);
}

/** until waits for a status text. */
const until = (page, fileContains, arg) => page.waitForFunction(fileContains, arg, { polling: 100, timeout: 120_000 });
const listed = (page, cases) => until(page, (count) => document.getElementById("case").options.length >= count, cases);
const tab = async (page, name) => {
  if (["prompt", "rubric", "reply", "json"].includes(name)) await page.locator('[data-tab="hood"]').click();
  await page.locator(`[data-tab="${name}"]`).click();
};
const focus = (page) => page.locator("#editor .host:not([hidden]) .cm-content").focus();
const presses = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** yardstick is the work of 16 ms, done ten times: a thousand rows that are made, and laid out. */
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
    await focus(page);
    await page.keyboard.press("Control+Home");
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
  "the outline, and typing beside it": async (page) => {
    await focus(page);
    await page.keyboard.press("Control+Shift+O");
    await until(page, () => document.querySelectorAll("#outline button").length > 20);
    await page.keyboard.type("99");
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
    await until(page, () => document.querySelectorAll("dialog li").length > 5);
    await page.locator("#search").fill("bad");
    await until(page, () => document.querySelectorAll("dialog li").length > 20);
    await page.locator("dialog button", { hasText: "Close" }).click();
  },
  "a link of it": async (page) => {
    await page.evaluate(() => (document.getElementById("status").textContent = ""));
    await page.locator("#actions button", { hasText: "Share" }).click();
    await page.locator("#menu-share button", { hasText: "Copy link" }).click();
    await until(page, () => document.getElementById("status").textContent.startsWith("The link is copied"));
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
    await until(page, () => document.querySelectorAll(".runs .grid tbody tr").length > 15);
    await page.locator("#pane button", { hasText: "Cancel" }).click();
    await until(page, () => /Done|Cancelled/.test(document.querySelector(".runs [role=status]").textContent));
  },
  "typing after a run": async (page) => {
    await focus(page);
    await presses(page, "Control+Home", "ArrowDown", "End", "x", "Backspace");
  },
};

/** wordy are so many cases with long questions. */
const wordy = (count) => manyCases(count, false).replace(/Question \d+/g, (question) => `${question}${" and what else there is to say".repeat(22)}`);

/** sets are files of so many cases; the largest, of which the evaluator takes its time, where they are asked for by LARGE=1. */
const sets = [
  { what: "1,000 cases", name: "big.eval.yaml", other: "small.eval.yaml", cases: 1000, files: { "big.eval.yaml": manyCases(1000, true), "small.eval.yaml": manyCases(2, true) } },
  { what: "10,000 cases", name: "big.eval.yaml", other: "small.eval.yaml", cases: 10_000, files: { "big.eval.yaml": manyCases(10_000, false), "small.eval.yaml": manyCases(2, true) } },
  { what: "10,000 cases with long questions", name: "big.eval.yaml", other: "small.eval.yaml", cases: 10_000, files: { "big.eval.yaml": wordy(10_000), "small.eval.yaml": manyCases(2, true) } },
  { what: "an evalset of 1,000 cases", name: "big.evalset.json", other: "test_config.json", cases: 1000, files: { "big.evalset.json": evalset(1000), "test_config.json": banking["test_config.json"] } },
];

/**
 * measured is how many tasks there are while something is done, how many of them take
 * longer than the yardstick, and the longest by it. What has one is done anew, twice at
 * most: a long task of the page's is long each time, and one of the machine's is not.
 */
async function measured(page, work, ready = async () => page) {
  const yards = async () => (await tasks(page, () => yardstick(page))).sort((a, b) => b - a).slice(0, 10);
  let best;
  for (let i = 0; i < 3 && !(best?.longest <= 1); i++) {
    page = await ready();
    const all = await yards();
    const elapsed = await tasks(page, async () => {
      await work(page);
      await page.waitForTimeout(700); // so that what waits for a pause is done as well
    });
    all.push(...await yards());
    const yard = all.sort((a, b) => a - b)[all.length >> 1], longest = Math.max(...elapsed) / yard;
    if (!(best?.longest <= longest)) best = { count: elapsed.length, long: elapsed.filter((ms) => ms > yard).length, longest };
  }
  return best;
}

for (const set of sets.filter(({ cases }) => cases <= 1000 || process.env.LARGE)) {
  test(`with ${set.what} the page is not held up`, async () => {
    const all = [];
    const measure = async (what, ...how) => {
      const { count, long, longest } = await measured(...how);
      console.log(`${set.what}, ${what}: ${count} tasks, ${long} longer than the yardstick, the longest ${longest.toFixed(2)} of it`);
      all.push({ what, count, long, longest });
    };
    let page;
    const newPage = async () => {
      await page?.context().close();
      return (page = await fixture.open());
    };
    await measure("opening", undefined, async (page) => {
      await opening(page, set.files);
      await tab(page, set.name);
      await listed(page, Math.min(set.cases, 1000));
    }, newPage);
    for (const [what, work] of Object.entries(gestures)) await measure(what, page, () => work(page, set));
    await gestures["a link of it"](page);
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText())).hash.slice(1);
    for (const [what, fragment] of [["the page's start", ""], ["opening a link of it", link]]) {
      let secondPage;
      await measure(what, page, async () => (secondPage = await fixture.open(fragment)), async () => (await secondPage?.context().close(), page));
      await secondPage.context().close();
    }
    const sum = (of) => all.reduce((total, m) => total + m[of], 0);
    console.log(`${set.what}: ${sum("count")} tasks, ${sum("long")} longer than the yardstick, the longest ${Math.max(...all.map((m) => m.longest)).toFixed(2)} of it`);
    assert.ok(sum("count") > 500);
    await page.context().close();
  });
}

nothingElse(fixture);
