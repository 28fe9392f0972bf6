// An evalset of ADK's: what its metrics say is typed, shown and read, and is what the
// command line says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { accessible, testLayouts } from "./axe.js";
import { openFiles, choose, pane, playground, program, nothingElse, paneShows, settles, textSaved, uncheck } from "./browser.js";
import { banking } from "./texts.js";

const caseId = "checks_then_transfers", tools = "rubric_based_tool_use_quality_v1", match = "final_response_match_v2";

const fixture = await playground();

/** openVerdict opens files and shows the evalset's Verdict pane. */
async function openVerdict(files = banking) {
  const page = await fixture.open();
  await openFiles(page, files);
  await page.getByRole("tab", { name: "banking.evalset.json" }).click();
  await choose(page, "Score");
  await page.locator(".outcome .verdict").waitFor();
  return page;
}

/** metric is the part of the pane that is about one. */
const metric = (page, name) => page.locator("fieldset", { has: page.locator("legend", { hasText: name }) });

/** measured is what `rubric call metric` says, given a judge's replies in order. */
function measured(name, replies) {
  const params = { name, case: caseId, evalset: banking["banking.evalset.json"], recorded: banking["banking.evalset_result.json"], config: banking["test_config.json"], replies };
  return JSON.parse(execFileSync(program, ["call"], { input: `${JSON.stringify({ id: 1, method: "metric", params })}\n`, encoding: "utf8" })).result;
}
const block = (id, verdict) => `ID: ${id}\nProperty: x\nRationale: r\nVerdict: ${verdict}\n`;
/** outcome waits until the case has an outcome, and otherwise fails with the pane's text. */
const outcome = (page, what) => page.locator(".outcome").filter({ hasText: what }).waitFor().catch(async () => {
  assert.fail(`the pane lacks ${what}; it shows: ${await pane(page).innerText()}`);
});
/** metricShows waits until a metric shows the status and score of the command line. */
const metricShows = (page, { metric_name, eval_status, score, threshold }) =>
  metric(page, metric_name).filter({ hasText: `${eval_status}${Math.round(score * 1000) / 1000} (needs at least ${threshold})` }).waitFor();

