// What cases came to where they were recorded, by the file that has that.
import { element } from "../dom";
import { ask } from "../evaluator";
import { recordedIn } from "../keeping";
import type { RecordedCase, RecordedMetric, RecordedScore } from "../recordings";
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

/** earlier is what the runs of a case came to where they were recorded: nothing if neither the file nor one beside it says that. */
export async function earlier(scene: Scene, about: string): Promise<HTMLElement[]> {
  const { target } = await ask("beside", { document: scene.uri });
  const file = (await scene.files()).find((f) => f.name === target);
  const runs = file ? await recordedIn(file.text, about).catch(() => []) : [];
  return runs.filter((c) => c.metrics.length).map((c) => element("details", {}, element("summary", {}, "As recorded: ", standing(c.status), counted(c)), metrics(c)));
}
