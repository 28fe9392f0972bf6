// The size of the page's first load.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

// The first load is all that comes over the wire until the page can be used: every file
// that it has but the larger evaluator, which is fetched when a file names a JSON Schema,
// or, for times without a network, when the page has been ready for a while already.
test("the page is small", () => {
  const folder = path.resolve("packed");
  const sum = (is) => readdirSync(folder, { recursive: true }).filter(is).reduce((all, file) => all + statSync(path.join(folder, file)).size, 0);
  const later = (file) => /rubric-schemas-[^/]*\.wasm\.br$/.test(file);
  const evaluator = sum((file) => /rubric-(?!schemas-)[^/]*\.wasm\.br$/.test(file));
  const scripts = sum((file) => file.endsWith(".js.gz")), load = sum((file) => file.endsWith(".br") && !later(file)), larger = sum(later);
  console.log(`JavaScript ${scripts} bytes by gzip, first load ${load} bytes by brotli, the larger evaluator ${larger}`);
  assert.ok(scripts > 0 && scripts <= 250_000, `JavaScript ${scripts}`);
  assert.ok(load > 0 && load <= 2_200_000, `first load ${load}`);
  assert.ok(evaluator > 0 && evaluator <= 2_000_000, `the evaluator ${evaluator}`);
  assert.ok(larger > 0 && larger <= 2_500_000, `the larger evaluator ${larger}`);
});
