// A link restores the state of the page that made it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { openFiles, choose, playground, nothingElse, paneShows, serve, settles, smallEvaluator, startBrowser, uncheck, write, share } from "./browser.js";
import { banking, twoCriteria } from "./texts.js";

const fixture = await playground();
const { open, site } = fixture;

/** statusText waits until the status line contains a text, and returns the whole line. */
async function statusText(page, what) {
  const status = page.locator("#status", { hasText: what });
  await status.waitFor();
  return status.innerText();
}

async function copied(page) {
  await share(page, "Copy link");
  await statusText(page, "The link is copied");
  return clipboardText(page);
}

/** clipboardText is the text in the clipboard. */
const clipboardText = (page) => page.evaluate(() => navigator.clipboard.readText());

/** packLink encodes the part of a link after #, unpackLink decodes it. */
const packLink = (link) => `1.${deflateRawSync(JSON.stringify(link)).toString("base64url")}`;
const unpackLink = (href) => JSON.parse(inflateRawSync(Buffer.from(new URL(href).hash.slice(3), "base64url")).toString());

test("a link leads to the address that the host configures", async () => {
  const site = await serve(["--addr", "127.0.0.1:0", "--public-url", "https://example.com/playground/"]);
  const browser = await startBrowser(site.address);
  const page = await browser.open();
  await write(page, twoCriteria);
  const link = await copied(page);
  assert.ok(link.startsWith("https://example.com/playground/#1."), link);
  assert.equal(unpackLink(link).state.files[0].text, twoCriteria);
  await browser.close();
  await site.stop();
});

test("a link restores everything, and a link with a secret is not made", async () => {
  const page = await open();
  await write(page, twoCriteria);
  await choose(page, "Score");
  await paneShows(page, "Says it kindly");
  await uncheck(page.getByRole("checkbox", { name: "satisfied" }));
  await paneShows(page, "fail score 0.25");
  const link = await copied(page);
  await write(page, "evalcases: []\n");
  const other = await open(new URL(link).hash.slice(1));
  await paneShows(other, "fail score 0.25");
  assert.match(await other.locator(".cm-content").innerText(), /Says it kindly/);
  await write(other, twoCriteria.replace("Say it", "use sk-proj-abcdefghijklmnop0123456789"));
  await other.locator("#unsaved", { hasText: "Not saved in this browser: line 4 of support.eval.yaml looks like an API key" }).waitFor();
  await share(other, "Copy link");
  await statusText(other, "No link is made: line 4 of support.eval.yaml looks like an API key");
  await other.close();
  await page.close();
});

test("a link's results are compared with those of the evaluator that reads its files", async () => {
  const file = { name: "promptfooconfig.yaml", text: "prompts: ['Say hello']\nproviders: [echo]\ntests:\n  - assert: [{ type: contains, value: hello }]\n" };
  const page = await open(packLink({ state: { files: [file], active: file.name, tab: "verdict", entries: {} }, evaluator: "", results: { findings: { [file.name]: ["a", "b"] } } }), "", "", smallEvaluator);
  await statusText(page, "promptfooconfig.yaml had 2 problems then and has 0 now.");
  await page.close();
});

test("a link that is made before the evaluator is whole claims no results", async () => {
  const file = { "promptfooconfig.yaml": "prompts: ['Say hello']\nproviders: [echo]\ntests:\n  - assert: [{ type: contains, valu: hello }]\n" };
  let load;
  const held = new Promise((done) => (load = done));
  const page = await open("", "", undefined, async (context) => {
    await smallEvaluator(context);
    await context.route(/\/rubric-(?!small-)[^/]*\.wasm$/, (route) => held.then(() => route.fallback())); // also for the offline copy
  });
  await openFiles(page, file);
  await page.getByRole("tab", { name: "promptfooconfig.yaml", selected: true }).waitFor();
  await share(page, "Copy link");
  assert.match(await statusText(page, "The link is copied"), /what they come to is left out until the rest of the evaluator is loaded/);
  assert.deepEqual(unpackLink(await clipboardText(page)).results, { findings: {}, scores: {}, measures: {} });
  load();
  await settles(() => page.getByRole("tab", { name: /^Problems/ }).textContent(), "Problems (1)");
  await share(page, "Copy link");
  await statusText(page, "the typed answers and what they come to;"); // not the message of before
  const { results } = unpackLink(await clipboardText(page));
  assert.equal(results.findings["promptfooconfig.yaml"].length, 1);
  await page.close();
});

