// The results that a recording already contains.
import { element } from "../dom";
import { callEvaluator } from "../evaluator";
import { readRecordedCases } from "../background";
import type { RecordedCase, RecordedMetric, RecordedScore } from "../adk-results";
import type { Scene } from "./pane";
import { formatNumber } from "./chart";
import { statusBadge } from "./status";

const scoreText = ({ score }: RecordedScore, threshold: number | null): string => (score === null ? "" : ` ${formatNumber(score)}${threshold === null ? "" : ` (needed at least ${formatNumber(threshold)})`}`);

const reasons = ({ rubrics }: RecordedScore): HTMLElement[] => rubrics.map(({ id, score, rationale }) =>
  element("div", { class: "faint", dir: "auto" }, `${id}: ${score === null ? "not judged" : formatNumber(score)}${rationale && `, ${rationale}`}`));

const metricItem = (m: RecordedMetric): HTMLElement => element("li", {}, element("code", {}, m.name), " ", statusBadge(m.status), scoreText(m, m.threshold), ...reasons(m),
  m.turns.length > 0 && element("ol", {}, ...m.turns.map((t) => element("li", {}, t.status, scoreText(t, null), ...reasons(t)))));

const metricCount = ({ metrics: metricList }: RecordedCase): string => (metricList.length ? ` ${metricList.filter((m) => m.status === "PASSED").length} of ${metricList.length} metrics passed` : " no metric");

const metricList = (c: RecordedCase): HTMLElement => element("ul", { class: "plain" }, ...c.metrics.map(metricItem));

/** recordedResults shows the results of a case in the evalset's result file, if there is one. */
export async function recordedResults(scene: Scene, caseId: string): Promise<HTMLElement[]> {
  const { target } = await callEvaluator("beside", { document: scene.uri });
  const file = (await scene.files()).find((f) => f.name === target);
  const runs = file ? await readRecordedCases(file.text, caseId).catch(() => []) : [];
  return runs.filter((c) => c.metrics.length).map((c) => element("details", {}, element("summary", {}, "As recorded: ", statusBadge(c.status), metricCount(c)), metricList(c)));
}
