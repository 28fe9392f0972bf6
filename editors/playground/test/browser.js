// The built page, served by the command line, in Debian's Chromium.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

export const program = process.env.RUBRIC ?? path.resolve("test/bin/rubric");

/** serve starts `rubric playground` and gives the address that it prints. */
export async function serve() {
  const server = spawn(program, ["playground"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(server.stdout, "data");
  const address = new URL(String(line).trim());
  return { address, stop: () => (server.kill("SIGINT"), once(server, "exit")) };
}

/**
 * browse starts a browser of its own: `open` opens the playground, without what was
 * kept there unless that is wanted, and waits until it can be used.
 */
export async function browse(address, { faults = [], requests = [], ...context } = {}) {
  const home = mkdtempSync(path.join(os.tmpdir(), "playground-"));
  const browser = await chromium.launchPersistentContext(home, {
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    permissions: ["clipboard-read", "clipboard-write"],
    ...context,
  });
  browser.on("request", (request) => requests.push(request.url()));
  const open = async (fragment = "", { query = "", kept = false } = {}) => {
    const page = await browser.newPage();
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && faults.push(m.text()));
    page.on("pageerror", (fault) => faults.push(String(fault)));
    if (!kept) {
      await page.goto(`${address.origin}/icon.svg`);
      await page.evaluate(() => new Promise((done) => Object.assign(indexedDB.deleteDatabase("rubric-playground"), { onsuccess: done, onerror: done, onblocked: done })));
    }
    await page.goto(`${address.origin}/${query}${fragment && `#${fragment}`}`);
    await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
    return page;
  };
  return { browser, open, close: () => browser.close() };
}

/** write puts a text in place of the active file's. */
export async function write(page, text) {
  await page.locator("#editor .host:not([hidden]) .cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

/** choose shows a pane. */
export const choose = (page, label) => page.getByRole("tab", { name: label }).click();
