// How long things take. The figures are printed.
import { test } from "node:test";
import { playground } from "../test/browser.js";
import { manyCases } from "../test/texts.js";
import { tasks } from "../test/trace.js";

const { open, visit: walk } = await playground();

const at = (all, share) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))];
const figures = (all) => `median ${at(all, 0.5).toFixed(0)} ms, p95 ${at(all, 0.95).toFixed(0)} ms`;

/** large opens a file of 1,000 cases, and puts the caret where a letter is a fault. */
async function large(page, fault) {
  await page.locator("input[type=file]").setInputFiles([{ name: "big.eval.yaml", mimeType: "text/yaml", buffer: Buffer.from(manyCases(1000, fault)) }]);
  await page.locator(".cm-line", { hasText: "case-0" }).waitFor();
  await page.locator(".cm-line", { hasText: /expected_outcome: Resolves request 0$/ }).click();
  await page.keyboard.press("Home");
  await page.locator("#about option").nth(999).waitFor({ state: "attached" });
}

/**
 * keystrokes types a letter that makes the word a fault and takes it away, by turns,
 * and gives how long it was from each key, as the browser got it, until what is
 * found was drawn or gone. A squiggle changes with its word at once: it is not that.
 */
async function keystrokes(page, count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    await page.evaluate((faulty) => {
      const root = document.querySelector("#editor .host:not([hidden])").shadowRoot;
      const shown = () => [...root.querySelectorAll(".cm-lintRange")].some((m) => m.textContent.includes("expected_outcome"));
      if (shown() === faulty) throw new Error("what was typed last is not judged yet");
      window.took = new Promise((done) => {
        let start;
        root.addEventListener("keydown", (event) => (start = event.timeStamp), { once: true, capture: true });
        const observer = new MutationObserver(() => {
          if (shown() !== faulty) return;
          observer.disconnect();
          done(performance.now() - start);
        });
        observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
      });
    }, i % 2 === 0);
    await page.keyboard.press(i % 2 ? "Backspace" : "x");
    times.push(await page.evaluate(() => window.took));
    await page.waitForTimeout(30 * (i % 8)); // so that what is done in a pause is done as well
  }
  return times;
}

for (const [kind, fault] of [["that is in order", false], ["with a finding in each", true]]) {
  test(`a file of 1,000 cases ${kind} stays usable`, async () => {
    const page = await open();
    await large(page, fault);
    await keystrokes(page, 4);
    let times;
    const done = await tasks(page, async () => (times = await keystrokes(page, 40)));
    const long = done.filter((t) => t > 16);
    console.log(`1,000 cases ${kind}: keystroke to squiggle ${figures(times)}; of ${done.length} tasks ${long.length} took more than 16 ms of the processor, the longest ${Math.max(...done).toFixed(1)} ms`);
    await page.close();
  });
}

test("the page can be used soon", async () => {
  const cold = [], warm = [], answered = [];
  for (let i = 0; i < 5; i++) {
    const page = await walk();
    cold.push(await usable(page));
    answered.push(await page.evaluate(() => performance.now()));
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    for (let k = 0; k < 3; k++) {
      await page.reload();
      warm.push(await usable(page));
    }
    await page.context().close();
  }
  console.log(`the text can be edited: cold ${figures(cold)}; warm ${figures(warm)}; the evaluator's first answers, cold: ${figures(answered)}`);
});

/** usable is when the text could be edited, in milliseconds since the page was asked for. */
async function usable(page) {
  await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
  return page.evaluate(() => performance.getEntriesByName("usable")[0].startTime);
}
