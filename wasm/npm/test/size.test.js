import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";

// The other limits are in ../../size_test.go; README.md there says where the bytes go.
test("the module is small enough for a page", async () => {
  const wasm = await readFile(new URL("../dist/rubric.wasm", import.meta.url));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const packed = brotliCompressSync(wasm, { params }).length;
  console.log(`${wasm.length} bytes, ${packed} by brotli`);
  assert.ok(packed <= 1_820_000, `${packed} bytes by brotli`);
});
