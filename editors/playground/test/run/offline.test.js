// Cases are judged without a model: by the offline judge, by recorded judgements, by their own arithmetic.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { accessible } from "../axe.js";
import { choose, pane, paneShows, playground, nothingElse, settles, write } from "../browser.js";
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

test("a run that is requested for a file does not run the one that is shown next", async () => {
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": cases, "y.eval.yaml": cases } });
  await page.evaluate(() => {
    document.querySelector("#run-all").click();
    [...document.querySelectorAll("#files [role=tab]")].find((tab) => tab.textContent.includes("y.eval.yaml")).click();
  });
  await page.getByText("Nothing was run: another file was shown").waitFor();
  await press(page, "Run case a");
  await status(page, "Done: 1 case:");
  assert.deepEqual((await shown(page)).map((record) => record.eval_id), ["a"]);
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
  await pane(page).getByText("to change the verdict:").waitFor();
  await settles(() => page.getByRole("combobox", { name: "Case" }).inputValue(), "pear");
  await page.close();
});

/** shop has three cases: one passes, one fails, and one has a criterion that needs a model. */
const shop = `evalcases:
  - id: greeting
    expected_outcome: Greets
    input: Hello
    expected_output: Hello there
    rubrics: [{ id: hello, expected_outcome: 'Mentions "Hello"' }]
  - id: price-of-shipping-to-the-islands-in-winter
    expected_outcome: Names the price
    input: What does it cost?
    expected_output: It costs 4 dollars.
    rubrics: [{ id: price, expected_outcome: 'Matches /[0-9] euros/', required: true }]
  - id: refund
    expected_outcome: Names the window
    input: Can I return it?
    expected_output: Yes, within 30 days.
    rubrics: [{ id: window, expected_outcome: 'Mentions "30 days"' }, { id: friendly, expected_outcome: Is friendly, required: true }]
`;

/** shopPage opens these cases. */
async function shopPage() {
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": shop } });
  const table = page.getByRole("region", { name: "Table of results" });
  return { page, table, ids: () => table.locator("tbody th").allTextContents(), counts: () => page.getByRole("group", { name: "Show" }).getByRole("button").allTextContents() };
}

test("the table has the newest result of each case of the file, and its counts are of the rows", async () => {
  const { page, table, ids, counts } = await shopPage(), price = "price-of-shipping-to-the-islands-in-winter";
  await page.locator("#answers").selectOption("typed");
  await page.getByRole("textbox", { name: "Answer", exact: true }).fill("Bye");
  await press(page, "Run case greeting");
  await status(page, "Done: 1 case: 1 fail");
  await settles(counts, ["all 1"]);
  await page.locator("#answers").selectOption("self");
  await page.locator("#run-all").click();
  await status(page, "Done: 3 cases: 1 pass, 1 fail, 1 ungraded");
  await settles(counts, ["all 3", "fail 1", "ungraded 1", "pass 1"]);
  await settles(ids, [price, "refund", "greeting"]);
  await table.getByRole("button", { name: "Case", exact: true }).click();
  await settles(ids, ["greeting", price, "refund"]); // as in the file, not as run
  await page.getByRole("searchbox", { name: "Search the results" }).fill("window");
  await settles(counts, ["all 1", "fail 0", "ungraded 1", "pass 0"]);
  await page.getByRole("searchbox", { name: "Search the results" }).fill("");
  await settles(() => page.locator(".runs > [role=status] .chip").isVisible(), false);

  await write(page, shop.replace("id: greeting", "id: welcome").replace(/  - id: price[^]*(?=  - id: refund)/, ""));
  await settles(ids, ["refund"]);
  await settles(counts, ["all 1"]);
  await paneShows(page, "2 results are not shown: the file no longer has the case.");
  await page.locator(".runs > [role=status]", { hasText: "Done: 3 cases" }).getByText("stale: the text has changed since").waitFor();
  await page.keyboard.press("Control+Z");
  await settles(ids, ["greeting", price, "refund"]);
  await settles(() => page.locator(".runs > [role=status] .chip").isVisible(), false);
  await page.close();
});

