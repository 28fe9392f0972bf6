// The pages of stored results, and the one that labels them, served by the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible } from "./axe.js";
import { program, serve, settles, startBrowser } from "./browser.js";

let site, browser, folder;
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "view-"));
  for (const day of [1, 2]) { // alpha gets worse, and beta better
    const records = ["alpha", "beta"].map((target, i) => {
      const pass = (day + i) % 2 === 1;
      return { eval_id: "refund", dataset: "bank", target, judge: "j", timestamp: `2026-01-0${day}T10:00:00Z`, score: Number(pass), verdict: pass ? "pass" : "fail" };
    });
    writeFileSync(path.join(folder, `day${day}.jsonl`), records.map((r) => `${JSON.stringify(r)}\n`).join(""));
  }
  writeFileSync(path.join(folder, "many.jsonl"), ["a", "b", "c"].map((id) => `${JSON.stringify({ eval_id: id, dataset: "many", score: Number(id !== "b"), verdict: id === "b" ? "fail" : "pass" })}\n`).join(""));
  site = await serve([folder], "view");
  browser = await startBrowser(site.address);
});
after(async () => {
  await browser.close();
  await site.stop();
  rmSync(folder, { recursive: true });
});

const visit = (name = "") => browser.visit("", site.address.pathname.slice(1) + name);

test("each target has a trend of its own, with its figures in a table", async () => {
  const page = await visit();
  for (const [target, figures] of [["alpha", ["100 %", "0 %"]], ["beta", ["0 %", "100 %"]]]) {
    const trend = page.getByRole("region", { name: `bank over time: ${target}, j` });
    assert.deepEqual(await trend.locator("td.num").allTextContents(), figures);
    assert.equal(await trend.locator("circle").count(), 2);
  }
  await accessible(page);
});

