// The built page, served by the command line, in Debian's Chromium.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import path from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";

export const program = process.env.RUBRIC ?? path.resolve("test/bin/rubric");

/** serve starts `rubric playground` or another command, at a port of its own unless the flags say otherwise, and returns the address that it prints. */
export async function serve(flags = ["--addr", "127.0.0.1:0"], command = "playground") {
  const server = spawn(program, [command, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  server.stderr.on("data", (more) => process.stderr.write(((errors += more), more)));
  const [line] = await Promise.race([
    once(server.stdout, "data"),
    once(server, "close").then(([status]) => Promise.reject(new Error(`${program} ${command} ended with status ${status}: ${errors}`))),
  ]);
  const address = new URL(String(line).trim());
  return { address, errors: () => errors, stop: () => (server.kill("SIGINT"), once(server, "close")) };
}

/** patience is how long anything may take, in milliseconds: a machine may be slow and busy, and waiting costs nothing where nothing fails. */
const patience = 120_000;

/** open waits until the evaluator answers. */
export const open = (page) => page.waitForSelector("html[data-ready]");

/**
 * startBrowser starts a browser. `visit` opens the playground in a new profile; `open` also
 * waits until the evaluator answers. A script runs before the page's own, and prepare gets the browser's context.
 * Each new profile would store the whole page for use without a network and optimise the evaluator, which takes
 * half of the tests' processor time. So only tests of the page without a network, of requests and of lost files allow service workers.
 */
export async function startBrowser(address, { faults = [], requests = [], serviceWorkers = "block" } = {}) {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--js-flags=--liftoff-only", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const contexts = [];
  const walk = async (fragment = "", query = "", script = undefined, prepare = undefined) => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], serviceWorkers });
    contexts.push(context);
    context.setDefaultTimeout(patience);
    context.on("request", (request) => requests.push(request.url()));
    await prepare?.(context);
    const page = await context.newPage();
    if (script) await page.addInitScript(script);
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && !m.text().startsWith("Service Worker registration blocked") && faults.push(m.text()));
    page.on("pageerror", (fault) => faults.push(String(fault)));
    await page.goto(`${address.origin}/${query}${fragment && `#${fragment}`}`);
    return page;
  };
  const opened = async (...where) => {
    const page = await walk(...where);
    await open(page);
    return page;
  };
  return { contexts, open: opened, visit: walk, close: () => browser.close() };
}

/**
 * smallEvaluator prepares a context for the two evaluators that other hosts of the page have. `rubric playground` has the whole
 * one only.
 */
export async function smallEvaluator(context) {
  const name = readdirSync("dist/assets").find((file) => /^rubric-small-.*\.wasm$/.test(file));
  await context.route(`**/${name}`, (route) => route.fulfill({ path: `dist/assets/${name}`, contentType: "application/wasm" }));
}

/**
 * playground serves the page and starts a browser until a file's tests end; it collects console faults and request addresses.
 * A profile that a test opens ends with that test.
 */
export async function playground(options = {}) {
  const site = await serve();
  const faults = [], requests = [];
  const browser = await startBrowser(site.address, { ...options, faults, requests });
  beforeEach(() => void (browser.contexts.length = 0));
  afterEach(() => Promise.all(browser.contexts.map((context) => context.close())));
  after(async () => {
    await browser.close();
    await site.stop();
  });
  return { site, faults, requests, ...browser };
}

/** nothingElse adds a file's last test: no request left for other hosts, and no fault occurred that the file's tests do not cause. */
export function nothingElse({ site, faults, requests }, { contacted = [], expectedFaults = [] } = {}) {
  test("no other hosts were contacted, and nothing failed", () => {
    const allowedOrigins = [site.address.origin, ...contacted];
    assert.deepEqual(requests.filter((url) => !allowedOrigins.includes(new URL(url).origin) && !/^(blob|data):/.test(url)), []);
    assert.deepEqual(faults.filter((fault) => !expectedFaults.some((part) => fault.includes(part))), []);
  });
}

