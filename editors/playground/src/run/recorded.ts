// Answers that were recorded: a judge's, as `rubric run --record` writes them, and a
// target's.
import type { Submission } from "@rubric-ls/wasm";
import { ask } from "../evaluator";
import type { File } from "../state";
import type { Judge } from "./judge";

/** replay is a recording as the judge who was recorded. What it has no answer to fails, and says so. */
export async function replay({ name, text }: File): Promise<Judge> {
  const { answers, judges } = await ask("tape", { text });
  // What is missing the evaluator words, and is given to it as missing.
  return { name: judges?.length === 1 ? judges[0] : `replay:${name}`, replay: true, answer: async (q) => answers[q.key] };
}

/** submissions are recorded answers by the ids of their cases. */
export const submissions = async ({ text }: File): Promise<Record<string, Submission>> => (await ask("recording", { text })).answers;