test("a page that cannot be shown says why, and leads to the runs", async () => {
  for (const name of ["run?run=gone.jsonl", "run?run=gone.jsonl&file", "compare", "nowhere"]) {
    const page = await visit(name);
    assert.match(await page.getByRole("alert").textContent(), /This page cannot be shown: .*“All runs”/);
    await accessible(page);
    await page.getByRole("link", { name: "All runs" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    await page.close();
  }
  const stranger = await browser.visit("", "wrong/");
  assert.match(await stranger.getByRole("alert").textContent(), /open the address that `?rubric view`? has printed/);
});

test("two runs are needed for a comparison", async () => {
  const page = await visit();
  const compare = page.getByRole("button", { name: "Compare the selected runs" });
  await page.getByText("Tick two or more.").waitFor();
  await compare.click();
  assert.match(await page.getByRole("alert").textContent(), /tick two or more under “All runs”/);
  await page.goBack();
  await page.getByRole("checkbox").first().check();
  await compare.click();
  assert.match(await page.getByRole("alert").textContent(), /tick two or more under “All runs”/);
  await page.goBack();
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await compare.click();
  await page.getByRole("heading", { name: "Comparison of runs" }).waitFor();
  assert.deepEqual((await page.locator("main").innerText()).match(/\d\.\d*0\b/g), null, "a number ends in zeros here, and not elsewhere");
  await accessible(page);
});

test("a run lists what does not pass first, and can show it alone", async () => {
  const page = await visit("run?run=" + encodeURIComponent(path.join(folder, "many.jsonl")));
  const rows = page.getByRole("table", { name: "The cases of many" }).getByRole("row").filter({ has: page.getByRole("link") });
  assert.deepEqual(await rows.getByRole("link").allTextContents(), ["b", "a", "c"]);
  assert.equal(await page.getByRole("article").count(), 3);
  await page.getByRole("checkbox", { name: "Hide the cases that pass" }).check();
  assert.deepEqual(await rows.getByRole("link").allTextContents(), ["b"]);
  assert.equal(await page.getByRole("article").count(), 1);
  await accessible(page);
});

test("a run's cases are sorted and searched by keyboard, on the server and in a saved file", async () => {
  const usage = (cost_usd, duration_ms) => ({ token_usage: { input: 1, output: 1 }, cost_usd, duration_ms });
  const records = [
    { eval_id: "case-10", score: 0.25, verdict: "fail", question: "When do you open?", reasons: ["score 0.25 is below 0.8"], trace_summary: usage(0.1, 900) },
    { eval_id: "case-2", score: 0.3, verdict: "fail", question: "Where is my refund?", reasons: ["gate `polite` is not met"], trace_summary: usage(0.02, 12_000) },
    { eval_id: "case-1", score: 1, verdict: "pass", question: "Is a REFUND free?" },
    { eval_id: "case-3", verdict: "ungraded", question: "Hello", reasons: ["no answer"] },
  ];
  writeFileSync(path.join(folder, "sorted.jsonl"), records.map((r) => `${JSON.stringify({ dataset: "sorted", ...r })}\n`).join(""));
  const name = "run?run=" + encodeURIComponent(path.join(folder, "sorted.jsonl"));
  const saved = path.join(folder, "saved.html");
  writeFileSync(saved, await (await fetch(site.address.href + name + "&file")).text());
  for (const address of [site.address.href + name, `file://${saved}`]) {
    const page = await visit();
    await page.goto(address);
    const table = page.getByRole("table", { name: "The cases of sorted" });
    const shown = () => table.getByRole("link").allTextContents();
    const ordered = (...numbers) => settles(shown, numbers.map((n) => `case-${n}`));
    await ordered(10, 2, 3, 1);
    for (const [head, up, down] of [["Verdict", [10, 2, 3, 1], [1, 3, 10, 2]], ["Score", [10, 2, 1, 3], [1, 2, 10, 3]], ["Case", [1, 2, 3, 10], [10, 3, 2, 1]], ["Cost", [2, 10, 3, 1], [10, 2, 3, 1]], ["Latency", [10, 2, 3, 1], [2, 10, 3, 1]]]) {
      await table.getByRole("button", { name: head }).focus();
      for (const [key, sort, want] of [["Enter", "ascending", up], ["Space", "descending", down]]) {
        await page.keyboard.press(key);
        await ordered(...want);
        assert.equal(await table.getByRole("columnheader", { name: head }).getAttribute("aria-sort"), sort);
      }
    }
    assert.equal(await table.locator("[aria-sort]").count(), 1);
    await accessible(page);

    const search = page.getByRole("searchbox", { name: "Search ids, questions and reasons" });
    for (const [words, count, ...found] of [["refund", "2 of 4 cases", 2, 1], ["gate is not", "1 of 4 cases", 2], ["CASE-3", "1 of 4 cases", 3], ["nowhere", "0 of 4 cases"]]) {
      await search.fill(words);
      await ordered(...found);
      assert.equal(await page.getByRole("status").textContent(), count);
      assert.equal(await page.getByRole("article").count(), found.length);
    }
    await accessible(page);
    await search.fill("refund");
    await page.getByRole("checkbox", { name: "Hide the cases that pass" }).check();
    await ordered(2);
    assert.equal(await page.getByRole("status").textContent(), "1 of 4 cases");
    await page.reload(); // as a page does when results change
    await ordered(2);
    await page.getByRole("checkbox", { name: "Hide the cases that pass" }).uncheck();
    await search.press("Escape");
    await ordered(2, 10, 3, 1);
    assert.equal(await page.getByRole("status").textContent(), "");
    for (const width of [390, 768]) {
      await page.setViewportSize({ width, height: 900 });
      const inside = (box) => box !== null && box.x >= 0 && box.x + box.width <= width;
      for (const button of await table.getByRole("button").all()) assert.ok(inside(await button.boundingBox()), `${await button.textContent()} at ${width}`);
      for (const cell of await table.getByRole("cell").all()) assert.ok(await cell.evaluate((e) => e.scrollWidth <= e.clientWidth), `${await cell.textContent()} at ${width}`);
      await accessible(page);
    }
    await page.close();
  }
});

test("answers are labelled by keyboard, and the judge's grade comes after", async (t) => {
  const at = (name) => path.join(folder, "labels", name);
  mkdirSync(at(""));
  writeFileSync(at("x.eval.yaml"), ["a", "b"].map((id) => `  - { id: ${id}, expected_outcome: O, input: Q, rubrics: [{ id: hello, expected_outcome: Mentions “Hello” }] }\n`).join("").replace(/^/, "evalcases:\n"));
  writeFileSync(at("answers.jsonl"), '{"eval_id":"a","answer":"Hello"}\n{"eval_id":"b","answer":"Hello you"}\n');
  execFileSync(program, ["run", at("x.eval.yaml"), "--target", at("answers.jsonl"), "--out", at("r.jsonl"), "--quiet"]);
  const labels = await serve([at("x.eval.yaml"), "--run", at("r.jsonl"), "--labeller", "Kim"], "label");
  t.after(() => labels.stop());
  const page = await (await browser.visit()).context().newPage();
  await page.goto(labels.address.href);
  await page.getByText("2 of 2 left for Kim").waitFor();
  assert.equal(await page.getByText("literal check").count(), 0);
  await accessible(page);
  await page.keyboard.press("y");
  await page.getByText("1 of 2 left for Kim").waitFor();
  await page.waitForLoadState(); // the keys are at the end of the page
  assert.match(await page.getByRole("status").textContent(), /satisfied\. The judge: satisfied: .*literal check/);
  await page.keyboard.press("u");
  await page.waitForURL(/item=/);
  await page.keyboard.press("n");
  await page.getByRole("status").filter({ hasText: "not satisfied. The judge" }).waitFor();
  await page.reload();
  await page.keyboard.press("y");
  await page.getByText("All is labelled").waitFor();
  await accessible(page);
  assert.equal(readFileSync(at("x.labels.yaml"), "utf8").match(/satisfied: (true|false)/g).join(), "satisfied: true,satisfied: false,satisfied: true");
});
