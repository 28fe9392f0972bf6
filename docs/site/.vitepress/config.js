// The documentation site: the repository's own Markdown, under addresses of its own. Links to
// files that are no pages lead to the repository's host.
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { finish } from "./finish.js";
import { pages, sidebar } from "./pages.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const source = fileURLToPath(new URL("pages", import.meta.url));
const icon = readFileSync(path.join(root, "editors/playground/public/icon.svg"), "base64");
const repository = "https://github.com/rubric-ls/rubric";

const addressOf = new Map(pages.map(([address, file]) => [file, `/${address}.md`]));
const fileOf = new Map(pages.map(([address, file]) => [`${address}.md`, file]));
rmSync(source, { recursive: true, force: true });
// Only folders with a dot: tests that walk the repository run at the same time.
for (const [page, file] of fileOf) cpSync(path.join(root, file), path.join(source, page));

// hosted matches links to the repository's files on its host.
const hosted = /^https:\/\/(raw\.githubusercontent\.com\/rubric-ls\/rubric|github\.com\/rubric-ls\/rubric\/(blob|tree))\/main\//;

// fileAt returns the file of the repository that a link of a page's file leads to.
function fileAt(link, from) {
  const file = hosted.test(link) ? link.replace(hosted, "") : path.posix.join(path.posix.dirname(from), decodeURI(link)).replace(/\/$/, "");
  if (!existsSync(path.join(root, file))) throw new Error(`${from} leads to ${link}, which does not exist`);
  return file;
}

// siteLink returns the site's address for a link of a page's file.
function siteLink(link, from) {
  const [, target, anchor] = link.match(/^([^#]*)(.*)$/);
  if (!target || (/^[a-z]+:/.test(target) && !hosted.test(target))) return link;
  const file = fileAt(target, from);
  const [, schema] = file.match(/^editors\/schema\/(.*\.json)$/) ?? [];
  if (schema) return `/schema/${schema}`;
  return addressOf.has(file) ? addressOf.get(file) + anchor : `${repository}/blob/main/${file}${anchor}`;
}

// rewriteLinks changes the links and pictures of a page before VitePress reads them.
function rewriteLinks({ tokens, env: { relativePath: page } }) {
  const from = fileOf.get(page);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === "link_open") token.attrSet("href", siteLink(token.attrGet("href"), from));
    if (token.type === "image") token.attrSet("src", path.relative(path.join(source, page, ".."), path.join(root, fileAt(token.attrGet("src"), from))));
  }
}

// slugify makes the anchors of GitHub, so that a link with an anchor works there too.
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");

export default defineConfig({
  title: "rubric",
  description: "A fast linter, runner and language server for LLM-eval rubrics",
  base: "./",
  srcDir: "./.vitepress/pages",
  // An address of the icon would be relative to the first page that a visitor opens.
  head: [["link", { rel: "icon", href: `data:image/svg+xml;base64,${icon}` }], ["meta", { name: "color-scheme", content: "light dark" }]],
  ignoreDeadLinks: [/^\/(playground|schema)\/.+\.(html|json)$/],
  markdown: {
    anchor: { slugify },
    config(markdown) {
      markdown.core.ruler.push("repository-links", rewriteLinks);
      for (const rule of ["text", "code_inline"]) { // Vue would read {{ }} as JavaScript
        const render = markdown.renderer.rules[rule];
        markdown.renderer.rules[rule] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
      }
    },
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: "Guide", link: "/guide" },
      { text: "Commands", link: "/commands" },
      { text: "Rules", link: "/rules" },
      { text: "Playground", link: "/playground/index.html", target: "_self" },
    ],
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repository }],
  },
  buildEnd: ({ outDir }) => finish(root, outDir),
});
