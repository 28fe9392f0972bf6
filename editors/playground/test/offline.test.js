// The page without a network, and its updates.
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { test } from "node:test";
import { open, openFiles, startBrowser, choose, textSaved, playground, nothingElse, paneShows, write } from "./browser.js";
import { faulty } from "./texts.js";

const serviceWorkers = "allow";
const fixture = await playground({ serviceWorkers });

test("the page works without a network", async () => {
  const page = await fixture.open();
  await page.waitForFunction(() => navigator.serviceWorker.controller ?? navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await write(page, faulty);
  await choose(page, /Problems/);
  await paneShows(page, "did you mean weight?");
  await openFiles(page, { "x.eval.yaml": `# yaml-language-server: $schema=house.schema.json\n${faulty}`, "house.schema.json": `{"required":["owner"]}` });
  await page.getByRole("tab", { name: "x.eval.yaml", exact: true }).click();
  await paneShows(page, "owner is missing");
  await page.context().setOffline(false);
  await page.close();
});

test("an update is offered and applied on request", async (t) => {
  let newer = false;
  const host = http.createServer(async (request, out) => { // of the same page, and of a newer one
    const answer = await fetch(new URL(request.url, fixture.site.address));
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)));
    out.writeHead(answer.status, headers).end(newer && request.url === "/offline-worker.js" ? String(body).replace(/rubric-[0-9a-f]{16}/, "rubric-0123456789abcdef") : body);
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  const otherBrowser = await startBrowser(new URL(`http://127.0.0.1:${host.address().port}/`), { faults: fixture.faults, serviceWorkers });
  t.after(async () => {
    await otherBrowser.close();
    host.closeAllConnections();
    host.close();
  });
  const page = await otherBrowser.open();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await open(other);
  newer = true;
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const button = page.getByRole("button", { name: "Update ready: reload" });
  await button.waitFor();
  await write(page, faulty); // nothing has been reloaded under somebody's hands
  await choose(page, /Problems/);
  await paneShows(page, "did you mean weight?");
  await textSaved(page, "weigth");
  await Promise.all([page.waitForEvent("load"), button.click()]);
  await page.waitForSelector("html[data-ready]");
  await page.locator(".cm-content", { hasText: "weigth" }).waitFor();
  assert.deepEqual(await page.evaluate(async () => (await caches.keys()).filter((k) => k.startsWith("rubric-"))), ["rubric-0123456789abcdef"]);
  await Promise.all([other.waitForEvent("load"), other.getByRole("button", { name: "Update ready: reload" }).click()]);
  await open(other);
  assert.equal(await other.getByRole("button", { name: "Update ready: reload" }).count(), 0);
});

nothingElse(fixture);
