import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { ABI, EvaluatorError, open, spawn } from "../index.js";
import { methods } from "../methods.js";
import { I32, I64, forever, fakeModule, unreachable } from "./module.js";

const file = "evalcases:\n  - id: a\n    expected_outcome: Greets\n    input: Hi 😀\n    rubrics: [Greets]\n    wieght: 1\n";
const reply = { checks: [{ id: "rubric-1", satisfied: true, reasoning: "yes" }], overall_reasoning: "well" };

for (const [name, make] of Object.entries({ open, spawn })) {
  test(`${name} answers every method`, async () => {
    const engine = await make();
    assert.equal((await engine.version()).abi, ABI);
    const { diagnostics } = await engine.check({ text: file });
    assert.deepEqual(diagnostics.map((d) => d.code).filter((code) => code === "unknown-key"), ["unknown-key"]);
    assert.equal((await engine.suite({ text: file })).cases[0].question, "Hi 😀");
    assert.match((await engine.prompt({ text: file })).user, /Greets/);
    assert.equal((await engine.score({ text: file, case: "a", reply })).score, 1);
    assert.deepEqual((await engine.draft({ text: file, reply: "no" })).edits, []);
    assert.deepEqual(methods.filter((method) => typeof engine[method] !== "function"), []);
    await engine.close();
  });

  test(`${name} reports errors and stays usable`, async () => {
    const engine = await make();
    await assert.rejects(engine.call("chekc"), { name: "EvaluatorError", code: "unknown-method" });
    await assert.rejects(engine.check({ txet: "" }), (fault) => fault instanceof EvaluatorError && fault.code === "bad-params");
    await assert.rejects(engine.answer(new Uint8Array(129 << 20)), { code: "internal", message: "a request of 129 MiB is too large" });
    const answer = new TextDecoder().decode(await engine.answer(Uint8Array.of(0xff)));
    assert.equal(answer, '{"id":null,"error":{"code":"bad-request","message":"the request is not UTF-8"}}');
    assert.deepEqual((await engine.version()).dialects.slice(0, 1), ["agentv"]);
    await engine.close();
  });

  test(`${name} survives a crash`, async () => {
    for (const [changed, want] of [
      [{ call: { takes: [I32, I32], gives: [I64], code: unreachable } }, /^the module stopped: unreachable/],
      [{}, /^the module stopped: it returned no response/],
    ]) {
      const engine = await make(fakeModule(changed));
      for (let again = 0; again < 2; again++) await assert.rejects(engine.version(), { code: "internal", message: want });
      await engine.close();
    }
  });

  test(`${name} accepts a module, bytes or a response`, async () => {
    const bytes = await readFile(new URL("../dist/rubric.wasm", import.meta.url));
    const headers = { "content-type": "application/wasm" };
    for (const source of [bytes, await WebAssembly.compile(bytes), new Response(bytes, { headers }), new Response(bytes), Promise.resolve(bytes)]) {
      const engine = await make(source);
      assert.equal((await engine.version()).abi, ABI);
      await engine.close();
    }
    await assert.rejects(make(new Response("", { status: 404, statusText: "Not Found" })), /could not be fetched: 404 Not Found/);
    await assert.rejects(make(bytes.subarray(0, 1000)), WebAssembly.CompileError);
  });
}

test("a module with another interface is rejected", async () => {
  await assert.rejects(open(fakeModule({ abi_version: { gives: [I32], code: [0x41, 2] } })), /has version 2 of the interface; version 1 is needed/);
  await assert.rejects(open(fakeModule({ free: undefined })), /exports no `free`/);
  const engine = await spawn(fakeModule({ abi_version: { gives: [I32], code: [0x41, 2] } }));
  await assert.rejects(engine.version(), { code: "internal", message: /has version 2/ });
  await engine.close();
});

test("a call that times out terminates its worker, and the next call gets a new one", async () => {
  const engine = await spawn(fakeModule({ call: { takes: [I32, I32], gives: [I64], code: [...forever, 0x42, 0] } }), { timeout: 300 });
  for (let again = 0; again < 2; again++) await assert.rejects(engine.version(), { code: "timeout", message: "no answer within 300 ms" });
  await engine.close();
  await assert.rejects(engine.version(), { code: "closed" });
});

test("concurrent calls get their own responses", async () => {
  const engine = await spawn();
  const texts = Array.from({ length: 50 }, (_, n) => `evalcases: [{ id: case-${n}, expected_outcome: o, input: q }]`);
  const suites = await Promise.all(texts.map((text) => engine.suite({ text })));
  assert.deepEqual(suites.map((s) => s.cases[0].id), texts.map((_, n) => `case-${n}`));
  await engine.close();
});