test("a link contains the state of one moment", async () => {
  const page = await open("", "", () => {
    const heldMessages = [];
    globalThis.Worker = class extends Worker {
      postMessage(message) {
        if (message.task === "findSecret") heldMessages.push(() => super.postMessage(message));
        else super.postMessage(message);
      }
    };
    globalThis.asked = () => heldMessages.length > 0;
    globalThis.release = () => heldMessages.pop()();
  });
  await write(page, twoCriteria);
  await choose(page, "Score");
  await paneShows(page, "Says it kindly");
  await uncheck(page.getByRole("checkbox", { name: "satisfied" }));
  await paneShows(page, "fail score 0.25");
  await share(page, "Copy link");
  await page.waitForFunction(() => asked());
  await write(page, twoCriteria.replace("weight: 3", "weight: 1"));
  await paneShows(page, "fail score 0.5");
  await page.getByRole("checkbox", { name: "satisfied" }).check();
  await paneShows(page, "pass score 1");
  await page.evaluate(() => release());
  await statusText(page, "The link is copied");
  const { state, results } = unpackLink(await clipboardText(page));
  assert.deepEqual([state.files[0].text, state.entries["support.eval.yaml"].a.grades.map((g) => g.satisfied), results.scores], [twoCriteria, [false], { a: 0.25 }]);
  await page.close();
});

test("grades and typed answers are those of a case in one file, and a link has them", async () => {
  const page = await open();
  await openFiles(page, { "x.eval.yaml": twoCriteria, "y.eval.yaml": twoCriteria });
  await page.getByRole("tab", { name: "x.eval.yaml" }).click();
  await choose(page, "Results");
  await page.locator("#answers").selectOption("typed");
  await page.getByRole("textbox", { name: "Answer", exact: true }).fill("Hardly");
  await choose(page, "Score");
  await uncheck(page.getByRole("checkbox", { name: "satisfied" }));
  await paneShows(page, "fail score 0.25");
  await page.getByRole("tab", { name: "y.eval.yaml" }).click();
  await paneShows(page, "Not judged yet");
  await page.getByRole("tab", { name: "x.eval.yaml" }).click();
  await paneShows(page, "fail score 0.25");
  await share(page, "Copy link");
  await statusText(page, "It has the files, the grades, the typed answers and what they come to");
  const link = new URL(await clipboardText(page)).hash.slice(1);
  await page.close();

  const other = await open(link);
  await paneShows(other, /fail score 0.25.*typed in ResultsHardly/);
  await choose(other, "Results");
  await settles(() => other.getByRole("textbox", { name: "Answer", exact: true }).inputValue(), "Hardly");
  await other.getByRole("button", { name: "Run case a" }).click();
  await paneShows(other, "Answers: typed here for a; no chatbot was asked.");
  await other.getByRole("tab", { name: "y.eval.yaml" }).click();
  await settles(() => other.locator("#answers").inputValue(), "self");
  await choose(other, "Score");
  await paneShows(other, "Not judged yet");
  await other.close();
});

