// What the evaluator says of a state here, beside what was said of it elsewhere.
import { uriOf } from "./editor";
import { ask } from "./evaluator";
import type { Link } from "./link";
import { typedOf } from "./panes/grades";
import { rulings } from "./panes/metrics";
import { number } from "./panes/picture";
import { differences, type Results } from "./results";
import type { State } from "./state";

/** resultsOf asks for them. What cases come to is asked of the files that are open: it is left out if those are no more the state's. */
export async function resultsOf(state: State, still: () => boolean): Promise<Results> {
  const results: Results = { findings: {}, scores: {}, measures: {} };
  for (const { name, text } of state.files) {
    const { diagnostics } = await ask("check", { text, path: name });
    results.findings[name] = diagnostics.map((d) => d.code).sort();
  }
  const document = uriOf(state.active);
  const cases = await ask("cases", { document });
  const shown = cases.find((c) => c.id === state.case) ?? cases[0];
  for (const { id } of cases.filter((c) => c === shown || state.grades[c.id])) {
    await judge(state, document, id, results).catch(() => undefined); // the text may have moved on
  }
  return still() ? results : { ...results, scores: {}, measures: {} };
}

/** judge adds what a case comes to. */
async function judge(state: State, document: string, id: string, { scores, measures }: Results): Promise<void> {
  const { dialect, cases: [c] } = await ask("suite", { document, case: id });
  if (dialect === "adk") {
    const { final_eval_status, metrics } = await ask("measure", { document, case: id, grades: rulings(state, id) }).catch(() => unmeasured);
    measures[id] = { "": final_eval_status };
    for (const m of metrics) measures[id][m.metric_name] = m.score === null ? m.eval_status : `${m.eval_status} ${number(m.score)}`;
    return;
  }
  const { score } = await ask("grade", { document, case: id, grades: typedOf(c, state.grades[id] ?? []) });
  if (score !== null) scores[id] = Math.round(score * 10000) / 10000;
}

/** unmeasured is a case whose files the evaluator refuses: its configuration has a fault. */
const unmeasured = { final_eval_status: "NOT_EVALUATED", metrics: [] } as const;

/** few is how many differences are said. */
const few = 6;

/** compare returns a message if results differ from those in the link, or another evaluator made it. An evaluator of the same version may differ after a run. */
export async function compare({ state, evaluator, results }: Link, version: string, still: () => boolean): Promise<string> {
  const now = await resultsOf(state, still);
  const others = differences(still() ? results : { ...results, scores: {}, measures: {} }, now);
  const apart = evaluator === version ? "" : `This link was made with evaluator ${evaluator}, and this is ${version}: `;
  const more = others.length > few ? `; and ${others.length - few} more` : "";
  if (others.length) return `${apart || "Here "}the results differ. ${others.slice(0, few).join("; ")}${more}.`;
  return apart && `${apart}the results are the same.`;
}
