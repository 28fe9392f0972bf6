// The Reply pane: how the evaluator reads a judge's raw reply.
import { caseLabel } from "../case-positions";
import { element } from "../dom";
import { callEvaluator } from "../evaluator";
import { evalsetReply } from "./evalset-reply";
import { formatNumber } from "./chart";
import { emptyPane, type Pane } from "./pane";

let pastedReply = "";

/** reply shows the grades in a pasted reply, or its problems. */
export const reply: Pane = (scene) => {
  const { selectedCase, cases, uri } = scene;
  if (!selectedCase) return emptyPane(scene);
  if (scene.isEvalset) return evalsetReply(scene);
  const out = element("div", { "aria-live": "polite" });
  const read = async () => {
    pastedReply = box.value;
    if (!pastedReply.trim()) return out.replaceChildren();
    const r = await callEvaluator("score", { document: uri, case: selectedCase.id, reply: pastedReply });
    out.replaceChildren(
      element("p", {}, element("span", { class: `verdict ${r.verdict}` }, r.verdict), r.score === null ? "" : ` score ${formatNumber(r.score)}`),
      ...r.problems.map((p) => element("p", { class: "error" }, p)),
      element("ul", { class: "plain" }, ...r.grades.map((g) => element("li", {},
        element("code", {}, g.id), " ", g.ungraded ? `ungraded: ${g.ungraded}` : g.score === undefined ? (g.satisfied ? "satisfied" : "not satisfied") : `${g.score} of 10`,
        element("div", { class: "faint", dir: "auto" }, g.reasoning)))),
    );
  };
  const box = element("textarea", { id: "reply", dir: "auto", oninput: () => void read(), placeholder: '{"checks": [{"id": "…", "satisfied": true, "reasoning": "…"}]}' });
  box.value = pastedReply;
  void read();
  return [element("label", { for: "reply" }, `A judge's reply about ${caseLabel(cases, selectedCase.id)}`), box, out];
};
