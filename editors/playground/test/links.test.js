// What somebody has before them is sent as a link, and comes back from it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { bring, choose, playground, quiet, says, untick, write } from "./browser.js";
import { banking, two } from "./texts.js";

const there = await playground();
const { open, site } = there;

/** said waits until the page says something about itself, and gives all of it. */
async function said(page, what) {
  const place = page.locator("#status", { hasText: what });
  await place.waitFor();
  return place.innerText();
}

async function copied(page) {
  await page.getByRole("button", { name: "Copy link" }).click();
  await said(page, "The link is copied");
  return clipped(page);
}

/** clipped is the text in the clipboard. */
const clipped = (page) => page.evaluate(() => navigator.clipboard.readText());

/** packed is the part of a link after #, and unpacked what it holds. */
const packed = (link) => `1.${deflateRawSync(JSON.stringify(link)).toString("base64url")}`;
const unpacked = (href) => JSON.parse(inflateRawSync(Buffer.from(new URL(href).hash.slice(3), "base64url")).toString());

test("a link restores everything, and a link with a secret is not made", async () => {
  const page = await open();
  await write(page, two);
  await choose(page, "Verdict");
  await says(page, "Says it kindly");
  await untick(page.getByRole("checkbox", { name: "satisfied" }));
  await says(page, "fail score 0.25");
  const link = await copied(page);
  await write(page, "evalcases: []\n");
  const other = await open(new URL(link).hash.slice(1));
  await says(other, "fail score 0.25");
  assert.match(await other.locator(".cm-content").innerText(), /Says it kindly/);
  await write(other, two.replace("Say it", "use sk-proj-abcdefghijklmnop0123456789"));
  await other.locator("#unsaved", { hasText: "Not saved in this browser: line 4 of support.eval.yaml looks like an API key" }).waitFor();
  await other.getByRole("button", { name: "Copy link" }).click();
  await said(other, "No link is made: line 4 of support.eval.yaml looks like an API key");
  await other.close();
  await page.close();
});

test("a link contains the state of one moment", async () => {
  const page = await open("", "", () => {
    const late = [];
    globalThis.Worker = class extends Worker {
      postMessage(message) {
        if (message.task === "findSecret") late.push(() => super.postMessage(message));
        else super.postMessage(message);
      }
    };
    globalThis.asked = () => late.length > 0;
    globalThis.release = () => late.pop()();
  });
  await write(page, two);
  await choose(page, "Verdict");
  await says(page, "Says it kindly");
  await untick(page.getByRole("checkbox", { name: "satisfied" }));
  await says(page, "fail score 0.25");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => asked());
  await write(page, two.replace("weight: 3", "weight: 1"));
  await says(page, "fail score 0.5");
  await page.getByRole("checkbox", { name: "satisfied" }).check();
  await says(page, "pass score 1");
  await page.evaluate(() => release());
  await said(page, "The link is copied");
  const { state, results } = unpacked(await clipped(page));
  assert.deepEqual([state.files[0].text, state.grades.a.map((g) => g.satisfied), results.scores], [two, [false], { a: 0.25 }]);
  await page.close();
});

