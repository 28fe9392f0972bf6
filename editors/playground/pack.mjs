// node pack.mjs OUT: puts the built page where the command line takes it from: each
// file as NAME.gz and NAME.br.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [out] = process.argv.slice(2);
for (const name of readdirSync(out)) if (name !== ".gitignore") rmSync(path.join(out, name), { recursive: true });
for (const entry of readdirSync("dist", { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = path.join(entry.parentPath, entry.name);
  const to = path.join(out, path.relative("dist", file));
  const body = readFileSync(file);
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(`${to}.gz`, gzipSync(body, { level: 9 }));
  writeFileSync(`${to}.br`, brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length, [constants.BROTLI_PARAM_LGWIN]: 24 } }));
}
