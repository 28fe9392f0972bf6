// Shows the result of a case.
import type { CaseRecord, Grade, GraderRecord } from "@rubric-ls/wasm";
import { element, inlineCode } from "../dom";
import { formatNumber } from "../panes/chart";
import { verdictBadge } from "../panes/grade-source";

const gradeText = (g: Grade, shared?: string): string => (g.ungraded ? (g.ungraded === shared ? "not judged" : `not judged: ${g.ungraded}`) : g.score === undefined ? (g.satisfied ? "satisfied" : "not satisfied") : `${formatNumber(g.score)} of 10`);

function graderItem(g: GraderRecord): HTMLElement {
  const reasons = new Set((g.grades ?? []).map((k) => k.ungraded)), shared = reasons.size === 1 && g.grades!.length > 1 ? g.grades![0].ungraded : undefined; // which is shown once
  const metric = g.metric ? g.metric.eval_status.toLowerCase().replace("_", " ") : undefined;
  const head = g.ungraded && !g.grades?.length ? `not judged: ${g.ungraded}` : metric ?? (g.score === null ? "ungraded" : `score ${formatNumber(g.score)}`);
  const tokens = (g.replies ?? []).reduce((sum, r) => sum + (r.usage?.input ?? 0) + (r.usage?.output ?? 0), 0);
  const details = [g.replies?.length ? `${g.replies.length} ${g.replies.length === 1 ? "reply" : "replies"}` : "", g.replies?.[0]?.model ?? "", tokens ? `${tokens} tokens` : ""].filter(Boolean).join(", ");
  return element("li", {},
    element("strong", {}, g.name), ` (${g.type}) ${head} `, element("span", { class: "faint" }, details),
    ...(shared ? [element("div", { class: "error", dir: "auto" }, `not judged: ${shared}`)] : []),
    ...(g.metric?.reason ? [element("div", { class: "faint", dir: "auto" }, g.metric.reason)] : []),
    element("ul", {}, ...(g.grades ?? []).map((k) => element("li", {}, element("code", {}, k.id), ` ${gradeText(k, shared)}`, element("div", { class: "faint", dir: "auto" }, k.reasoning))),
      ...(g.evaluator_results ?? []).map(graderItem)),
    ...(g.grades?.length ? [] : [...g.hits.map((h) => element("div", { class: "pass hit", dir: "auto" }, h)), ...g.misses.map((m) => element("div", { class: "fail miss", dir: "auto" }, m))]),
    ...(g.replies ?? []).flatMap((r) => (r.problems ?? []).map((p) => element("div", { class: "error", dir: "auto" }, `a reply could not be used: ${p}`))));
}

/** caseResult shows the result of a case. */
export function caseResult(record: CaseRecord): HTMLElement {
  return element("section", { "aria-label": `Result of ${record.eval_id}` },
    element("p", {}, verdictBadge(record.verdict), record.score === null ? "" : ` score ${formatNumber(record.score)}`),
    ...(record.reasons ?? []).map((r) => element("p", { class: "faint", dir: "auto" }, ...inlineCode(r))),
    ...(record.candidate_answer ? [element("details", {}, element("summary", {}, "Answer"), element("p", { class: "answer", dir: "auto" }, record.candidate_answer))] : []),
    element("ul", { class: "plain" }, ...record.evaluator_results.map(graderItem)));
}
