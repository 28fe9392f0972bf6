import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "../index.js";
import { run } from "../run.js";

const read = (name) => readFile(new URL(`../../../testdata/hosts/${name}`, import.meta.url), "utf8");
const engine = await open();

/** records runs cases and returns the lines of a result file, without marks of cached replies. */
async function records(cases, host) {
  let lines = "";
  for await (const { stage, result } of run(engine, cases, host)) {
    if (stage === "done") lines += JSON.stringify(result.record).replaceAll(',"kept":true', "") + "\n";
  }
  return lines;
}

async function supportCases() {
  const [path, text] = ["support.eval.yaml", await read("support.eval.yaml")];
  return (await engine.suite({ path, text })).cases.map(({ id }) => ({ path, text, case: id }));
}

test("graded cases have the records of the command line", async () => {
  const { answers, judges } = await engine.tape({ text: await read("judge.jsonl") });
  const cases = (await supportCases()).map((c) => ({ ...c, judge: judges.join(" + ") }));
  const got = await records(cases, { answer: async ({ key }) => answers[key], replay: true });
  assert.equal(got, await read("support.records.jsonl"));
});

test("measured cases have the records of the command line", async () => {
  const [path, target] = ["banking.evalset.json", "banking.evalset_result.json"];
  const [text, recorded, config] = await Promise.all([path, target, "test_config.json"].map(read));
  const cases = JSON.parse(text).eval_cases.map(({ eval_id }) => ({ path, text, recorded, config, target, case: eval_id }));
  assert.equal(await records(cases), await read("banking.records.jsonl"));
});

test("events come in the order of the cases, and each question is asked once", async () => {
  const events = [], asked = new Set();
  const reply = '{"checks":[],"overall_reasoning":""}';
  const answer = async ({ key }) => (assert.ok(!asked.has(key)), asked.add(key), { text: reply });
  for await (const { stage, case: id, index, total } of run(engine, (await supportCases()).slice(0, 2).map((c) => ({ ...c, judge: "m" })), { answer })) {
    events.push(`${stage} ${id} ${index} of ${total}`);
  }
  assert.deepEqual(events.filter((e) => !e.startsWith("graded")), ["started refund 0 of 2", "done refund 0 of 2", "started label 1 of 2", "done label 1 of 2"]);
  assert.ok(events.length > 6, "unusable replies are requested again");
});

test("a cancelled run keeps the grades so far and starts no further case", async () => {
  const cancel = new AbortController();
  const answer = async () => (cancel.abort(), { text: "", error: "aborted" });
  const events = [];
  for await (const event of run(engine, (await supportCases()).map((c) => ({ ...c, judge: "m" })), { answer, signal: cancel.signal })) events.push(event);
  assert.deepEqual(events.map((e) => `${e.stage} ${e.case}`), ["started refund", "graded refund", "done refund"]);
  assert.match(JSON.stringify(events.at(-1).result.record.reasons), /the run was cancelled/);
});

test("one case without a list is refused", async () => {
  await assert.rejects(run(engine, (await supportCases())[0]).next(), /must be a list/);
});

test("cases that others depend on come first, and those without them are skipped", async () => {
  const text = `tests:
  - { id: last, criteria: G, input: Hi, depends_on: [first], expected_output: hello, assertions: [{ type: contains, value: hello }] }
  - { id: lost, criteria: G, input: Hi, depends_on: [variable], expected_output: hello, assertions: [{ type: contains, value: hello }] }
  - { id: first, criteria: G, input: Hi, expected_output: hello, assertions: [{ type: contains, value: hello }] }
  - { id: variable, criteria: G, input: "Hi \${{ NOBODY }}", expected_output: hello, assertions: [{ type: contains, value: hello }] }
`;
  const results = [], sent = new Set();
  const call = (method, params) => (Object.keys(params.completed ?? {}).forEach((id) => sent.add(id)), engine.call(method, params));
  for await (const { stage, result } of run({ call }, ["last", "lost"].map((id) => ({ path: "a.eval.yaml", text, case: id })))) {
    if (stage === "done") results.push(`${result.record.eval_id}: ${result.standing} ${result.record.error ?? ""}`);
  }
  assert.deepEqual(results, [
    "first: pass ", "last: pass ",
    "variable: ungraded not run: it needs `NOBODY` of the environment, and there is none here",
    "lost: ungraded skipped: it depends on `variable`, which could not be run",
  ]);
  assert.deepEqual([...sent], ["first", "variable"]); // only what others depend on: a long run would send all cases with each
  assert.deepEqual((await engine.order({ path: "a.eval.yaml", text, cases: ["lost"] })).notes, [
    "the case `variable` is run too, because `lost` depends on it",
    "`variable` is not graded: it needs `NOBODY` of the environment, and there is none here",
  ]);
});
