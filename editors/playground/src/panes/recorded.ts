// What cases came to where they were recorded, by the file that has that.
import { element } from "../dom";
import { uriOf } from "../editor";
import { ask } from "../evaluator";
import { recordedIn } from "../keeping";
import type { RecordedCase, RecordedMetric, RecordedScore } from "../recordings";
import { sliced } from "../sliced";
import type { Scene } from "./pane";
import { number } from "./picture";
import { standing } from "./status";

const scored = ({ score }: RecordedScore, threshold: number | null): string => (score === null ? "" : ` ${number(score)}${threshold === null ? "" : ` from ${number(threshold)}`}`);

const reasons = ({ rubrics }: RecordedScore): HTMLElement[] => rubrics.map(({ id, score, rationale }) =>
  element("div", { class: "faint", dir: "auto" }, `${id}: ${score === null ? "not judged" : number(score)}${rationale && `, ${rationale}`}`));

const metric = (m: RecordedMetric): HTMLElement => element("li", {}, element("code", {}, m.name), " ", standing(m.status), scored(m, m.threshold), ...reasons(m),
  m.turns.length > 0 && element("ol", {}, ...m.turns.map((t) => element("li", {}, t.status, scored(t, null), ...reasons(t)))));

const counted = ({ metrics }: RecordedCase): string => (metrics.length ? ` ${metrics.filter((m) => m.status === "PASSED").length} of ${metrics.length} metrics passed` : " no metric");

const metrics = (c: RecordedCase): HTMLElement => element("ul", { class: "plain" }, ...c.metrics.map(metric));

const row = (c: RecordedCase): HTMLElement => element("li", {},
  element("fieldset", {}, element("legend", {}, c.id), element("div", { class: "row" }, standing(c.status), counted(c)), metrics(c)));

/** earlier is what the runs of a case of an evalset came to where they were recorded: nothing if no file beside it says that. */
export async function earlier(scene: Scene, about: string): Promise<HTMLElement[]> {
  const { target } = await ask("beside", { document: scene.uri });
  const file = (await scene.files()).find((f) => f.name === target);
  const runs = file ? await recordedIn(file.text, about).catch(() => []) : [];
  return runs.filter((c) => c.metrics.length).map((c) => element("details", {}, element("summary", {}, "As recorded: ", standing(c.status), counted(c)), metrics(c)));
}

/** recorded is what the cases of a result file came to. */
export async function recorded(scene: Scene): Promise<Node[]> {
  const { name, text } = (await scene.files()).find((f) => uriOf(f.name) === scene.uri)!;
  const all = await recordedIn(text);
  const how = element("p", { class: "faint" }, `This is what cases came to where they were recorded. To measure that again open their evalset beside it and choose that tab, or without one use `, element("code", {}, `rubric run ${name}`), ".");
  return all.length ? [how, sliced(element("ul", { class: "plain" }), all, row)] : [element("p", { class: "empty" }, "No case is recorded in this file.")];
}
