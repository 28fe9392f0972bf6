// What somebody has before them is sent as a link, and comes back from it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { choose, playground, quiet, says, write } from "./browser.js";
import { two } from "./texts.js";

const there = await playground();
const { open, site } = there;

/** said waits until the page says something about itself, and gives all of it. */
async function said(page, what) {
  const place = page.locator("#said", { hasText: what });
  await place.waitFor();
  return place.innerText();
}

async function copied(page) {
  await page.getByRole("button", { name: "Copy link" }).click();
  await said(page, "The link is copied");
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a link brings everything back, and one with a secret is not made", async () => {
  const page = await open();
  await write(page, two);
  await choose(page, "Verdict");
  await says(page, "Says it kindly");
  await page.getByRole("checkbox", { name: "satisfied" }).uncheck();
  await says(page, "fail score 0.25");
  const link = await copied(page);
  await write(page, "evalcases: []\n");
  const other = await open(new URL(link).hash.slice(1));
  await says(other, "fail score 0.25");
  assert.match(await other.locator(".cm-content").innerText(), /Says it kindly/);
  await write(other, two.replace("Say it", "use sk-proj-abcdefghijklmnop0123456789"));
  await said(other, "This is not kept in the browser: line 4 of support.eval.yaml looks like an API key");
  await other.getByRole("button", { name: "Copy link" }).click();
  await said(other, "No link is made: line 4 of support.eval.yaml looks like an API key");
  await other.close();
  await page.close();
});

test("what is wrong with a link is said", async () => {
  const broken = await open("1.AAAA");
  await said(broken, "the link cannot be read");
  await broken.close();
});

test("a link from an older evaluator says whether the results differ", async () => {
  const state = { files: [{ name: "a.eval.yaml", text: two }], active: "a.eval.yaml", grades: { a: [{ grader: "rubric", id: "one", satisfied: false }] }, case: "a", tab: "verdict" };
  const linkOf = (results) => `1.${deflateRawSync(JSON.stringify({ state, evaluator: "0.0.1", results })).toString("base64url")}`;
  const other = await open(linkOf({ findings: { "a.eval.yaml": ["no-such-rule", "unknown-key"] }, scores: { a: 0.5 } }));
  await said(other, "made with evaluator 0.0.1, and this is 0.1.0-dev: the results differ. a.eval.yaml had 2 problems then and has 1 now; case a scored 0.5 then and scores 0.25 now.");
  await other.close();
  const same = await open(linkOf({ findings: { "a.eval.yaml": ["dominant-weight"] }, scores: { a: 0.25 } }));
  assert.match(await said(same, /made with evaluator 0.0.1, and this is .*: the results/), /the results are the same/);
  await same.close();
});

test("a live address leaves no token in what is kept or shared", async () => {
  const page = await open(site.address.hash.slice(1));
  const token = site.address.hash.split("=")[1];
  assert.ok(token.length > 10);
  assert.ok(!(await copied(page)).includes(token));
  await page.close();
});

quiet(there);
