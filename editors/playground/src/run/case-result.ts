// Shows the result of a case.
import type { Grade, GraderRecord, RunResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { formatNumber } from "../panes/chart";

const gradeText = (g: Grade): string => (g.ungraded ? `not judged: ${g.ungraded}` : g.score === undefined ? (g.satisfied ? "satisfied" : "not satisfied") : `${formatNumber(g.score)} of 10`);

/** verdictBadge shows a verdict. */
export const verdictBadge = (verdict: string): HTMLElement => element("span", { class: `verdict ${verdict}` }, verdict);

function graderItem(g: GraderRecord): HTMLElement {
  const metric = g.metric ? g.metric.eval_status.toLowerCase().replace("_", " ") : undefined;
  const head = g.ungraded && !g.grades?.length ? `not judged: ${g.ungraded}` : metric ?? `score ${formatNumber(g.score)}`;
  const tokens = (g.replies ?? []).reduce((sum, r) => sum + (r.usage?.input ?? 0) + (r.usage?.output ?? 0), 0);
  const details = [g.replies?.length ? `${g.replies.length} ${g.replies.length === 1 ? "reply" : "replies"}` : "", g.replies?.[0]?.model ?? "", tokens ? `${tokens} tokens` : ""].filter(Boolean).join(", ");
  return element("li", {},
    element("strong", {}, g.name), ` (${g.type}) ${head} `, element("span", { class: "faint" }, details),
    ...(g.metric?.reason ? [element("div", { class: "faint", dir: "auto" }, g.metric.reason)] : []),
    element("ul", {}, ...(g.grades ?? []).map((k) => element("li", {}, element("code", {}, k.id), ` ${gradeText(k)}`, element("div", { class: "faint", dir: "auto" }, k.reasoning))),
      ...(g.evaluator_results ?? []).map(graderItem)),
    ...(g.grades?.length ? [] : [...g.hits.map((h) => element("div", { class: "pass", dir: "auto" }, `✓ ${h}`)), ...g.misses.map((m) => element("div", { class: "fail", dir: "auto" }, `✗ ${m}`))]),
    ...(g.replies ?? []).flatMap((r) => (r.problems ?? []).map((p) => element("div", { class: "error", dir: "auto" }, `a reply could not be used: ${p}`))));
}

/** caseResult shows the result of a case, or its progress. */
export function caseResult({ record, standing: verdict, questions, programs }: RunResult): HTMLElement {
  const open = questions.length + programs.length;
  return element("section", { "aria-label": `Result of ${record.eval_id}` },
    element("h2", {}, record.eval_id, " ", open ? element("span", { class: "faint" }, "is being judged") : verdictBadge(verdict), open || record.score === null ? "" : ` score ${formatNumber(record.score)}`),
    ...(open ? [] : (record.reasons ?? []).map((r) => element("p", { class: "faint", dir: "auto" }, r))),
    element("ul", { class: "plain" }, ...record.evaluator_results.map(graderItem)));
}
