// node pack.mjs OUT writes the built page to a folder as the command line serves it: each
// file as NAME.gz.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const [out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
for (const name of readdirSync(out)) if (name !== ".gitignore") rmSync(path.join(out, name), { recursive: true });
for (const entry of readdirSync("dist", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
  const file = path.join(entry.parentPath, entry.name);
  const to = path.join(out, path.relative("dist", file));
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(`${to}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}
