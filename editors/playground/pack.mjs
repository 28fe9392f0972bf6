// node pack.mjs OUT writes the built page to a folder, each file as NAME.gz, which the command
// line serves, and as NAME.br, which other servers can.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";

const [out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
for (const name of readdirSync(out)) if (name !== ".gitignore") rmSync(path.join(out, name), { recursive: true });
const compress = promisify(brotliCompress); // in a thread of its own
await Promise.all(readdirSync("dist", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(async (entry) => {
  const file = path.join(entry.parentPath, entry.name);
  const to = path.join(out, path.relative("dist", file));
  const body = readFileSync(file);
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(`${to}.gz`, gzipSync(body, { level: 9 }));
  writeFileSync(`${to}.br`, await compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length, [constants.BROTLI_PARAM_LGWIN]: 24 } }));
}));
