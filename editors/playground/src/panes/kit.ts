// The panes of a case of an evalset that show what the evaluator says as it says it.
import type { TurnQuestion, MeasuredMetric, MeasureResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { ask } from "../evaluator";
import { rulings } from "./metrics";
import type { Scene } from "./pane";
import { number } from "./picture";

const shown = (value: unknown) => element("pre", { tabindex: 0, dir: "auto" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** asked is what is measured of the case, by what is typed. */
export const asked = (scene: Scene, more: object = {}): Promise<MeasureResult> => ask("measure", { document: scene.uri, case: scene.about!.id, grades: rulings(scene.state, scene.about!.id), ...more });

/** refused tells why nothing is measured; nothing if something is. */
const refused = ({ metrics, reason }: MeasureResult): Node[] => (metrics.length ? [] : [element("p", { class: "empty", dir: "auto" }, reason ?? "Nothing is measured.")]);

const times = (samples: number): string => (samples === 1 ? "asked once" : `asked ${samples} times`);

/** name is what a question is called. */
export const name = (m: MeasuredMetric, a: TurnQuestion): string => `${m.metric_name}, turn ${a.turn}${m.asked.some((o) => o.turn === a.turn && o.form === "label") ? (a.items.length ? ": its labels" : ": its sentences") : ""}`;

/** prompts show exactly what a judge is asked about a case. */
export async function prompts(scene: Scene): Promise<Node[]> {
  const result = await asked(scene, { questions: true });
  const all = result.metrics.flatMap((m) => m.asked.map((a, i) => {
    const cut = a.form === "label" && a.items.length ? [element("p", { class: "faint" }, "The sentences are those of the last run, or else as the stand-in cuts the text: a judge is asked about those that it has cut itself.")] : [];
    return element("details", { open: i === 0 },
      element("summary", {}, name(m, a), element("span", { class: "faint" }, ` ${times(a.samples)}`)), ...cut,
      element("h2", {}, "System"), shown(a.system), element("h2", {}, "User"), shown(a.user), ...(a.schema ? [element("h2", {}, "JSON Schema of the reply"), shown(a.schema)] : []));
  }));
  return result.metrics.length && !all.length ? [element("p", { class: "empty" }, "No judge is asked: the metrics follow from the files alone.")] : [...refused(result), ...all];
}

/** how is what a metric asks for, in words. */
function how(m: MeasuredMetric): string {
  if (m.match_type) return `tool calls match as ${m.match_type}, by ${m.ignore_args ? "name alone" : "name and arguments"}`;
  const [first] = m.asked;
  if (first?.form === "label") return "a judge cuts the answer into sentences and labels each by the evidence";
  return first ? `a judge is ${times(first.samples)} about each turn` : m.eval_status === "NOT_EVALUATED" ? m.reason ?? "" : "words are compared";
}

/** asks are the metrics of a case as they are taken, each turn's rubrics with them. */
export async function asks(scene: Scene): Promise<Node[]> {
  const result = await asked(scene);
  if (!result.metrics.length) return refused(result);
  const head = element("tr", {}, ...["metric", "from", "judged on"].map((h) => element("th", { scope: "col" }, h)));
  const items = (m: MeasuredMetric) => {
    const turns = new Map<string, number[]>();
    for (const a of m.asked) for (const i of a.form === "label" ? [] : a.items) turns.set(`${i.id}\n${i.text}`, [...(turns.get(`${i.id}\n${i.text}`) ?? []), a.turn]);
    return [...turns].map(([key, of]) => {
      const [id, text] = [key.slice(0, key.indexOf("\n")), key.slice(key.indexOf("\n") + 1)];
      return element("li", { dir: "auto" }, element("code", {}, id), ` ${text} `, of.length < m.invocations.length ? element("span", { class: "chip" }, `turn ${of.join(", ")}`) : null);
    });
  };
  return [element("table", {}, element("thead", {}, head), element("tbody", {}, ...result.metrics.map((m) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, m.metric_name)), element("td", {}, number(m.threshold)),
    element("td", {}, element("div", { class: "faint", dir: "auto" }, how(m)), element("ul", {}, ...items(m)))))))];
}
