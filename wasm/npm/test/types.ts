// Compiled by `npm run types`, never run. It checks the types of typical uses.
import { EvaluatorError, open, spawn, type CheckResult, type Engine } from "../index.js";
import { run } from "../grader.js";
import { run as runCases } from "../run.js";
import { serve, type Message } from "../lsp.js";

export async function use(text: string): Promise<CheckResult> {
  const engine: Engine = await open(fetch("rubric.wasm"));
  const remote = await spawn(undefined, { timeout: 1000 });
  const codes: string[] = (await engine.check({ text, path: "x.eval.yaml" })).diagnostics.map((d) => d.code);
  const abi: number = (await remote.version()).abi;
  const verdict: "pass" | "borderline" | "fail" | "ungraded" = (await remote.score({ rubrics: codes, reply: "{}", profile: "spec" })).verdict;
  await remote.open({ document: "file:///x.eval.yaml", text, version: 1 });
  const shown: string | undefined = (await remote.hover({ document: "file:///x.eval.yaml", position: { line: 0, character: 0 } }))?.contents?.value;
  const session = serve(engine, { send: (message: Message) => void message.id, commands: [shown ?? ""] });
  session.receive({ jsonrpc: "2.0", id: 1, method: "shutdown" });
  // @ts-expect-error: the position is required
  await engine.hover({ text });
  // @ts-expect-error: unknown profile
  await engine.score({ reply: "", profile: "other" });
  // @ts-expect-error: unknown method
  await engine.call("chekc", { text });
  for await (const { stage, result } of runCases(engine, [{ case: "a", text }], { answer: async ({ user }) => ({ text: user }) })) {
    if (stage === "done") console.log(result.record.verdict);
  }
  const { code } = await run(new Uint8Array(abi), { stdin: verdict }, { time: 100 });
  throw new EvaluatorError("internal", String(code));
}
