// Recorded answers: a judge's, as `rubric run --record` writes them, and a target's.
import type { RecordedAnswer } from "@rubric-ls/wasm";
import { callEvaluator } from "../evaluator";
import type { File } from "../state";
import type { Judge } from "./judge";

/** replay returns a judge that answers from a recording. */
export async function replay({ name, text }: File): Promise<Judge> {
  const { answers, judges } = await callEvaluator("tape", { text });
  // The evaluator reports missing answers.
  return { name: judges?.join(" + ") || `replay:${name}`, replay: true, answer: async (q) => answers[q.key] };
}

/** submissions returns recorded answers by case id. */
export const submissions = async ({ text }: File): Promise<Record<string, RecordedAnswer>> => (await callEvaluator("recording", { text })).answers;
