// Compiled by `npm run types`, never run: what a user writes has its types.
import { EvaluatorError, open, spawn, type CheckResult, type Engine } from "../index.js";
import { run } from "../grader.js";

export async function use(text: string): Promise<CheckResult> {
  const engine: Engine = await open(fetch("rubric.wasm"));
  const remote = await spawn(undefined, { timeout: 1000 });
  const codes: string[] = (await engine.check({ text, path: "x.eval.yaml" })).diagnostics.map((d) => d.code);
  const abi: number = (await remote.version()).abi;
  const verdict: "pass" | "borderline" | "fail" = (await remote.score({ rubrics: codes, reply: "{}", profile: "spec" })).verdict;
  // @ts-expect-error: a text is needed
  await engine.check({});
  // @ts-expect-error: no such profile
  await engine.score({ reply: "", profile: "other" });
  // @ts-expect-error: no such method
  await engine.call("chekc", { text });
  const { code } = await run(new Uint8Array(abi), { stdin: verdict }, { time: 100 });
  throw new EvaluatorError("internal", String(code));
}
