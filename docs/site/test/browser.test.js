// The built site in Debian's Chromium, below a path, as any static host serves it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";

const below = "/some/path/";
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const name = decodeURI(new URL(request.url, "http://localhost").pathname);
  try {
    const body = readFileSync(path.join(".vitepress/dist", name.slice(below.length) || "index.html"));
    response.writeHead(name.startsWith(below) ? 200 : 404, { "Content-Type": types[path.extname(name)] ?? "text/html" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
let browser, address;
before(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  address = `http://127.0.0.1:${server.address().port}${below}`;
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--disable-gpu"] });
});
after(async () => {
  await browser.close();
  server.close();
});

/** open opens a page of the site and asserts at the end that nothing failed and no other host was asked. */
async function open(t, name, options) {
  const page = await browser.newPage(options);
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => request.url().startsWith(address) || request.url().startsWith("data:") || faults.push(request.url()));
  t.after(async () => {
    await page.close();
    assert.deepEqual(faults, []);
  });
  await page.goto(address + name);
  await page.waitForFunction(() => document.querySelector("#app").__vue_app__);
  return page;
}

test("search finds a rule and leads to it", async (t) => {
  const page = await open(t, "guide.html");
  await page.keyboard.press("Control+k");
  await page.fill("#localsearch-input", "score-range-gap");
  await page.click(".results a[href*='rules.html#']");
  await page.waitForURL(`${address}rules.html#*`);
});

test("a link opens its page without loading the site again", async (t) => {
  const page = await open(t, "index.html");
  await page.evaluate(() => (window.same = true));
  await page.click(".VPSidebar a[href$='fields/adk.html']");
  await page.waitForSelector("h1:has-text('ADK eval files')");
  assert.ok(await page.evaluate(() => window.same));
});

test("the playground starts below the same path", async (t) => {
  const page = await open(t, "index.html");
  await page.click(".VPNavBarMenu a[href$='playground/index.html']");
  await page.waitForSelector("html[data-ready]");
  assert.equal(page.url(), `${address}playground/index.html`);
});

for (const [width, colorScheme] of [[320, "light"], [1400, "dark"]]) {
  test(`${width} pixels wide and ${colorScheme}, axe has no finding`, async (t) => {
    for (const name of ["index.html", "fields/adk.html", "schema/index.html"]) {
      const page = await open(t, name, { colorScheme, viewport: { width, height: 900 } });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} scrolls sideways`);
      assert.equal(await page.evaluate(() => document.documentElement.classList.contains("dark")), colorScheme === "dark");
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name.replace("/", "-")}-${width}.png` });
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
      assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).slice(0, 3).join(" | ")}`), [], name);
    }
  });
}
