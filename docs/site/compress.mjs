// node compress.mjs FOLDER writes NAME.br and NAME.gz next to each file that gets smaller, for hosts
// that send such files.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
for (const name of readdirSync(folder, { recursive: true }).filter((name) => /\.(html|css|js|json|svg|wasm|webmanifest)$/.test(name))) {
  const body = readFileSync(`${folder}/${name}`);
  const packed = { br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length, [constants.BROTLI_PARAM_LGWIN]: 24 } }), gz: gzipSync(body, { level: 9 }) };
  for (const [ending, bytes] of Object.entries(packed)) if (bytes.length < body.length) writeFileSync(`${folder}/${name}.${ending}`, bytes);
}
