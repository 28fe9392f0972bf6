// What the page takes for a secret.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const source = ts.transpileModule(readFileSync("src/secrets.ts", "utf8"), { compilerOptions: { module: "esnext", target: "es2022" } }).outputText;
const { secretInText } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

test("secrets are recognized, and other words are not", () => {
  const { secrets, others } = JSON.parse(readFileSync("test/secrets.json", "utf8"));
  for (const s of secrets) assert.ok(secretInText(`a: 1\nkey: ${s.replaceAll("~", "")}`), s);
  for (const s of others) assert.equal(secretInText(s), undefined, s);
});
