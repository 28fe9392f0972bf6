// The size of the page's first load.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";

/** brotli returns the size of a file as a host of static files sends it, at a quality of 11, or faster and somewhat larger. */
async function brotli(body, quality) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return (await promisify(brotliCompress)(body, { params })).length;
}

/** later tells of the whole evaluator, which is no part of the first load. */
const later = (name) => /^rubric-(?!small-).*\.wasm$/.test(name);

// The first load is all that comes over the wire until the page can be used: every file
// that it has but the whole evaluator, which is fetched when a run or a file needs it,
// or, for times without a network, when the page has been ready for a while already.
test("the page is small", async () => {
  const files = await Promise.all(readdirSync("dist", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(async ({ name, parentPath }) => {
    const body = readFileSync(path.join(parentPath, name));
    return { name, brotli: await brotli(body, later(name) ? 10 : 11), gzip: gzipSync(body, { level: 9 }).length };
  }));
  const sum = (is, encoding = "brotli") => files.filter((file) => is(file.name)).reduce((all, file) => all + file[encoding], 0);
  const evaluator = sum((name) => /^rubric-small-.*\.wasm$/.test(name));
  const scripts = sum((name) => name.endsWith(".js"), "gzip"), load = sum((name) => !later(name)), whole = sum(later);
  console.log(`JavaScript ${scripts} bytes by gzip, first load ${load} bytes by brotli, ${evaluator} of them the evaluator; the whole evaluator ${whole}`);
  assert.ok(scripts > 0 && scripts <= 250_000, `JavaScript ${scripts}`);
  assert.ok(load > 0 && load <= 2_200_000, `first load ${load}`);
  assert.ok(evaluator > 0 && evaluator <= 1_900_000, `the evaluator ${evaluator}`);
  assert.ok(whole > 0 && whole <= 2_750_000, `the whole evaluator ${whole}`); // it shows that a large package has come in
});