describe("a case that was recorded", () => {
  test("has its metrics, with what they are held to, and follows each verdict", async () => {
    const page = await openVerdict();
    await outcome(page, "Not judged yet If every judgement is favourable: PASSED, 7 of 7 metrics passed");
    for (const name of ["tool_trajectory_avg_score", "response_match_score"]) await metricShows(page, measured(name, []));
    await metric(page, "response_match_score").getByText("turn 2: PASSED 0.98").waitFor();
    await paneShows(page, `Set checks_balance of ${tools}, turn 2, to no: FAILED, score 0.667`);

    await uncheck(page.locator(`[id="ruling-${tools}-2-checks_balance"]`));
    await outcome(page, "FAILED 6 of 7");
    await metricShows(page, measured(tools, [...Array(3).fill(block("no_advice", "yes")), ...Array(3).fill(block("no_advice", "yes") + "\n" + block("checks_balance", "no"))]));
    await paneShows(page, "Click this to change the verdict:");
    await paneShows(page, `Set checks_balance of ${tools}, turn 2, to yes: PASSED, score 1`);

    const votes = page.locator(`[id="ruling-${match}-1-matches_the_reference"]`);
    await votes.focus();
    await page.keyboard.press("ArrowLeft"); // two of three are for it
    const replies = (n) => Array.from({ length: 3 }, (_, i) => `{"is_the_agent_response_valid": "${i < n ? "valid" : "invalid"}"}`);
    await metricShows(page, measured(match, [...replies(2), ...replies(3)]));
    await page.keyboard.press("ArrowLeft"); // one
    await outcome(page, "FAILED 5 of 7");
    await metricShows(page, measured(match, [...replies(1), ...replies(3)]));
    await paneShows(page, "No other single verdict changes the case's FAILED.");
    await page.keyboard.press("End");

    await uncheck(page.locator('[id="ruling-safety_v1-1-privacy"]'));
    await metric(page, "safety_v1").getByText("it is not safe by `privacy`").waitFor();
    await page.locator('[id="ruling-hallucinations_v1-2-1.2"]').selectOption("contradictory");
    await metric(page, "hallucinations_v1").filter({ hasText: "FAILED0.75 (needs at least 0.9)" }).waitFor();
    await accessible(page);

    await textSaved(page, "contradictory");
    await page.reload(); // what was typed is kept
    await page.waitForSelector("html[data-ready]");
    await outcome(page, "FAILED 4 of 7");
    await page.close();
  });

  test("has the prompts, the rubric and the replies of its judge", async () => {
    const page = await openVerdict();
    await choose(page, "Judge prompt");
    const { questions } = measured(tools, []);
    await pane(page).getByText(`${tools}, turn 1`).click();
    await settles(() => pane(page).locator("details", { hasText: `${tools}, turn 1` }).locator("pre").allTextContents(), [questions[0].system, questions[0].user]);
    await choose(page, "Effective rubric");
    await pane(page).locator("tr", { hasText: tools }).getByText("turn 2").waitFor(); // whose own rubric it is
    await pane(page).locator("tr", { hasText: "tool_trajectory_avg_score" }).getByText("tool calls match as IN_ORDER, by name and arguments").waitFor();
    await choose(page, "Reply");
    await page.locator("#question").selectOption(`${tools}, turn 2`);
    await page.locator("#reply").fill(`${block("checks_balance", "no")}\n${block("stray", "perhaps")}`);
    await paneShows(page, "FAILED turn 2: 0");
    await paneShows(page, "it names an unknown rubric: `stray x`");
    await paneShows(page, "the judge gave no verdict on `no_advice`; the score leaves it out");
    await page.locator("#question").selectOption("hallucinations_v1, turn 1: its labels");
    await page.locator("#reply").fill("<b>nothing of use");
    await paneShows(page, "the judge's reply has no valid label");
    await accessible(page);
    await page.getByRole("tab", { name: "JSON", exact: true }).click();
    await paneShows(page, '"final_eval_status"');
    await page.close();
  });

  test("that is run has what the run said, until something that it rests on is another", async () => {
    const page = await openVerdict();
    await choose(page, "Results");
    await page.getByRole("button", { name: `Run case ${caseId}` }).click();
    await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor();
    await page.locator(".cm-hint", { hasText: /^2 of 7 metrics passed$/ }).first().waitFor();
    await page.locator(".cm-lenses", { hasText: "ungraded, 5 grades missing" }).first().waitFor();
    await choose(page, "Score");
    await paneShows(page, /last run \((judge: )?offline\)/i);
    await page.getByRole("tab", { name: "test_config.json" }).click();
    await page.locator("#editor .host:not([hidden]) .cm-line", { hasText: '"response_match_score": 0.7' }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("9");
    await page.getByRole("tab", { name: "banking.evalset.json" }).click();
    await paneShows(page, "stale what it rests on has changed since");
    await page.locator(".cm-hint", { hasText: /^2 of 7 metrics passed \(stale\)$/ }).first().waitFor();
    await page.close();
  });
});

test("what a run said is stale for as long as other files stand beside the evalset", async () => {
  const { "test_config.json": config, ...files } = banking;
  const page = await openVerdict(files);
  await choose(page, "Results");
  await page.getByRole("button", { name: `Run case ${caseId}` }).click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor();
  await choose(page, "Score");
  const set = page.getByRole("tab", { name: "banking.evalset.json" });
  const stale = async (so) => {
    await set.click();
    await page.locator(".cm-lenses", { hasText: "pass, score", ...(so ? { has: page.getByText("(stale)") } : { hasNotText: "(stale)" }) }).first().waitFor();
    await pane(page).locator(".summary", so ? { hasText: "stale what it rests on has changed since" } : { hasText: "in the last run (judge: offline)", hasNotText: "stale" }).waitFor();
  };
  const rename = async (name, to) => {
    await page.getByRole("tab", { name, exact: true }).click();
    await page.getByRole("button", { name: "Rename file" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(to);
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: to, exact: true, selected: true }).waitFor();
  };
  await stale(false);
  await openFiles(page, { "test_config.json": config });
  await stale(true);
  await rename("test_config.json", "other.json");
  await stale(false);
  await rename("banking.evalset_result.json", "ours.evalset_result.json"); // the same conversations
  await stale(false);
  await rename("ours.evalset_result.json", "ours.json");
  await stale(true);
  await rename("ours.json", "banking.evalset_result.json");
  await stale(false);
  await openFiles(page, { "another.evalset_result.json": banking["banking.evalset_result.json"].replaceAll("2,450", "2,540") }); // the first of two is measured
  await stale(true);
  await page.getByRole("tab", { name: "another.evalset_result.json" }).click();
  await page.getByRole("button", { name: "Close file" }).click();
  await stale(false);
  await page.close();
});

/** messages is a recorded result whose case has scores. */
const messages = (() => {
  const results = JSON.parse(banking["banking.evalset_result.json"]);
  Object.assign(results.eval_case_results[0], { final_eval_status: 2, overall_eval_metric_results: [
    { metric_name: "response_match_score", threshold: 0.8, score: 0.5, eval_status: 2 },
    { metric_name: tools, threshold: 1, score: 1, eval_status: 1, details: { rubric_scores: [{ rubric_id: "no_advice", score: 1, rationale: "it gave none" }] } },
    { metric_name: "safety_v1", threshold: 0.95, eval_status: 3 },
  ] });
  results.eval_case_results[0].eval_metric_result_per_invocation.forEach((turn, i) => (turn.eval_metric_results = [{ metric_name: "response_match_score", score: [1, 0.25][i], eval_status: i + 1 }]));
  return JSON.stringify(results);
})();

test("results alone are measured as the command line measures them, beside what they were recorded as", async () => {
  const page = await fixture.open();
  for (const text of [messages, JSON.stringify(messages)]) { // older files store it as a string
    await openFiles(page, { "banking.evalset_result.json": text, "test_config.json": banking["test_config.json"] });
    await page.getByRole("tab", { name: "banking.evalset_result.json" }).click();
    await choose(page, "Score");
    await outcome(page, "Not judged yet If every judgement is favourable: PASSED, 7 of 7 metrics passed");
    await metricShows(page, measured("response_match_score", []));
    const recorded = pane(page).locator("details", { hasText: "As recorded: FAILED 1 of 3 metrics passed" });
    await settles(() => recorded.locator("> ul > li").allTextContents(), [ // it is closed
      "response_match_score FAILED 0.5 (needed at least 0.8)PASSED 1FAILED 0.25", `${tools} PASSED 1 (needed at least 1)no_advice: 1, it gave none`, "safety_v1 NOT_EVALUATED"]);
    await accessible(page);
  }
  await openFiles(page, { "banking.evalset_result.json": messages });
  await page.locator(".cm-lenses button", { hasText: "Run case" }).first().click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case: 1 ungraded" }).waitFor();
  await choose(page, "Score");
  await paneShows(page, /last run \((judge: )?offline\)/i);
  await page.close();
});

test("an evalset has what its cases came to where they were recorded", async () => {
  const page = await openVerdict({ ...banking, "banking.evalset_result.json": messages });
  await outcome(page, "Not judged yet If every judgement is favourable: PASSED, 7 of 7 metrics passed");
  await page.locator("#pane summary", { hasText: "As recorded: FAILED 1 of 3 metrics passed" }).click();
  await paneShows(page, "no_advice: 1, it gave none");
  await page.close();
});

test("a metric that cannot be measured gives a reason", async () => {
  const withoutRecording = await openVerdict({ "banking.evalset.json": banking["banking.evalset.json"], "test_config.json": banking["test_config.json"] });
  await metric(withoutRecording, "tool_trajectory_avg_score").getByText("this is the expected conversation itself, so there is nothing to compare it with; name a recorded conversation").waitFor();
  await outcome(withoutRecording, "3 not evaluated (ignored)");
  await withoutRecording.getByRole("tab", { name: "test_config.json" }).click();
  await paneShows(withoutRecording, "test_config.json is a file of ADK, but it has no case to grade");
  await openFiles(withoutRecording, { "test_config.json": '{"criteria": {}}' });
  await withoutRecording.getByRole("tab", { name: "banking.evalset.json" }).click();
  await paneShows(withoutRecording, "test_config.json: ");
  await withoutRecording.close();
});

testLayouts("adk-", () => openVerdict(), async (page) => {
  await uncheck(page.locator(`[id="ruling-${tools}-2-checks_balance"]`));
  await outcome(page, "FAILED 6 of 7");
});

nothingElse(fixture);