test("a row opens only when it is chosen, and the first failure is in sight", async () => {
  const { page, table } = await shopPage();
  await page.setViewportSize({ width: 1280, height: 600 });
  const inSight = (row) => row.evaluate((e) => e.getBoundingClientRect().bottom <= innerHeight);
  await page.locator("#run-all").click();
  await status(page, "Done: 3 cases");
  await settles(() => inSight(table.locator("tbody tr").first()), true);
  await page.locator("#case").selectOption("refund");
  await press(page, "Run case refund");
  await status(page, "Done: 1 case: 1 ungraded");
  await settles(() => table.getByRole("button", { expanded: true }).count(), 0);
  await settles(() => inSight(table.getByRole("button", { name: "refund" })), true);
  await settles(() => table.locator("tbody tr", { hasText: "refund" }).locator(".cell-grade").allTextContents(), ["yes", "ungraded"]);

  await table.getByRole("button", { name: "refund" }).click();
  const panel = table.getByRole("region", { name: "Result of refund" });
  await panel.getByRole("heading", { name: "Why it is ungraded" }).waitFor();
  await panel.getByText("ungraded: it needs a model", { exact: true }).waitFor();
  await settles(() => panel.getByRole("columnheader").allTextContents(), ["Graded", "Judge", "Verdict"]); // the page has no clock, and no score
  await settles(() => panel.getByRole("columnheader").first().evaluate((e) => getComputedStyle(e).whiteSpace), "nowrap");
  await accessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await settles(() => panel.getByRole("columnheader").count(), 0);
  await settles(() => panel.locator("td").first().evaluate((e) => getComputedStyle(e, "::before").content), '"Graded "'); // without columns, each value has its name
  await page.close();
});

test("the outline has the verdict of each case", async () => {
  const { page } = await shopPage(), outline = page.getByRole("navigation", { name: "Outline" });
  await page.getByRole("button", { name: "All cases" }).click();
  const verdicts = () => outline.locator(".verdict").allTextContents();
  await outline.getByRole("button", { name: "refund" }).waitFor();
  await settles(verdicts, []);
  await page.locator("#run-all").click();
  await status(page, "Done: 3 cases");
  await settles(verdicts, ["pass", "fail", "ungraded"]);
  await outline.getByRole("searchbox").fill("ungraded");
  await settles(() => outline.getByRole("button").allTextContents(), ["refund Names the window ungraded"]);
  await page.close();
});

test("no near miss is promised while a required criterion is ungraded, which is marked", async () => {
  const { page } = await shopPage();
  await write(page, shop.replace("30 days\"'", "31 days\"'"));
  await page.locator("#case").selectOption("refund");
  await press(page, "Run case refund");
  await status(page, "Done: 1 case: 1 fail");
  await choose(page, "Score");
  await paneShows(page, "No single grade makes this case pass: more than one has to change.");
  await page.getByRole("button", { name: "Set window to satisfied: ungraded" }).waitFor();
  await settles(() => pane(page).getByText("Near miss").count(), 0);
  await pane(page).locator(".grade", { hasText: "Is friendly" }).locator(".chip", { hasText: "ungraded" }).waitFor();
  await paneShows(page, "run: not satisfied: it does not have 31 days (literal check, not a model)");
  await page.locator("#case").selectOption("price-of-shipping-to-the-islands-in-winter");
  await press(page, "Run this case offline");
  await paneShows(page, "Near miss: one criterion decides. If price were satisfied, the case would pass.");
  await paneShows(page, "run: not satisfied: it does not match /[0-9] euros/ (literal check, not a model)");
  await page.close();
});

test("at 768 pixels a long name ends with an ellipsis, and has a tooltip", async () => {
  const { page } = await shopPage(), select = page.locator("#case");
  await page.setViewportSize({ width: 768, height: 800 });
  await select.selectOption("price-of-shipping-to-the-islands-in-winter");
  await settles(() => select.getAttribute("title"), "price-of-shipping-to-the-islands-in-winter");
  await settles(() => select.evaluate((e) => getComputedStyle(e).textOverflow), "ellipsis");
  await page.close();
});

