// What the built pages need beside VitePress: the schemas, the playground, a content security
// policy, and headers for hosts that read them from a file.
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

// policy allows a page its own files and inline scripts. Highlighted code has style attributes.
const policy = (scripts) => "default-src 'none'; connect-src 'self'; img-src 'self' data:; font-src 'self'; style-src 'self' 'unsafe-inline'; " +
  `script-src 'self' ${scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`).join(" ")}; base-uri 'none'; form-action 'none'`;

/** finish completes the site in the folder out. The playground is there if it is built. */
export function finish(root, out) {
  for (const name of readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".html"))) {
    const file = path.join(out, name);
    const html = readFileSync(file, "utf8");
    const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs)].map(([, body]) => body);
    writeFileSync(file, html.replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy(scripts)}">`));
  }
  cpSync(path.join(root, "editors/schema"), path.join(out, "schema"), { recursive: true, filter: (file) => !file.endsWith(".md") });
  const page = path.join(root, "editors/playground/dist");
  if (existsSync(page)) cpSync(page, path.join(out, "playground"), { recursive: true });
  const { workers } = JSON.parse(readFileSync(path.join(root, "editors/playground/policies.json"), "utf8"));
  writeFileSync(path.join(out, "_headers"), headers({
    "/*": { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin" },
    "/schema/*.json": { "Access-Control-Allow-Origin": "*" },
    "/assets/*": immutable,
    "/playground/assets/*": immutable,
    ...Object.fromEntries(Object.entries(workers).map(([worker, own]) => [`/playground/assets/${worker}*`, { "Content-Security-Policy": own }])),
  }));
}

// Names of these files contain a hash of their content.
const immutable = { "Cache-Control": "public, max-age=31536000, immutable" };

const headers = (rules) => Object.entries(rules)
  .map(([pattern, fields]) => `${pattern}\n${Object.entries(fields).map(([name, value]) => `  ${name}: ${value}\n`).join("")}`).join("");
