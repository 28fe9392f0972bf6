// What a case has come to, as people read it.
import type { Grade, GraderRecord, RunResult } from "@rubric-ls/wasm";
import { element } from "../dom";

const number = (x: number): string => String(Math.round(x * 10000) / 10000);

const gradeWords = (g: Grade): string => (g.ungraded ? `not judged: ${g.ungraded}` : g.score === undefined ? (g.satisfied ? "satisfied" : "not satisfied") : `${number(g.score)} of 10`);

/** standing shows a verdict; one that could not be judged is ungraded. */
export const standing = (of: string): HTMLElement => element("span", { class: `verdict ${of}` }, of);

function grader(g: GraderRecord): HTMLElement {
  const metric = g.metric ? g.metric.eval_status.toLowerCase().replace("_", " ") : undefined;
  const head = g.ungraded && !g.grades?.length ? `not judged: ${g.ungraded}` : metric ?? `score ${number(g.score)}`;
  const used = (g.replies ?? []).reduce((sum, r) => sum + (r.usage?.input ?? 0) + (r.usage?.output ?? 0), 0);
  const told = [g.replies?.length ? `${g.replies.length} ${g.replies.length === 1 ? "reply" : "replies"}` : "", g.replies?.[0]?.model ?? "", used ? `${used} tokens` : ""].filter(Boolean).join(", ");
  return element("li", {},
    element("strong", {}, g.name), ` (${g.type}) ${head} `, element("span", { class: "faint" }, told),
    ...(g.metric?.reason ? [element("div", { class: "faint", dir: "auto" }, g.metric.reason)] : []),
    element("ul", {}, ...(g.grades ?? []).map((k) => element("li", {}, element("code", {}, k.id), ` ${gradeWords(k)}`, element("div", { class: "faint", dir: "auto" }, k.reasoning))),
      ...(g.evaluator_results ?? []).map(grader)),
    ...(g.grades?.length ? [] : [...g.hits.map((h) => element("div", { class: "pass", dir: "auto" }, `✓ ${h}`)), ...g.misses.map((m) => element("div", { class: "fail", dir: "auto" }, `✗ ${m}`))]),
    ...(g.replies ?? []).flatMap((r) => (r.problems ?? []).map((p) => element("div", { class: "error", dir: "auto" }, `a reply could not be used: ${p}`))));
}

/** outcome shows a case's result, or how far it is. */
export function outcome({ record, standing: of, questions, programs }: RunResult): HTMLElement {
  const open = questions.length + programs.length;
  return element("section", { "aria-label": `Result of ${record.eval_id}` },
    element("h2", {}, record.eval_id, " ", open ? element("span", { class: "faint" }, "is being judged") : standing(of), open || record.score === null ? "" : ` score ${number(record.score)}`),
    ...(open ? [] : (record.reasons ?? []).map((r) => element("p", { class: "faint", dir: "auto" }, r))),
    element("ul", { class: "plain" }, ...record.evaluator_results.map(grader)));
}
