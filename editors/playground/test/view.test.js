// The pages of stored results, and the one that labels them, served by the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible } from "./axe.js";
import { open, paneShows, program, serve, settles, startBrowser } from "./browser.js";

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
  site = await serve([folder, "--addr", "127.0.0.1:0"], "view");
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
    assert.match(await page.getByRole("alert").textContent(), /This page cannot be shown: .*“Runs”/);
    await accessible(page);
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    await page.close();
  }
  const stranger = await browser.visit("", "wrong/");
  assert.match(await stranger.getByRole("alert").textContent(), /open the address that `?rubric`? has printed/);
});

test("two runs are needed for a comparison", async () => {
  const page = await visit();
  const compare = page.getByRole("button", { name: "Compare the selected runs" });
  await page.getByText("Tick two or more.").waitFor();
  await settles(() => compare.isDisabled(), true);
  await page.getByRole("checkbox").first().check();
  assert.ok(await compare.isDisabled());
  await accessible(page);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await compare.click();
  await page.getByRole("heading", { name: "Comparison of runs" }).waitFor();
  assert.deepEqual((await page.locator("main").innerText()).match(/\d\.\d*0\b/g), null, "a number ends in zeros here, and not elsewhere");
  await accessible(page);
});

test("a case that differs leads to its card in the newer run, which opens", async () => {
  const runs = ["day1.jsonl", "day2.jsonl"].map((name) => `run=${encodeURIComponent(`${path.join(folder, name)} · beta`)}`).join("&");
  const page = await visit(`compare?${runs}`);
  const differing = page.getByRole("region", { name: /Cases that differ/ });
  await differing.getByRole("cell", { name: "won" }).waitFor();
  await differing.getByRole("link", { name: "refund" }).click();
  await page.getByText(/^\S*day2\.jsonl · beta, 2 January 2026, 10:00 UTC$/).waitFor();
  const card = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "refund" }) });
  await card.getByText("Judged answer").waitFor(); // it passes, so that it is closed without the link
  const [bar, top] = [await page.getByRole("navigation").boundingBox(), await card.boundingBox()];
  assert.ok(top.y >= bar.y + bar.height, "the bar covers the card");
  await accessible(page);
});

test("runs of different files say that they have no case in common, and list none", async () => {
  const runs = [`${path.join(folder, "many.jsonl")}`, `${path.join(folder, "day2.jsonl")} · beta`].map((name) => `run=${encodeURIComponent(name)}`).join("&");
  const page = await visit(`compare?${runs}`);
  await page.getByText("No case is in both runs.").waitFor();
  await page.getByText("Only in the old run: 1. Only in the new one: 3.").or(page.getByText("Only in the old run: 3. Only in the new one: 1.")).waitFor();
  assert.equal(await page.getByText("gone").count(), 0);
  await accessible(page);
});

test("an open run says what is wrong when its file breaks, comes back, and says when the server ends", async (t) => {
  const own = mkdtempSync(path.join(tmpdir(), "broken-"));
  const results = path.join(own, "own.jsonl"), line = `${JSON.stringify({ eval_id: "a", dataset: "own", score: 1, verdict: "pass" })}\n`;
  writeFileSync(results, line);
  const server = await serve([own, "--addr", "127.0.0.1:0"], "view");
  t.after(() => rmSync(own, { recursive: true }));
  const page = await browser.visit();
  await page.goto(server.address.href + "run?run=" + encodeURIComponent(results));
  await page.getByRole("heading", { name: "1 of 1 passed" }).waitFor();
  writeFileSync(results, line + line.slice(0, 20));
  await page.getByRole("alert").filter({ hasText: /own\.jsonl: read results: line 2: it is not JSON/ }).waitFor();
  writeFileSync(results, line + line.replace('"a"', '"b"'));
  await page.getByRole("heading", { name: "2 of 2 passed" }).waitFor();
  await server.stop();
  await page.getByRole("alert").filter({ hasText: "The server has ended" }).waitFor();
  await accessible(page);
  await page.close();
});

