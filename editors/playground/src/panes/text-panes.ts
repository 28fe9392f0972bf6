// The panes that show the evaluator's data: Judge prompt, Effective rubric and JSON.
import { codeBlock, element } from "../dom";
import { callEvaluator } from "../evaluator";
import { evalsetMetrics, evalsetPrompts } from "./evalset-panes";
import { emptyPane, type Pane } from "./pane";

/** prompt shows the exact prompt for a case. */
export const prompt: Pane = async (scene) => {
  const { selectedCase, uri } = scene;
  if (!selectedCase) return emptyPane(scene);
  if (scene.isEvalset) return evalsetPrompts(scene);
  const request = await callEvaluator("prompt", { document: uri, case: selectedCase.id });
  return [
    element("h2", {}, "System"), codeBlock(request.system), element("h2", {}, "User"), codeBlock(request.user),
    element("h2", {}, "JSON Schema of the reply"), codeBlock(request.schema),
  ];
};

/** effective shows a case's rubric with all defaults. */
export const effective: Pane = (scene) => {
  const { selectedCase } = scene;
  if (!selectedCase) return emptyPane(scene);
  if (scene.isEvalset) return evalsetMetrics(scene);
  if (!selectedCase.rubrics.length) return [element("p", { class: "empty" }, "This case has no rubric of its own.")];
  const head = element("tr", {}, ...["criterion", "weight", "gate", "text and bands"].map((h) => element("th", { scope: "col" }, h)));
  return [element("table", { class: "effective" }, element("thead", {}, head), element("tbody", {}, ...selectedCase.rubrics.map((k) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, k.id)), element("td", { class: "short" }, String(k.weight)),
    element("td", { class: "short" }, k.required ? "required" : k.required_min_score === undefined ? "none" : `at least ${k.required_min_score}`),
    element("td", { dir: "auto" }, k.expected_outcome, k.score_ranges && element("ul", {}, ...k.score_ranges.map(({ score_range: [from, to], expected_outcome }) => element("li", {}, `${from === to ? from : `${from}–${to}`}: ${expected_outcome}`)))),
  ))))];
};

/** json shows the effective model of a case, or of a file without cases. */
export const json: Pane = async ({ uri, selectedCase, isEvalset }) => [codeBlock(await (isEvalset && selectedCase ? callEvaluator("measure", { document: uri, case: selectedCase.id }) : callEvaluator("suite", { document: uri, case: selectedCase?.id })))];
