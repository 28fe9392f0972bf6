// Cases are judged without a model: by the offline judge, by recorded judgements, by their own arithmetic.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { accessible } from "../axe.js";
import { choose, pane, playground, nothingElse, settles, write } from "../browser.js";
import { cases, ok } from "./cases.js";
import { ran } from "./command.js";
import { model, reply } from "./model.js";
import { openRunPane, press, shown, status } from "./pane.js";

const fixture = await playground();

test("the offline judge judges all cases, as the command line does, and hints and the Verdict tell of it", async () => {
  const page = await openRunPane(fixture.open);
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases");
  assert.deepEqual(await shown(page), await ran({ "x.eval.yaml": cases }, ["--judge", "offline"]));
  await page.locator(".cm-hint", { hasText: /satisfied/ }).first().waitFor();
  const [a] = await shown(page);
  await choose(page, "Score");
  await pane(page).filter({ hasText: `${a.verdict} score ${Math.round(a.score * 1000) / 1000}` }).waitFor();
  await page.close();
});

test("results are a table with failures first, which can be filtered, searched and sorted; a row opens the case", async () => {
  const few = "evalcases:\n" + ["apple", "pear", "plum"].map((fruit, i) => `  - id: ${fruit}\n    expected_outcome: Names it\n    input: Which?\n    expected_output: A ${i === 1 ? "stone" : fruit}\n    rubrics:\n      - { id: named, expected_outcome: 'Mentions "${fruit}"' }\n      - { id: tone, expected_outcome: Is warm, required: false${i === 2 ? "" : `, weight: 0`} }\n`).join("");
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": few } });
  await press(page, "Run all 3 cases");
  await status(page, "Done: 3 cases: ");
  const table = page.getByRole("region", { name: "Table of results" }), ids = () => table.locator("tbody th").allTextContents();
  await settles(async () => (await ids())[0], "pear"); // it fails
  await settles(() => table.locator("thead th").allTextContents(), ["Verdict", "Case", "Score, 0 to 1", "named", "tone"]);
  await page.getByRole("note").filter({ hasText: "needs a model" }).waitFor(); // once, however many criteria do
  await settles(() => page.getByRole("note").filter({ hasText: "needs a model" }).count(), 1);
  await table.getByRole("button", { name: "Case", exact: true }).click();
  await settles(ids, ["apple", "pear", "plum"]);
  await table.getByRole("button", { name: "Case", exact: true }).click();
  await settles(ids, ["plum", "pear", "apple"]);
  await page.getByRole("searchbox", { name: "Search the results" }).fill("appl");
  await settles(ids, ["apple"]);
  await page.getByRole("searchbox", { name: "Search the results" }).fill("");
  await page.getByRole("button", { name: /^fail 1$/ }).click();
  await settles(ids, ["pear"]);
  await table.getByRole("button", { name: "pear" }).click();
  await table.getByRole("region", { name: "Result of pear" }).getByText("A stone", { exact: true }).first().waitFor({ state: "attached" });
  await accessible(page);
  await table.getByRole("button", { name: "Show in Score" }).click();
  await pane(page).getByText("What would flip it").waitFor();
  await settles(() => page.getByRole("combobox", { name: "Case" }).inputValue(), "pear");
  await page.close();
});

test("what a case depends on runs first, and missing variables of the environment are named", async () => {
  const graded = "expected_output: hello, criteria: G, assertions: [{ type: contains, value: hello }]";
  const chain = `tests:\n  - { id: last, input: Hi, depends_on: [first], ${graded} }\n  - { id: first, input: Hi, ${graded} }\n  - { id: open, input: "\${{ NOBODY }}", ${graded} }\n`;
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": chain } });
  await press(page, "Run case last");
  await status(page, "Done: 2 cases: 2 pass");
  await page.locator(".runs").getByText("the case `first` is run too, because `last` depends on it").waitFor();
  assert.deepEqual((await shown(page)).map((r) => r.eval_id), ["first", "last"]);
  await press(page, "Run all 3 cases");
  await status(page, "Done: 3 cases: 2 pass, 1 ungraded");
  await page.locator(".runs").getByText("`open` is not graded: it needs `NOBODY` of the environment, and there is none here").waitFor();
  await page.close();
});

