// Every link of the built site, without a network: pages, anchors and files are there, and nothing
// is loaded from another host.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const site = path.resolve(".vitepress/dist");
const pages = new Map(readdirSync(site, { recursive: true })
  .filter((name) => name.endsWith(".html") && !name.startsWith("playground"))
  .map((name) => [path.join(site, name), readFileSync(path.join(site, name), "utf8")]));

const unescape = (text) => text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
const attributes = (html, pattern) => [...html.matchAll(pattern)].map(([, value]) => unescape(value));
const anchors = new Map([...pages].map(([file, html]) => [file, new Set(attributes(html, /\s(?:id|name)="([^"]*)"/g))]));

/** fault says what is wrong with a link of a page, if anything. */
function fault(file, link) {
  const [, target, anchor] = link.match(/^([^#]*)#?(.*)$/);
  const to = target ? path.join(path.dirname(file), decodeURI(target)) : file;
  if (!to.startsWith(site)) return "leaves the site";
  if (target.startsWith("/")) return "only works at the root of a host";
  if (to.startsWith(path.join(site, "playground")) && !existsSync(path.join(site, "playground"))) return ""; // not built
  if (!existsSync(to)) return "leads nowhere";
  if (anchor && anchors.has(to) && !anchors.get(to).has(decodeURIComponent(anchor))) return "has no such anchor";
  return "";
}

test("every link leads to a page, an anchor or a file", () => {
  let links = 0;
  const faults = [];
  for (const [file, html] of pages) {
    for (const link of attributes(html, /\s(?:href|src)="([^"]*)"/g).filter((link) => !/^(https?|mailto|data):/.test(link))) {
      links++;
      const found = fault(file, link);
      if (found) faults.push(`${path.relative(site, file)}: ${link} ${found}`);
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(links > 1000, `only ${links} links`);
});

test("no page loads anything from another host", () => {
  for (const [file, html] of pages) {
    assert.deepEqual(attributes(html, /<(?:script|img|iframe|link)\b[^>]*\s(?:src|href)="((?:https?:)?\/\/[^"]*)"/g), [], file);
    assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'self';/, file);
  }
});

test("each schema is at its $id", () => {
  const schemas = readdirSync(path.join(site, "schema")).filter((name) => name.endsWith(".json"));
  for (const name of schemas) {
    assert.equal(JSON.parse(readFileSync(path.join(site, "schema", name), "utf8")).$id, `https://rubric-ls.github.io/schema/${name}`);
  }
  assert.deepEqual(schemas, readdirSync("../../editors/schema").filter((name) => name.endsWith(".json")));
});

test("every page is in the navigation", async () => {
  const { pages: listed } = await import("../.vitepress/pages.js");
  const names = [...listed.map(([address]) => `${address}.html`), "404.html"].sort();
  assert.deepEqual([...pages.keys()].map((file) => path.relative(site, file)).sort(), names);
});