test("on a phone, each run is a card, and the bar stays in sight", async () => {
  const page = await visit();
  await page.setViewportSize({ width: 390, height: 600 });
  for (const cell of await page.getByRole("region", { name: "Stored runs" }).locator("td").all()) {
    const box = await cell.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, await cell.textContent());
  }
  await page.mouse.wheel(0, 400);
  await settles(async () => (await page.getByRole("navigation").boundingBox()).y, 0);
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

/** stored writes an eval file of a few cases, and a run of it, in a folder of their own. */
function stored(name) {
  const at = (file = ".") => path.join(folder, name, file), ranges = "[{ score_range: [0, 4], expected_outcome: Cold }, { score_range: [5, 10], expected_outcome: Warm }]";
  mkdirSync(at("docs"), { recursive: true });
  const others = Array.from({ length: 12 }, (_, i) => `  - { id: other-${i}, expected_outcome: Greets, input: Hi, expected_output: Hello, rubrics: [{ id: hello, expected_outcome: Says “Hello” }] }\n`).join("");
  const text = `evalcases:\n${others}  - id: warm\n    expected_outcome: Is warm\n    input:\n      - { role: user, content: [{ type: text, value: Say it }, { type: file, value: docs/tone.txt }] }\n    expected_output: Welcome\n    rubrics:\n      - { id: tone, expected_outcome: Is warm, score_ranges: ${ranges} }\n`;
  writeFileSync(at("x.eval.yaml"), text);
  writeFileSync(at("docs/tone.txt"), "Be warm.");
  writeFileSync(at("reply.json"), '{"checks":[{"id":"tone","score":7,"reasoning":"It welcomes."}],"overall_reasoning":"ok"}');
  writeFileSync(at("answers.jsonl"), '{"eval_id":"warm","answer":"Welcome, friend"}\n');
  try {
    execFileSync(program, ["run", `${name}/x.eval.yaml`, "--case", "warm", "--target", `${name}/answers.jsonl`, "--judge", `cli:cat ${name}/reply.json`, "--trust", "--out", `${name}.jsonl`, "--quiet"], { cwd: folder });
  } catch (error) {
    assert.equal(error.status, 1); // no case passes
  }
  return { at, text, results: `${at()}.jsonl`, run: `run?run=${encodeURIComponent(`${at()}.jsonl`)}` };
}

/** openCase opens a case of a run in the playground, by keyboard. */
async function openCase(run, id = "warm") {
  const page = await visit(run), link = page.getByRole("link", { name: `Open in the playground: ${id}`, exact: true });
  await link.focus();
  await link.press("Enter");
  return page;
}

test("a case of a run opens in the playground, with the run's verdict, grades and answer", async () => {
  const { run, results: name } = stored("opened");
  assert.match(await (await fetch(site.address.href + run)).text(), /Open in the playground/);
  assert.doesNotMatch(await (await fetch(`${site.address.href + run}&file`)).text(), /[Pp]layground"/);
  const page = await openCase(run);
  await open(page);
  await page.locator("#status").getByText("These are the results of opened.jsonl.").waitFor();
  await paneShows(page, "borderline score 0.7 in opened.jsonl (judge: cli:cat opened/reply.json)");
  await paneShows(page, "run: 7 of 10: It welcomes.");
  await paneShows(page, /The answer that the run graded: from (opened.)?answers.jsonl/);
  await page.locator(".cm-line", { hasText: "id: warm" }).waitFor(); // far below the first line
  await settles(() => page.getByRole("tablist", { name: "Files" }).getByRole("tab").allTextContents(), ["opened/x.eval.yaml", "opened/docs/tone.txt"]);
  assert.equal(await page.locator(".chip.stale").count(), 0);
  await accessible(page);

  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("table").getByRole("button", { name: "warm" }).waitFor();
  assert.equal(await page.locator("#answer").inputValue(), "Welcome, friend", "a run grades the same answer");
  await accessible(page);
  await page.locator("#judge").selectOption("live");
  await page.getByText(`at ${site.address.host}`).waitFor();
  await page.getByText("The local server grades no typed answers").waitFor();
  await page.locator("#judge").selectOption("offline");
  await page.getByText("A run grades this answer").waitFor();
  await page.reload(); // what is only looked at is opened anew
  await open(page);
  await page.getByRole("tab", { name: "Score" }).click();
  await paneShows(page, "in opened.jsonl");

  await page.getByRole("slider", { name: "tone" }).fill("8");
  await paneShows(page, "pass score 0.8");
  await paneShows(page, "Your grades, not those of the run.");
  assert.ok(!page.url().includes("1."), "the address has no link");
  await settles(() => new URL(page.url()).hash.replace(/=.*/, ""), "#live", "an edited workspace is no longer the run's");
  const runs = page.getByRole("link", { name: "Runs", exact: true });
  await runs.focus();
  await runs.press("Enter");
  await page.getByRole("link", { name, exact: true }).waitFor();
  await page.getByRole("link", { name: "Playground", exact: true }).click();
  await open(page);
  await paneShows(page, "pass score 0.8"); // what was edited last

  const reopen = async () => {
    await page.goto(site.address.href + run);
    await page.getByRole("link", { name: "Open in the playground: warm", exact: true }).click();
    await open(page);
    await page.locator("#status").getByText("These are the results of opened.jsonl. Your work on opened/x.eval.yaml is put aside.").waitFor();
    await paneShows(page, "borderline score 0.7 in opened.jsonl");
  };
  await reopen();
  await page.getByRole("button", { name: "Bring back my work" }).click();
  await page.locator("#status").getByText("opened, with your own grades.").waitFor();
  await paneShows(page, "pass score 0.8 hypothetical Your grades");
  await page.goBack();
  await paneShows(page, "borderline score 0.7 with the grades of an earlier run");
  assert.equal(await page.getByRole("button", { name: "hypothetical" }).count(), 0);
  await reopen();
  await page.getByRole("tab", { name: "Results" }).click();
  await paneShows(page, "Your files stay as they are. rubric run FILE --out run.jsonl stores a run.");
  await page.getByRole("button", { name: "Run case warm" }).click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor();
  assert.equal(await page.locator("#status").textContent(), "", "what is said of the stored run");
  await page.getByRole("tab", { name: "Score" }).click();
  await paneShows(page, "in the last run");
  await page.close();
});

test("the playground by itself leads to the runs of the working directory", async (t) => {
  const playground = await serve(["--addr", "127.0.0.1:0"]);
  t.after(() => playground.stop());
  const page = await (await browser.visit()).context().newPage();
  await page.goto(playground.address.href);
  await open(page);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByText("No results here.").waitFor();
  await accessible(page);
  await page.goto(playground.address.origin);
  await open(page);
  assert.equal(await page.getByRole("link", { name: "Runs", exact: true }).count(), 0, "without the token");
  await page.close();
});

test("a case that has changed since its run opens with stale results", async () => {
  const { run, at, text } = stored("changed");
  writeFileSync(at("x.eval.yaml"), text.replace("expected_outcome: Is warm, score", "expected_outcome: Is kind, score"));
  const page = await openCase(run);
  await open(page);
  await page.locator("#status").getByText("The case has changed since, so they are of an older text").waitFor();
  await paneShows(page, "what it rests on has changed since");
  await page.locator(".grade .chip.stale").waitFor();
  await page.locator("#editor").getByText("Is kind").waitFor();
  await accessible(page);
  writeFileSync(at("x.eval.yaml"), text);
  writeFileSync(at("docs/tone.txt"), "Be cold."); // a file that the case names
  await page.reload();
  await open(page);
  await paneShows(page, "what it rests on has changed since");
  await page.close();
});

test("a case that cannot be opened says why, and what to do", async () => {
  const { run, at } = stored("missing");
  rmSync(at("x.eval.yaml"));
  const record = (more) => `${JSON.stringify({ eval_id: "a", dataset: "strange", score: 1, verdict: "pass", ...more })}\n`;
  writeFileSync(path.join(folder, "secret.txt"), "secret");
  for (const [file, named, why] of [["other.jsonl", {}, /do not name their eval file/], ["outside.jsonl", { eval_file: "/etc/passwd" }, /\/etc\/passwd: is not read: it is outside of/], ["above.jsonl", { eval_file: "../../../../../etc/passwd" }, /outside of/]]) {
    writeFileSync(path.join(folder, file), record(named));
    const page = await openCase(`run?run=${encodeURIComponent(path.join(folder, file))}`, "a");
    assert.match(await page.getByRole("alert").textContent(), why);
    await accessible(page);
    await page.close();
  }
  const page = await openCase(run);
  assert.match(await page.getByRole("alert").textContent(), /x\.eval\.yaml: no such file or folder; .* put it back, or start rubric view in its folder/);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  await page.close();

  const { origin, href } = site.address, asked = `?case=a&eval=secret.txt&run=${encodeURIComponent(path.join(folder, "other.jsonl"))}`;
  for (const address of [`${origin}/case.json${asked}`, `${origin}/WRONG/case.json${asked}`, `${origin}/WRONG/open${asked}`, `${href}case.json${asked}`, `${href}..%2f..%2fsecret.txt`, `${href}case.json?run=secret.txt&case=a&eval=`]) {
    const response = await fetch(address);
    assert.equal(response.status, 404, address);
    assert.doesNotMatch(await response.text(), /secret$/);
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
  await page.keyboard.down("y");
  await page.getByText("1 of 2 left for Kim").waitFor();
  await page.waitForLoadState(); // the keys are at the end of the page
  await page.keyboard.down("y"); // a key that is held grades no answer that has not been read
  await page.keyboard.up("y");
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
