// The local server, which the page came from, runs cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startBrowser, choose, pane, playground, nothingElse, serve, settles } from "../browser.js";
import { cases } from "./cases.js";
import { ran } from "./command.js";
import { address } from "./model.js";
import { openRunPane, press, status } from "./pane.js";

const fixture = await playground({ serviceWorkers: "allow" });
const { open, site } = fixture;

/** rowShows waits until a line of the pane is as an expression says. */
const rowShows = (page, what) => settles(async () => what.test(await pane(page).innerText()), true, String(what));

test("the server is shown before it is asked, and runs a case by its own judges", async () => {
  const page = await openRunPane(open, { fragment: site.address.hash.slice(1) });
  await page.locator("#judge").selectOption("live");
  await pane(page).getByText(`at ${site.address.host}`).waitFor();
  await pane(page).getByText("It can ask: offline").waitFor();
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases");
  for (const { eval_id, verdict, score } of await ran({ "x.eval.yaml": cases }, ["--judge", "offline"])) await rowShows(page, new RegExp(`^${verdict}\\s+${eval_id}\\s+${score}`, "m"));
  await page.getByLabel("Its judge").fill("openai:MODEL");
  await press(page, "Run case a");
  await status(page, "Put the model's name");
  await page.getByLabel("Its judge").fill("cli:false");
  await press(page, "Run case a");
  await status(page, /ungraded/);
  await page.close();
});

test("a run is cancelled whenever Cancel is pressed", async () => {
  const early = `const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (message) {
      if (message.includes('"rubric.runFile"')) [...document.querySelectorAll("button")].find((b) => b.textContent === "Cancel").click();
      return send.call(this, message);
    };`;
  const page = await openRunPane(open, { fragment: site.address.hash.slice(1), script: early });
  await page.locator("#judge").selectOption("live");
  await pane(page).getByText("It can ask: offline").waitFor();
  await page.getByLabel("Its judge").fill("cli:sleep 100");
  await press(page, "Run all 2 cases"); // and the server hears of the end first
  await status(page, "Cancelled after 0 of 2");
  await page.evaluate(() => {
    const button = (name) => [...document.querySelectorAll(".runs button")].find((b) => b.textContent === name);
    button("Run case a").click();
    button("Cancel").click();
  });
  await status(page, "Cancelled after 0 of 1");
  await page.close();
});

test("the server measures a result file alone, by the configuration that is open beside it", async () => {
  const files = Object.fromEntries(["banking.evalset_result.json", "test_config.json"].map((name) => [name, readFileSync(`../../testdata/quickstart/banking/${name}`, "utf8")]));
  const page = await openRunPane(open, { files, fragment: site.address.hash.slice(1) });
  await page.locator("#judge").selectOption("live");
  await pane(page).getByText("It can ask: offline").waitFor(); // until then a run says that the server does not answer
  await press(page, "Run all 4 cases");
  await status(page, "Done: 4 cases");
  for (const { eval_id, verdict } of await ran(files, ["--judge", "offline"])) await rowShows(page, new RegExp(`^${verdict}\\s+${eval_id}`, "m"));
  await page.close();
});

test("a wrong token is reported, and without a token the server is not offered", async () => {
  const wrong = await openRunPane(open, { fragment: "live=wrong" });
  await wrong.locator("#judge").selectOption("live");
  await pane(wrong).getByText("the local server does not answer").waitFor();
  await press(wrong, "Run case a");
  await status(wrong, "The local server does not answer");
  await wrong.locator("#judge").selectOption("offline");
  await press(wrong, "Run case a");
  await status(wrong, "Done: 1 case");
  await wrong.close();
  const none = await openRunPane(open);
  assert.equal(await none.locator("#judge option[value=live]").count(), 0);
  await none.close();
});

test("a page of another origin is rejected despite the token", async () => {
  const page = await open();
  const token = site.address.hash.split("=")[1];
  await page.goto(`${address}/`);
  const outcome = await page.evaluate((to) => new Promise((done) => {
    const socket = new WebSocket(to);
    socket.onopen = () => done("let in");
    socket.onerror = () => done("refused");
  }), `ws://${site.address.host}/lsp?token=${token}`);
  assert.equal(outcome, "refused");
  await page.close();
});

test("the page reports a server that has ended, and works without it", async (t) => {
  const site = await serve();
  const otherBrowser = await startBrowser(site.address, { serviceWorkers: "allow" });
  t.after(() => otherBrowser.close());
  const page = await otherBrowser.open(site.address.hash.slice(1));
  await choose(page, "Results");
  await page.locator("#judge").selectOption("live");
  await pane(page).getByText(`at ${site.address.host}`).waitFor();
  await site.stop();
  const run = pane(page).getByRole("button", { name: /^Run case/ }); // and not one above a line of the text
  await run.click();
  await status(page, "The local server does not answer");
  await page.locator("#judge").selectOption("offline");
  await run.click();
  await status(page, "Done: 1 case");
});

nothingElse(fixture, { contacted: [address], expectedFaults: ["WebSocket"] });
