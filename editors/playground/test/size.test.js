// How much somebody loads who opens the page.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

test("the page is small", () => {
  const folder = path.resolve("../../cmd/internal/host/page/site");
  const sum = (ending) => readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(ending)).reduce((all, file) => all + statSync(path.join(folder, file)).size, 0);
  const scripts = sum(".js.gz"), load = sum(".br");
  console.log(`JavaScript ${scripts} bytes by gzip, first load ${load} bytes by brotli`);
  assert.ok(scripts > 0 && scripts <= 250_000, `JavaScript ${scripts}`);
  assert.ok(load > 0 && load <= 2_000_000, `first load ${load}`);
});
