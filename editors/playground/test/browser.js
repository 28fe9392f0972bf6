// The built page, served by the command line, in Debian's Chromium.
import { spawn } from "node:child_process";
import { once } from "node:events";
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
  const open = async (...where) => {
    const page = await visit(...where);
    await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
    return page;
  };
  return { open, visit, close: () => browser.close() };
}

/** write pastes a text in place of the active file's. */
export async function write(page, text) {
  await page.locator("#editor .host:not([hidden]) .cm-content").click();
  await page.keyboard.press("Control+A");
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press("Control+V");
}

/** choose shows a pane. */
export const choose = (page, label) => page.getByRole("tab", { name: label }).click();