test("on a phone a message leaves the last result in sight", async () => {
  const { page, table } = await shopPage();
  await page.setViewportSize({ width: 360, height: 700 });
  await page.locator("#run-all").click();
  await status(page, "Done: 3 cases");
  await page.evaluate(() => document.getElementById("status").replaceChildren("A message of several lines. ".repeat(4)));
  await settles(() => page.evaluate(() => {
    document.getElementById("status").classList.remove("over");
    const pane = document.getElementById("pane");
    pane.scrollTop = pane.scrollHeight;
    return document.querySelector(".grid tbody tr:last-child").getBoundingClientRect().bottom <= document.getElementById("status").getBoundingClientRect().top;
  }), true);
  await table.waitFor();
  await page.close();
});

test("a promptfoo test with two prompts is two rows, which open each", async () => {
  const config = `prompts: ["Say {{word}}", "Please say {{word}}"]\nproviders: [echo]\ntests:\n  - description: greets\n    vars: { word: hello }\n    assert: [{ type: contains, value: hello }, { type: llm-rubric, value: Is friendly }]\n  - description: parts\n    vars: { word: bye }\n    assert: [{ type: contains, value: see you }]\n`;
  const page = await openRunPane(fixture.open, { files: { "promptfooconfig.yaml": config } }), table = page.getByRole("region", { name: "Table of results" });
  await page.locator("#run-all").click();
  await status(page, "Done: 4 cases: 2 fail, 2 ungraded");
  await settles(() => table.locator("tbody th").allTextContents(), ["parts (test-2:1)", "parts (test-2:2)", "greets (test-1:1)", "greets (test-1:2)"]);
  for (const [id, prompt] of [["test-2:1", "Say bye"], ["test-2:2", "Please say bye"]]) {
    await table.getByRole("button", { name: id }).click();
    await table.getByRole("region", { name: `Result of parts (${id})` }).locator("pre", { hasText: new RegExp(`^${prompt}$`) }).first().waitFor();
  }
  await page.getByRole("button", { name: "All cases" }).click();
  await settles(() => page.getByRole("navigation", { name: "Outline" }).locator("button:has(.verdict)").allTextContents(), ["greets ungraded", "parts fail"]);
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

test("a file's own target answers where the page can ask it, and others are named", async () => {
  const file = (providers) => `prompts: ["Say {{word}}"]\nproviders: [${providers}]\ntests:\n  - { vars: { word: hello }, assert: [{ type: contains, value: Say hello }] }\n`;
  const files = { "promptfooconfig.yaml": file("echo") }, page = await openRunPane(fixture.open, { files });
  await settles(() => page.locator("#answers option:checked").textContent(), "The file's target echo");
  await press(page, "Run case hello");
  await status(page, "Done: 1 case: 1 pass");
  await paneShows(page, "Answers: those of the target echo; no chatbot was asked.");
  await settles(() => page.getByRole("button", { name: "Try a worse answer" }).count(), 0); // there is none to start from
  assert.deepEqual(await shown(page), await ran(files, []));
  await page.locator("#answers").selectOption("typed");
  await paneShows(page, "No answer is typed for hello, so a run grades the answer of echo.");
  await page.getByRole("textbox", { name: "Answer", exact: true }).fill("no");
  await press(page, "Run case hello");
  await status(page, "Done: 1 case: 1 fail");

  await write(page, file("openai:gpt-4o, exec:./bot.sh"));
  await paneShows(page, "The page cannot ask openai:gpt-4o, cli:./bot.sh {PROMPT}, which the file names as targets. rubric run promptfooconfig.yaml can.");
  await settles(() => page.locator("#answers option").first().textContent(), "Expected output");
  await page.close();
});

test("promptfoo's tests are called by their descriptions", async () => {
  const files = { "promptfooconfig.yaml": readFileSync("src/examples/promptfooconfig.yaml", "utf8") }, page = await openRunPane(fixture.open, { files });
  const stepper = page.getByRole("combobox", { name: "Case" });
  await settles(() => stepper.locator("option").allTextContents(), ["Return policy", "Delivery time"]);
  await page.locator("#run-all").click();
  await status(page, "Done: 2 cases: 1 pass, 1 fail");
  await settles(() => page.locator(".grid tbody th").allTextContents(), ["Delivery time", "Return policy"]);
  await page.getByRole("searchbox", { name: "Search the results" }).fill("return policy");
  await settles(() => page.locator(".grid tbody th").allTextContents(), ["Return policy"]);
  await page.getByRole("button", { name: "Next case" }).click();
  await page.getByRole("button", { name: "Run case Delivery time" }).waitFor();
  await page.locator(".grid").getByRole("button", { name: "Return policy" }).click(); // which the stepper follows
  await page.getByRole("button", { name: "Run case Return policy" }).waitFor();
  await page.getByRole("region", { name: "Result of Return policy" }).getByRole("heading", { name: "Return policy" }).waitFor();
  await page.getByRole("button", { name: "Next case" }).click();
  await page.getByRole("button", { name: "Run case Delivery time" }).waitFor();
  await settles(() => stepper.inputValue(), "test-2"); // which stays the key
  await write(page, files["promptfooconfig.yaml"].replace("Delivery time", "How long it takes"));
  await settles(() => stepper.locator("option").allTextContents(), ["Return policy", "How long it takes"]);
  await page.close();
});

test("missing answers are one cause, and can be typed", async () => {
  const config = "prompts: ['Say {{word}}']\nproviders: [openai:gpt-4o]\ntests:\n  - { description: one, vars: { word: hi }, assert: [{ type: contains, value: hi }] }\n  - { description: two, vars: { word: ho }, assert: [{ type: contains, value: ho }] }\n";
  const page = await openRunPane(fixture.open, { files: { "promptfooconfig.yaml": config } });
  await page.locator("#run-all").click();
  await status(page, "Done: 2 cases: 2 ungraded");
  await settles(() => page.locator(".cause").allTextContents(), ["2 cases: there is no answer to gradeType one, or open a file of recorded answers (.jsonl). The command line asks the targets that the file names. Type an answer"]);
  await settles(() => page.getByRole("button", { name: "Try a worse answer" }).count(), 0);
  await press(page, "Type an answer");
  await settles(() => page.evaluate(() => document.activeElement.id), "answer");
  await page.keyboard.type("hi");
  await press(page, "Run case one");
  await status(page, "Done: 1 case: 1 pass");
  await page.close();
});

test("a recorded answer is shown before a run, and a typed one takes its place", async () => {
  const files = { "promptfooconfig.yaml": readFileSync("src/examples/promptfooconfig.yaml", "utf8") }, page = await openRunPane(fixture.open, { files });
  await settles(() => page.locator("#answers option").first().textContent(), "Recorded output");
  await settles(() => page.getByText("The page cannot ask").count(), 0); // nobody needs to be asked
  await choose(page, "Score");
  await paneShows(page, "The answer that a run would grade: recorded in the fileYou can return it within 30 days.");
  await choose(page, "Results");
  await press(page, "Run case Return policy");
  await status(page, "Done: 1 case: 1 pass");
  await paneShows(page, "Answers: the recorded ones in the file; no chatbot was asked.");
  await press(page, "Try a worse answer");
  await paneShows(page, "This is the recorded answer of Return policy.");
  await page.getByRole("textbox", { name: "Answer", exact: true }).fill("You get a voucher within 30 days.");
  await press(page, "Run case Return policy");
  await status(page, "Done: 1 case: 1 fail");
  await paneShows(page, "Answers: typed here for Return policy; no chatbot was asked.");
  assert.deepEqual((await shown(page)).map((r) => r.candidate_answer.slice(0, 9)), ["You can r", "You get a"]);
  await page.locator("#answers").selectOption("self");
  await page.locator("#run-all").click();
  await status(page, "Done: 2 cases: 1 pass, 1 fail");
  await settles(() => page.locator(".grid").first().locator("thead th").allTextContents(), ["Verdict", "Case", "Score, 0 to 1", "Criteria"]); // the two share none
  await page.close();
});

test("a typed answer is that of one case in one file, and results stay with their file", async () => {
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": cases, "y.eval.yaml": cases } });
  const answer = page.getByRole("textbox", { name: "Answer", exact: true }), rows = () => page.locator(".grid tbody th").allTextContents();
  const show = (id) => page.getByRole("combobox", { name: "Case" }).selectOption(id);
  await page.locator("#answers").selectOption("typed");
  await answer.fill("nothing");
  await page.locator("#run-all").click();
  await status(page, "Done: 2 cases");
  await paneShows(page, "Answers: typed here for a; for the other case the expected ones in the file; no chatbot was asked.");
  assert.deepEqual((await shown(page)).map((r) => r.candidate_answer), ["nothing", "More"]);
  await show("b");
  await settles(() => answer.inputValue(), "");
  await paneShows(page, "No answer is typed for b, so a run grades its expected output.");
  await show("a");
  await settles(() => answer.inputValue(), "nothing");

  await page.getByRole("tab", { name: "y.eval.yaml" }).click(); // nothing of the other file is left
  await settles(() => page.locator("#answers").inputValue(), "self");
  await settles(rows, []);
  await settles(() => page.locator(".runs > [role=status]").textContent(), "");
  await page.locator("#run-all").click();
  await status(page, "Done: 2 cases");
  assert.deepEqual((await shown(page)).slice(2).map((r) => r.candidate_answer), ["It is said kindly", "More"]);

  await page.getByRole("tab", { name: "x.eval.yaml" }).click();
  await settles(async () => (await rows()).sort(), ["a", "b"]);
  await settles(() => page.locator(".grid .chip.stale").count(), 0);
  await write(page, cases.replace("id: a", "id: renamed").replace(": More", ": More and more")); // the answer follows its case, and the results are of an earlier text
  await settles(rows, ["b"]);
  await settles(() => page.locator(".grid .chip.stale").count(), 1);
  await paneShows(page, "What is stale has changed since: run it again to see what holds. 1 result is not shown: the file no longer has the case.");
  await write(page, cases.replace("id: a", "id: renamed")); // the case is as it was
  await settles(() => page.locator(".grid .chip.stale").count(), 0);
  await show("renamed");
  await settles(() => answer.inputValue(), "nothing");
  await press(page, "Run case renamed");
  await status(page, "Done: 1 case");
  await paneShows(page, "1 of 2 results are of an earlier run.");
  await settles(() => page.locator(".grid tbody tr", { has: page.locator(".chip", { hasText: "earlier" }) }).count(), 1);
  const named = () => page.locator(".grid tbody tr:first-child > [data-name]:not(.of-criterion)").evaluateAll((all) => all.map((e) => getComputedStyle(e, "::before").content));
  for (const [width, names] of [[390, ["Run", "Target", "Score"].map((name) => `"${name} "`)], [1900, ["none", "none", "none"]]]) { // without columns, each value has its name
    await page.setViewportSize({ width, height: 900 });
    await settles(named, names);
  }
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
  await page.locator(".runs", { hasText: /This page and rubric run do not run c before this is mended: x.eval.yaml, line \d+: unknown key rubric; the format's own runner goes on without it; did you mean rubrics\?/ }).waitFor();
  await page.close();
});

test("nothing runs while the file itself has errors", async () => {
  const page = await openRunPane(fixture.open, { files: { "x.eval.yaml": `${cases}rubrics: [X]\n` } });
  await press(page, "Run case a");
  await status(page, /This page and rubric run do not run any case of this file before this is mended: x.eval.yaml, line \d+: unknown key rubrics in this eval file; the format's own runner ignores it; it is a key of each case/);
  await page.close();
});

nothingElse(fixture);