test("text typed while a link is made leaves its scores out", async () => {
  const holdCases = () => {
    globalThis.Worker = class extends Worker {
      postMessage(message) {
        const mustHold = typeof message === "string" && message.includes('"method":"cases"') && globalThis.holding;
        if (mustHold) globalThis.release = () => ((globalThis.holding = false), super.postMessage(message));
        else super.postMessage(message);
      }
    };
  };
  const page = await open("", "", holdCases);
  await write(page, twoCriteria);
  await choose(page, "Problems");
  await paneShows(page, "dominant-weight");
  await page.evaluate(() => (globalThis.holding = true));
  await share(page, "Copy link");
  await page.waitForFunction(() => globalThis.release); // the findings are answered, and the score is asked for
  await page.locator(".cm-line", { hasText: "weight: 3" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("00");
  await page.evaluate(() => globalThis.release());
  await statusText(page, "The link is copied");
  const { state, results } = unpackLink(await clipboardText(page));
  assert.deepEqual([state.files[0].text, results], [twoCriteria, { findings: { "support.eval.yaml": ["dominant-weight"] }, scores: {}, measures: {} }]);
  await page.close();

  const link = { state: { ...state, entries: {} }, evaluator: "0.0.1", results: { ...results, scores: { a: 1 } } };
  const other = await open(packLink(link), "", `(${holdCases})(); globalThis.holding = true`);
  await other.waitForFunction(() => globalThis.release);
  await other.locator(".cm-line", { hasText: "id: a" }).click();
  await other.keyboard.press("End");
  await other.keyboard.type("bc");
  await other.evaluate(() => globalThis.release());
  assert.match(await statusText(other, "the results"), /the results are the same\.$/);
  await other.close();
});

test("a link that is too large is not made, and the message says what to do", async () => {
  let word = "";
  const incompressible = Array.from({ length: 30_000 }, () => `# ${(word = createHash("sha256").update(word).digest("base64"))}`).join("\n"); // hardly compressible
  const page = await open();
  for (const [more, why] of [[incompressible, /it would have 1\d{6} characters; browsers open at most 1047576\./], [`# ${"x".repeat(98)}\n`.repeat(90_000), /it would contain 8\.\d MiB; the limit is 8 MiB\./]]) {
    await openFiles(page, { "large.eval.yaml": twoCriteria + more });
    await statusText(page, "large.eval.yaml opened.");
    const before = page.url();
    await share(page, "Copy link");
    assert.match(await statusText(page, why), /^No link is made: .*\. Use Download for an archive of the files\.$/);
    assert.equal(page.url(), before);
    const [archive] = await Promise.all([page.waitForEvent("download"), share(page, "Download")]);
    assert.equal(archive.suggestedFilename(), "rubric-playground.zip");
    await statusText(page, "rubric-playground.zip");
  }
  await page.close();
});

test("a damaged link is reported", async () => {
  const broken = await open("1.AAAA");
  await statusText(broken, "the link cannot be read");
  await broken.close();
});

test("a link from an older evaluator says whether the results differ", async () => {
  const state = { files: [{ name: "a.eval.yaml", text: twoCriteria }], active: "a.eval.yaml", grades: { a: [{ grader: "rubric", id: "one", satisfied: false }] }, case: "a", tab: "verdict" };
  const linkOf = (results) => packLink({ state, evaluator: "0.0.1", results });
  const other = await open(linkOf({ findings: { "a.eval.yaml": ["no-such-rule", "unknown-key"] }, scores: { a: 0.5 } }));
  await statusText(other, "made with evaluator 0.0.1, and this is 0.1.0-dev: the results differ. a.eval.yaml had 2 problems then and has 1 now; case a scored 0.5 then and scores 0.25 now.");
  await other.close();
  const same = await open(linkOf({ findings: { "a.eval.yaml": ["dominant-weight"] }, scores: { a: 0.25 } }));
  assert.match(await statusText(same, /made with evaluator 0.0.1, and this is .*: the results/), /the results are the same/);
  await same.close();
});

/** evalset opens files with an evalset among them, and gives a link to what comes of it. */
async function evalset(files, act = async () => undefined) {
  const page = await open();
  await openFiles(page, files);
  await page.getByRole("tab", { name: "banking.evalset.json" }).click();
  await choose(page, "Score");
  await page.locator(".outcome .verdict").waitFor();
  await act(page);
  const link = await copied(page);
  await page.close();
  return link;
}

/** opened gives what a page says that opens a link. */
async function opened(link, what) {
  const page = await open(packLink(link));
  const shownText = await statusText(page, what);
  await page.close();
  return shownText;
}

describe("a link to an evalset", () => {
  const caseId = "checks_then_transfers", tools = "rubric_based_tool_use_quality_v1";
  let href, link;
  before(async () => {
    href = await evalset(banking, async (page) => {
      await uncheck(page.locator(`[id="ruling-${tools}-2-checks_balance"]`)); // as a judge would have it
      await page.locator(".outcome", { hasText: "FAILED 6 of 7" }).waitFor();
    });
    link = unpackLink(href);
  });

  test("holds what the case comes to by the verdicts that were given, in few letters", () => {
    const { "": whole, [tools]: typed, ...others } = link.results.measures[caseId];
    assert.deepEqual([whole, typed, new Set(Object.values(others).map((words) => words.split(" ")[0]))], ["FAILED", "FAILED 0.6667", new Set(["PASSED"])]);
    const { measures, ...results } = link.results;
    assert.ok(packLink(link).length - packLink({ ...link, results }).length < 200);
  });

  test("says whether the results differ, a case's, a metric's and those that are no more", async () => {
    assert.match(await opened({ ...link, evaluator: "0.0.1" }, "the results"), /^This link was made with evaluator 0\.0\.1, and this is .*: the results are the same\.$/);
    const measures = { [caseId]: { ...link.results.measures[caseId], "": "PASSED", response_match_score: "PASSED 1", gone_v1: "FAILED 0" } };
    assert.match(await opened({ ...link, evaluator: "0.0.1", results: { ...link.results, measures } }, "the results"), new RegExp(
      `the results differ\\. case ${caseId} was PASSED then and is FAILED now; response_match_score of case ${caseId} was PASSED 1 then and is PASSED 0\\.9\\d* now; gone_v1 of case ${caseId} was FAILED 0 then and is NOT_EVALUATED now\\.$`));
    assert.match(await opened({ ...link, results: { ...link.results, measures } }, "the results"), /^Here the results differ\. case/);
  });

  test("of a playground that kept no such results opens as it did", async () => {
    const { findings, scores } = link.results;
    assert.match(await opened({ ...link, evaluator: "0.0.1", results: { findings, scores } }, "the results"), /the results are the same\.$/);
  });

  test("tells of nothing where it was made, and there is nothing else to tell", async () => {
    const page = await open(packLink(link), "", () => {
      globalThis.told = [];
      addEventListener("DOMContentLoaded", () => {
        const status = document.getElementById("status");
        new MutationObserver(() => globalThis.told.push(status.textContent)).observe(status, { childList: true });
      });
    });
    await page.locator(".outcome", { hasText: "FAILED 6 of 7" }).waitFor();
    await copied(page); // for which everything is asked once more, after what the link was compared by
    assert.deepEqual((await page.evaluate(() => globalThis.told)).map((words) => words.slice(0, 18)), ["The link is copied"]);
    await page.close();
  });

  test("without a recording, or with a configuration that is refused, says that it could be measured then", async () => {
    const { "banking.evalset_result.json": _, ...withoutServer } = banking;
    const part = unpackLink(await evalset(withoutServer));
    assert.equal(part.results.measures[caseId].tool_trajectory_avg_score, "NOT_EVALUATED");
    assert.match(await opened({ ...part, evaluator: "0.0.1" }, "the results"), /the results are the same\.$/);
    const files = link.state.files.map((f) => (f.name === "test_config.json" ? { ...f, text: '{"criteria": {"no_such_metric": 1}}' } : f));
    assert.match(await opened({ ...link, state: { ...link.state, files } }, "the results"), new RegExp(`case ${caseId} was FAILED then and is NOT_EVALUATED now; .*and \\d+ more\\.$`));
  });
});

test("the server's token is neither stored nor shared", async () => {
  const page = await open(site.address.hash.slice(1));
  const token = site.address.hash.split("=")[1];
  assert.ok(token.length > 10);
  assert.ok(!(await copied(page)).includes(token));
  await page.close();
});

nothingElse(fixture);
