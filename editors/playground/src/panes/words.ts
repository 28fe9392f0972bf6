// The panes that show what the evaluator says as it says it.
import { element } from "../dom";
import { ask } from "../evaluator";
import { asks, prompts } from "./kit";
import { none, type Pane } from "./pane";

const shown = (value: unknown) => element("pre", { tabindex: 0, dir: "auto" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** prompt shows exactly what a judge is asked about a case. */
export const prompt: Pane = async (scene) => {
  const { about, uri } = scene;
  if (!about) return none(scene);
  if (scene.measured) return prompts(scene);
  const asked = await ask("prompt", { document: uri, case: about.id });
  return [
    element("h2", {}, "System"), shown(asked.system), element("h2", {}, "User"), shown(asked.user),
    element("h2", {}, "JSON Schema of the reply"), shown(asked.schema),
  ];
};

/** effective shows a case's rubric as the runner takes it, with every default filled in. */
export const effective: Pane = (scene) => {
  const { about } = scene;
  if (!about) return none(scene);
  if (scene.measured) return asks(scene);
  if (!about.rubrics.length) return [element("p", { class: "empty" }, "This case has no rubric of its own.")];
  const head = element("tr", {}, ...["criterion", "text", "weight", "gate", "bands"].map((h) => element("th", { scope: "col" }, h)));
  return [element("table", {}, element("thead", {}, head), element("tbody", {}, ...about.rubrics.map((k) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, k.id)), element("td", { dir: "auto" }, k.expected_outcome), element("td", {}, String(k.weight)),
    element("td", {}, k.required ? "required" : k.required_min_score === undefined ? "none" : `at least ${k.required_min_score}`),
    element("td", {}, (k.score_ranges ?? []).map((b) => `${b.score_range[0]}–${b.score_range[1]}: ${b.expected_outcome}`).join("; ")),
  ))))];
};

/** json shows the effective model of a case, or of a file without any. */
export const json: Pane = async ({ uri, about, measured }) => [shown(await (measured && about ? ask("measure", { document: uri, case: about.id }) : ask("suite", { document: uri, case: about?.id })))];
