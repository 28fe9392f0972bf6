// The panes of an evalset case that show the evaluator's data.
import type { TurnQuestion, MeasuredMetric, MeasureResult } from "@rubric-ls/wasm";
import { codeBlock, element } from "../dom";
import { callEvaluator } from "../evaluator";
import { manualVerdicts } from "./evalset-verdict";
import type { Scene } from "./pane";
import { formatNumber } from "./chart";

/** measureCase measures the case with the user's grades. */
export const measureCase = (scene: Scene, more: object = {}): Promise<MeasureResult> => callEvaluator("measure", { document: scene.uri, case: scene.selectedCase!.id, grades: manualVerdicts(scene.entries, scene.selectedCase!.id), ...more });

/** noMetricsNotice says why no metric is measured. */
const noMetricsNotice = ({ metrics, reason }: MeasureResult): Node[] => (metrics.length ? [] : [element("p", { class: "empty", dir: "auto" }, reason ?? "Nothing is measured.")]);

const askedText = (samples: number): string => (samples === 1 ? "asked once" : `asked ${samples} times`);

/** questionName returns the label of a judge's question. */
export const questionName = (m: MeasuredMetric, a: TurnQuestion): string => `${m.metric_name}, turn ${a.turn}${m.asked.some((o) => o.turn === a.turn && o.form === "label") ? (a.items.length ? ": its labels" : ": its sentences") : ""}`;

/** evalsetPrompts shows the exact prompts of a case's judges. */
export async function evalsetPrompts(scene: Scene): Promise<Node[]> {
  const result = await measureCase(scene, { questions: true });
  const all = result.metrics.flatMap((m) => m.asked.map((a, i) => {
    const cut = a.form === "label" && a.items.length ? [element("p", { class: "faint" }, "These sentences come from the last run, or from the offline judge's split. A model labels the sentences of its own split.")] : [];
    return element("details", { open: i === 0 },
      element("summary", {}, questionName(m, a), element("span", { class: "faint" }, ` ${askedText(a.samples)}`)), ...cut,
      element("h2", {}, "System"), codeBlock(a.system), element("h2", {}, "User"), codeBlock(a.user), ...(a.schema ? [element("h2", {}, "JSON Schema of the reply"), codeBlock(a.schema)] : []));
  }));
  return result.metrics.length && !all.length ? [element("p", { class: "empty" }, "No judge is needed: the metrics depend only on the files.")] : [...noMetricsNotice(result), ...all];
}

/** metricDescription describes how a metric measures. */
function metricDescription(m: MeasuredMetric): string {
  if (m.match_type) return `tool calls match as ${m.match_type}, by ${m.ignore_args ? "name alone" : "name and arguments"}`;
  const [first] = m.asked;
  if (first?.form === "label") return "a judge splits the answer into sentences and labels each against the evidence";
  return first ? `a judge is ${askedText(first.samples)} about each turn` : m.eval_status === "NOT_EVALUATED" ? m.reason ?? "" : "words are compared";
}

/** evalsetMetrics shows the metrics of a case with the rubrics of each turn. */
export async function evalsetMetrics(scene: Scene): Promise<Node[]> {
  const result = await measureCase(scene);
  if (!result.metrics.length) return noMetricsNotice(result);
  const head = element("tr", {}, ...["metric", "needs", "judged on"].map((h) => element("th", { scope: "col" }, h)));
  const items = (m: MeasuredMetric) => {
    const turns = new Map<string, number[]>();
    for (const a of m.asked) for (const i of a.form === "label" ? [] : a.items) turns.set(`${i.id}\n${i.text}`, [...(turns.get(`${i.id}\n${i.text}`) ?? []), a.turn]);
    return [...turns].map(([key, turnNumbers]) => {
      const [id, text] = [key.slice(0, key.indexOf("\n")), key.slice(key.indexOf("\n") + 1)];
      return element("li", { dir: "auto" }, element("code", {}, id), ` ${text} `, turnNumbers.length < m.invocations.length ? element("span", { class: "chip" }, `turn ${turnNumbers.join(", ")}`) : null);
    });
  };
  return [element("table", { class: "effective" }, element("thead", {}, head), element("tbody", {}, ...result.metrics.map((m) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, m.metric_name)), element("td", { class: "short" }, formatNumber(m.threshold)),
    element("td", {}, element("div", { class: "faint", dir: "auto" }, metricDescription(m)), element("ul", {}, ...items(m)))))))];
}