/**
 * settles waits until a value that the page is asked for is the wanted one. Between a wait and a single look
 * the page may be drawn anew.
 */
export async function settles(read, want, what) {
  for (const end = Date.now() + patience; ; await new Promise((done) => setTimeout(done, 50))) {
    const got = await read();
    if (isDeepStrictEqual(got, want)) return;
    if (Date.now() > end) assert.deepEqual(got, want, what);
  }
}

/** hover goes to a place until something is shown: the text may be drawn anew meanwhile, and a hover that an edit's answer interrupts shows nothing. */
export async function hover(page, place, shown) {
  for (let tries = 1; ; tries++) {
    await page.mouse.move(5, 5);
    await place.hover();
    if (await shown.waitFor({ timeout: tries * 2000 }).then(() => true, () => false)) return;
    assert.ok(tries < 10, `a hover shows no ${shown}`);
  }
}

/** write pastes a text in place of the active file's. */
export async function write(page, text) {
  const edit = page.getByRole("tab", { name: "Edit", exact: true }); // on a phone
  const content = page.locator("#editor .host:not([hidden]) .cm-content");
  await content.or(edit).filter({ visible: true }).first().waitFor();
  if (await edit.isVisible()) await edit.click();
  await content.click();
  await page.keyboard.press("Control+A");
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press("Control+V");
}

/** openFiles opens files by name, all selected at once in the file dialog. */
export const openFiles = (page, files) => page.locator("input[type=file]").setInputFiles(Object.entries(files).map(([name, body]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(body) })));

/** hood are the panes under the hood. */
const hood = ["Judge prompt", "Effective rubric", "Reply", "JSON"];

/** choose shows a pane. */
export async function choose(page, label) {
  if (hood.includes(label)) await page.getByRole("tab", { name: "Under the hood" }).click();
  await page.getByRole("tab", { name: typeof label === "string" ? new RegExp(`^${label}( \\(|$)`) : label }).click(); // which may have a number
}

/** chooseIn opens a menu, again if the page moved under the click, and chooses an entry by a key, once. */
export async function chooseIn(page, menu, entry) {
  const opener = page.getByRole("button", { name: menu, exact: true });
  const item = page.getByRole("group", { name: menu, exact: true }).getByRole("button", { name: entry });
  await settles(async () => await item.isVisible() || (await opener.click(), false), true, `${menu}: ${entry}`);
  await item.press("Enter");
}

/** share chooses an entry of the menu Share. */
export const share = (page, entry) => chooseIn(page, "Share", entry);

/** pane is the one that is shown. */
export const pane = (page) => page.locator("#pane");

/** paneShows waits until the pane contains a text. */
export const paneShows = (page, what) => pane(page).filter({ hasText: what }).waitFor();

/** uncheck sets a checkbox to “no” from any state, including undecided. */
export async function uncheck(box) {
  await box.check();
  await box.uncheck();
}

/** workspaceSaved waits until the workspace in the browser's storage satisfies `holds`. */
export async function workspaceSaved(page, holds) {
  const saved = () => page.evaluate(async () => {
    const done = (asked) => new Promise((done, fail) => Object.assign(asked, { onsuccess: () => done(asked.result), onerror: () => fail(asked.error) }));
    const db = await done(indexedDB.open("rubric-playground"));
    return (await done(db.transaction("workspaces").objectStore("workspaces").get(history.state.workspace)).finally(() => db.close()))?.state ?? null;
  });
  for (const end = Date.now() + patience; !holds(await saved()); await page.waitForTimeout(50)) assert.ok(Date.now() < end, "it is not saved");
}

/** textSaved waits until the saved workspace contains a text. */
export const textSaved = (page, words) => workspaceSaved(page, (state) => JSON.stringify(state).includes(words));
