// The built page, served by the command line, in Debian's Chromium.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { after, test } from "node:test";
import { chromium } from "playwright-core";

export const program = process.env.RUBRIC ?? path.resolve("test/bin/rubric");

/** serve starts `rubric playground`, at a port of its own unless the flags say otherwise, and returns the address that it prints. */
export async function serve(flags = ["--addr", "127.0.0.1:0"]) {
  const server = spawn(program, ["playground", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  server.stderr.on("data", (more) => process.stderr.write(((errors += more), more)));
  const [line] = await once(server.stdout, "data");
  const address = new URL(String(line).trim());
  return { address, errors: () => errors, stop: () => (server.kill("SIGINT"), once(server, "close")) };
}

/** open waits until the evaluator answers. */
export const open = (page) => page.waitForSelector("html[data-ready]", { timeout: 60_000 });

/**
 * browse starts a browser; `visit` opens the playground as somebody sees it who was
 * never there before, and `open` waits until the evaluator answers, too. A script is run before the page's own.
 */
export async function browse(address, { faults = [], requests = [] } = {}) {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const visit = async (fragment = "", query = "", script = undefined) => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    context.on("request", (request) => requests.push(request.url()));
    const page = await context.newPage();
    if (script) await page.addInitScript(script);
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && faults.push(m.text()));
    page.on("pageerror", (fault) => faults.push(String(fault)));
    await page.goto(`${address.origin}/${query}${fragment && `#${fragment}`}`);
    return page;
  };
  const opened = async (...where) => {
    const page = await visit(...where);
    await open(page);
    return page;
  };
  return { open: opened, visit, close: () => browser.close() };
}

/** playground is the page with a browser until a file's tests have ended, what went wrong there, and the addresses that were asked. */
export async function playground() {
  const site = await serve();
  const faults = [], requests = [];
  const browser = await browse(site.address, { faults, requests });
  after(async () => {
    await browser.close();
    await site.stop();
  });
  return { site, faults, requests, ...browser };
}

/** quiet is the last of a file's tests: nobody else was asked but who its tests name, and nothing was refused or failed but what they bring about. */
export function quiet({ site, faults, requests }, { asked = [], meant = [] } = {}) {
  test("no other hosts were contacted, and nothing failed", () => {
    const own = [site.address.origin, ...asked];
    assert.deepEqual(requests.filter((url) => !own.includes(new URL(url).origin) && !/^(blob|data):/.test(url)), []);
    assert.deepEqual(faults.filter((fault) => !meant.some((part) => fault.includes(part))), []);
  });
}

/** write pastes a text in place of the active file's. */
export async function write(page, text) {
  await page.locator("#editor .host:not([hidden]) .cm-content").click();
  await page.keyboard.press("Control+A");
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press("Control+V");
}

/** bring opens files, by their names, as somebody does who chooses them all at once. */
export const bring = (page, files) => page.locator("input[type=file]").setInputFiles(Object.entries(files).map(([name, body]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(body) })));

/** choose shows a pane. */
export const choose = (page, label) => page.getByRole("tab", { name: label }).click();

/** pane is the one that is shown. */
export const pane = (page) => page.locator("#pane");

/** says waits until the pane says something. */
export const says = (page, what) => pane(page).filter({ hasText: what }).waitFor();

/** untick takes a checkbox from whatever it says, nothing yet among it, to no. */
export async function untick(box) {
  await box.check();
  await box.uncheck();
}

/** keeping waits until something is so of the page's workspace as the browser has it saved; for so many milliseconds. */
export async function keeping(page, so, within = 30_000) {
  const saved = () => page.evaluate(async () => {
    const settled = (asked) => new Promise((done, fail) => Object.assign(asked, { onsuccess: () => done(asked.result), onerror: () => fail(asked.error) }));
    const db = await settled(indexedDB.open("rubric-playground"));
    return (await settled(db.transaction("workspaces").objectStore("workspaces").get(history.state.workspace)).finally(() => db.close()))?.state ?? null;
  });
  for (const end = Date.now() + within; !so(await saved()); await page.waitForTimeout(50)) assert.ok(Date.now() < end, "it is not saved");
}

/** kept waits until the browser keeps a state with some words in it. */
export const kept = (page, words, within) => keeping(page, (state) => JSON.stringify(state).includes(words), within);