test("an answer that is typed is judged, and a recorded one, and one that is missing fails", async () => {
  const files = { "x.eval.yaml": cases, "said.jsonl": '{"id": "a", "answer": "It is said"}\n' };
  const page = await openRunPane(fixture.open, { files });
  await page.locator("#answers").selectOption("typed");
  await page.getByRole("textbox", { name: "Answer" }).fill("nothing");
  await press(page, "Run case a");
  await status(page, "Done: 1 case");
  assert.equal((await shown(page))[0].candidate_answer, "nothing");
  await page.locator("#answers").selectOption("said.jsonl");
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases");
  assert.deepEqual((await shown(page)).slice(1), await ran(files, ["--judge", "offline", "--target", "said.jsonl"]));
  await pane(page).getByText("no answer is recorded for the case").first().waitFor();
  await choose(page, "Score");
  await pane(page).locator(".summary", { hasText: "Last run" }).waitFor();
  await settles(() => page.locator(".chip.stale").count(), 0);
  await page.getByRole("tab", { name: "said.jsonl" }).click();
  await write(page, files["said.jsonl"].replace("It is said", "It is not"));
  await page.getByRole("tab", { name: "x.eval.yaml" }).click();
  await pane(page).locator(".summary", { hasText: "stale what it rests on has changed since" }).waitFor();
  await page.close();
});

for (const measured of ["banking.evalset.json", "banking.evalset_result.json"]) {
  test(`${measured} alone is measured, by the configuration that is open beside it`, async () => {
    const files = Object.fromEntries([measured, "test_config.json"].map((name) => [name, readFileSync(`../../testdata/quickstart/banking/${name}`, "utf8")]));
    const page = await openRunPane(fixture.open, { files });
    await press(page, /Run all \d+ cases/);
    await status(page, "Done");
    assert.deepEqual(await shown(page), await ran(files, ["--judge", "offline"]));
    await page.close();
  });
}

test("recorded judgements are found by the same keys as the command line's, and a miss says so", async () => {
  model.answer = (question, response) => reply(response, ok(question));
  const recording = path.join(mkdtempSync(path.join(os.tmpdir(), "tape-")), "tape.jsonl");
  await ran({ "x.eval.yaml": cases }, ["--judge", "openai:m", "--no-cache", "--record", recording]);
  const files = { "x.eval.yaml": cases, "tape.jsonl": readFileSync(recording, "utf8") };
  const page = await openRunPane(fixture.open, { files });
  await page.locator("#judge").selectOption("replay:tape.jsonl");
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases: 2 pass");
  assert.deepEqual(await shown(page), await ran(files, ["--replay", "tape.jsonl"]));
  await page.close();
  const missing = { ...files, "x.eval.yaml": cases.replaceAll("Says more", "Says even more") };
  const otherPage = await openRunPane(fixture.open, { files: missing });
  await otherPage.locator("#judge").selectOption("replay:tape.jsonl");
  await press(otherPage, "Run all 2 cases");
  await status(otherPage, "1 pass, 1 ungraded");
  await pane(otherPage).getByText("no recorded answer for the question").first().waitFor();
  assert.deepEqual(await shown(otherPage), await ran(missing, ["--replay", "tape.jsonl"]));
  await otherPage.close();
});

for (const [name, others, progress] of [["support.eval.yaml", ["judge.jsonl"], "Done: 5 cases"], ["banking.evalset.json", ["banking.evalset_result.json", "test_config.json"], "Done: 3 cases"]]) {
  test(`${name} has the records that all hosts write`, async () => {
    const read = (name) => readFileSync(`../../testdata/hosts/${name}`, "utf8");
    const page = await openRunPane(fixture.open, { files: Object.fromEntries([name, ...others].map((name) => [name, read(name)])) });
    if (others.includes("judge.jsonl")) await page.locator("#judge").selectOption("replay:judge.jsonl");
    await press(page, /Run all \d cases/);
    await status(page, progress);
    const want = read(`${name.split(".")[0]}.records.jsonl`).trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(await shown(page), want);
    await page.close();
  });
}

test("cases with errors are left out, and an error outside of cases keeps all from running", async () => {
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": `${cases}  - { id: c, expected_outcome: C, input: C, rubric: [X] }\n` } });
  await press(page, /Run all \d cases/);
  await status(page, /1 left out/);
  await page.locator(".runs", { hasText: "c is left out. x.eval.yaml, line" }).waitFor();
  await page.close();
});

test("nothing runs while the file itself has errors", async () => {
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": `${cases}rubrics: [X]\n` } });
  await press(page, "Run case a");
  await status(page, "Nothing runs: x.eval.yaml, line");
  await page.close();
});

nothingElse(fixture);
