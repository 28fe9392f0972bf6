import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";

// The playground's first load is at most 2.2 MB, of which the page takes 0.2 MB. The larger module loads later.
for (const [name, most] of [["rubric", 2_000_000], ["rubric-schemas", 2_500_000]]) {
  test(`${name}.wasm is small enough for a page`, async () => {
    const wasm = await readFile(new URL(`../dist/${name}.wasm`, import.meta.url));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
    const packed = brotliCompressSync(wasm, { params }).length;
    console.log(`${name}.wasm: ${wasm.length} bytes, ${packed} by brotli`);
    assert.ok(packed <= most, `${packed} bytes by brotli`);
  });
}