test("text typed while a link is made leaves its scores out", async () => {
  const hold = () => {
    globalThis.Worker = class extends Worker {
      postMessage(message) {
        const held = typeof message === "string" && message.includes('"method":"cases"') && globalThis.holding;
        if (held) globalThis.release = () => ((globalThis.holding = false), super.postMessage(message));
        else super.postMessage(message);
      }
    };
  };
  const page = await open("", "", hold);
  await write(page, two);
  await choose(page, "Problems");
  await says(page, "dominant-weight");
  await page.evaluate(() => (globalThis.holding = true));
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => globalThis.release); // the findings are answered, and the score is asked for
  await page.locator(".cm-line", { hasText: "weight: 3" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("00");
  await page.evaluate(() => globalThis.release());
  await said(page, "The link is copied");
  const { state, results } = unpacked(await clipped(page));
  assert.deepEqual([state.files[0].text, results], [two, { findings: { "support.eval.yaml": ["dominant-weight"] }, scores: {}, measures: {} }]);
  await page.close();

  const whole = { state: { ...state, grades: {} }, evaluator: "0.0.1", results: { ...results, scores: { a: 1 } } };
  const other = await open(packed(whole), "", `(${hold})(); globalThis.holding = true`);
  await other.waitForFunction(() => globalThis.release);
  await other.locator(".cm-line", { hasText: "id: a" }).click();
  await other.keyboard.press("End");
  await other.keyboard.type("bc");
  await other.evaluate(() => globalThis.release());
  assert.match(await said(other, "the results"), /the results are the same\.$/);
  await other.close();
});

test("a link that is too large is not made, and the message says what to do", async () => {
  let word = "";
  const words = Array.from({ length: 30_000 }, () => `# ${(word = createHash("sha256").update(word).digest("base64"))}`).join("\n"); // which pack badly
  const page = await open();
  for (const [more, why] of [[words, /it would have 1\d{6} characters; browsers open at most 1047576\./], [`# ${"x".repeat(98)}\n`.repeat(90_000), /it would contain 8\.\d MiB; the limit is 8 MiB\./]]) {
    await bring(page, { "large.eval.yaml": two + more });
    await said(page, "large.eval.yaml opened.");
    const before = page.url();
    await page.getByRole("button", { name: "Copy link" }).click();
    assert.match(await said(page, why), /^No link is made: .*\. Use Download for an archive of the files\.$/);
    assert.equal(page.url(), before);
    const [archive] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert.equal(archive.suggestedFilename(), "rubric-playground.zip");
    await said(page, "rubric-playground.zip");
  }
  await page.close();
});

test("a damaged link is reported", async () => {
  const broken = await open("1.AAAA");
  await said(broken, "the link cannot be read");
  await broken.close();
});

test("a link from an older evaluator says whether the results differ", async () => {
  const state = { files: [{ name: "a.eval.yaml", text: two }], active: "a.eval.yaml", grades: { a: [{ grader: "rubric", id: "one", satisfied: false }] }, case: "a", tab: "verdict" };
  const linkOf = (results) => packed({ state, evaluator: "0.0.1", results });
  const other = await open(linkOf({ findings: { "a.eval.yaml": ["no-such-rule", "unknown-key"] }, scores: { a: 0.5 } }));
  await said(other, "made with evaluator 0.0.1, and this is 0.1.0-dev: the results differ. a.eval.yaml had 2 problems then and has 1 now; case a scored 0.5 then and scores 0.25 now.");
  await other.close();
  const same = await open(linkOf({ findings: { "a.eval.yaml": ["dominant-weight"] }, scores: { a: 0.25 } }));
  assert.match(await said(same, /made with evaluator 0.0.1, and this is .*: the results/), /the results are the same/);
  await same.close();
});

/** evalset opens files with an evalset among them, and gives a link to what comes of it. */
async function evalset(files, act = async () => undefined) {
  const page = await open();
  await bring(page, files);
  await page.getByRole("tab", { name: "banking.evalset.json" }).click();
  await choose(page, "Verdict");
  await page.locator(".outcome .verdict").waitFor();
  await act(page);
  const link = await copied(page);
  await page.close();
  return link;
}

/** opened gives what a page says that opens a link. */
async function opened(link, what) {
  const page = await open(packed(link));
  const words = await said(page, what);
  await page.close();
  return words;
}

describe("a link to an evalset", () => {
  const about = "checks_then_transfers", tools = "rubric_based_tool_use_quality_v1";
  let href, link;
  before(async () => {
    href = await evalset(banking, async (page) => {
      await untick(page.locator(`[id="ruling-${tools}-2-checks_balance"]`)); // as a judge would have it
      await page.locator(".outcome", { hasText: "FAILED 6 of 7" }).waitFor();
    });
    link = unpacked(href);
  });

  test("holds what the case comes to by the verdicts that were given, in few letters", () => {
    const { "": whole, [tools]: typed, ...others } = link.results.measures[about];
    assert.deepEqual([whole, typed, new Set(Object.values(others).map((words) => words.split(" ")[0]))], ["FAILED", "FAILED 0.6667", new Set(["PASSED"])]);
    const { measures, ...results } = link.results;
    assert.ok(packed(link).length - packed({ ...link, results }).length < 200);
  });

  test("says whether the results differ, a case's, a metric's and those that are no more", async () => {
    assert.match(await opened({ ...link, evaluator: "0.0.1" }, "the results"), /^This link was made with evaluator 0\.0\.1, and this is .*: the results are the same\.$/);
    const measures = { [about]: { ...link.results.measures[about], "": "PASSED", response_match_score: "PASSED 1", gone_v1: "FAILED 0" } };
    assert.match(await opened({ ...link, evaluator: "0.0.1", results: { ...link.results, measures } }, "the results"), new RegExp(
      `the results differ\\. case ${about} was PASSED then and is FAILED now; response_match_score of case ${about} was PASSED 1 then and is PASSED 0\\.9\\d* now; gone_v1 of case ${about} was FAILED 0 then and is NOT_EVALUATED now\\.$`));
    assert.match(await opened({ ...link, results: { ...link.results, measures } }, "the results"), /^Here the results differ\. case/);
  });

  test("of a playground that kept no such results opens as it did", async () => {
    const { findings, scores } = link.results;
    assert.match(await opened({ ...link, evaluator: "0.0.1", results: { findings, scores } }, "the results"), /the results are the same\.$/);
  });

  test("tells of nothing where it was made, and there is nothing else to tell", async () => {
    const page = await open(packed(link), "", () => {
      globalThis.told = [];
      addEventListener("DOMContentLoaded", () => {
        const place = document.getElementById("status");
        new MutationObserver(() => globalThis.told.push(place.textContent)).observe(place, { childList: true });
      });
    });
    await page.locator(".outcome", { hasText: "FAILED 6 of 7" }).waitFor();
    await copied(page); // for which everything is asked once more, after what the link was compared by
    assert.deepEqual((await page.evaluate(() => globalThis.told)).map((words) => words.slice(0, 18)), ["The link is copied"]);
    await page.close();
  });

  test("without a recording, or with a configuration that is refused, says that it could be measured then", async () => {
    const { "banking.evalset_result.json": _, ...alone } = banking;
    const part = unpacked(await evalset(alone));
    assert.equal(part.results.measures[about].tool_trajectory_avg_score, "NOT_EVALUATED");
    assert.match(await opened({ ...part, evaluator: "0.0.1" }, "the results"), /the results are the same\.$/);
    const files = link.state.files.map((f) => (f.name === "test_config.json" ? { ...f, text: '{"criteria": {"no_such_metric": 1}}' } : f));
    assert.match(await opened({ ...link, state: { ...link.state, files } }, "the results"), new RegExp(`case ${about} was FAILED then and is NOT_EVALUATED now; .*and \\d+ more\\.$`));
  });
});

test("the server's token is neither stored nor shared", async () => {
  const page = await open(site.address.hash.slice(1));
  const token = site.address.hash.split("=")[1];
  assert.ok(token.length > 10);
  assert.ok(!(await copied(page)).includes(token));
  await page.close();
});

quiet(there);
