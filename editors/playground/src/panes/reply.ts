// A judge's raw reply, as it is read, or why it is not.
import { element } from "../dom";
import { ask } from "../evaluator";
import { read as readKit } from "./kit-reply";
import { none, type Pane } from "./pane";

let pasted = "";

/** reply reads what somebody pastes. */
export const reply: Pane = (scene) => {
  const { about, uri } = scene;
  if (!about) return none(scene);
  if (scene.measured) return readKit(scene);
  const out = element("div", { "aria-live": "polite" });
  const read = async () => {
    pasted = box.value;
    if (!pasted.trim()) return out.replaceChildren();
    const r = await ask("score", { document: uri, case: about.id, reply: pasted });
    out.replaceChildren(
      element("p", {}, element("span", { class: `verdict ${r.verdict}` }, r.verdict), r.score === null ? "" : ` score ${Math.round(r.score * 10000) / 10000}`),
      ...r.problems.map((p) => element("p", { class: "error" }, p)),
      element("ul", { class: "plain" }, ...r.grades.map((g) => element("li", {},
        element("code", {}, g.id), " ", g.ungraded ? `ungraded: ${g.ungraded}` : g.score === undefined ? (g.satisfied ? "satisfied" : "not satisfied") : `${g.score} of 10`,
        element("div", { class: "faint", dir: "auto" }, g.reasoning)))),
    );
  };
  const box = element("textarea", { id: "reply", dir: "auto", oninput: () => void read(), placeholder: '{"checks": [{"id": "…", "satisfied": true, "reasoning": "…"}]}' });
  box.value = pasted;
  void read();
  return [element("label", { for: "reply" }, `A judge's reply about ${about.id}`), box, out];
};
