// A judge's raw reply about a case of an evalset, as it is read, or why it is not.
import { element } from "../dom";
import { asked, name } from "./kit";
import type { Scene } from "./pane";
import { number } from "./picture";
import { standing } from "./status";

let pasted = "", chosen = "";

/** read reads a judge's reply to one of the questions, as somebody pastes it. */
export async function read(scene: Scene): Promise<Node[]> {
  const { metrics } = await asked(scene);
  const questions = metrics.flatMap((m) => m.asked.map((a) => ({ m, a, label: name(m, a) })));
  if (!questions.length) return [element("p", { class: "empty" }, "No judge is asked about this case.")];
  const out = element("div", { "aria-live": "polite" });
  const say = async () => {
    [pasted, chosen] = [box.value, select.value];
    if (!pasted.trim()) return out.replaceChildren();
    const { m, a } = questions.find((q) => q.label === chosen) ?? questions[0];
    const result = await asked(scene, { replies: { [a.key]: pasted } });
    const t = result.metrics.find((r) => r.metric_name === m.metric_name)!.invocations[a.turn - 1];
    const problems = [...new Set([...(t?.replies ?? []).flatMap((r) => r.problems ?? []), ...(t?.problems ?? [])])];
    const claims = (t?.steps ?? []).flatMap((s) => s.claims);
    out.replaceChildren(
      element("p", {}, standing(t?.eval_status ?? "NOT_EVALUATED"), ` turn ${a.turn}`, t?.score == null ? "" : `: ${number(t.score)}`),
      ...(t?.reason ? [element("p", { class: "faint", dir: "auto" }, t.reason)] : []),
      ...problems.map((p) => element("p", { class: "error", dir: "auto" }, p)),
      element("ul", { class: "plain" },
        ...(t?.rubric_scores ?? []).map((s) => element("li", {}, element("code", {}, s.rubric_id), ` ${s.score === null ? "neither yes nor no" : s.score === 1 ? "yes" : "no"}`, element("div", { class: "faint", dir: "auto" }, s.rationale ?? ""))),
        ...claims.map((c) => element("li", {}, element("code", {}, c.label), element("div", { dir: "auto" }, c.sentence), element("div", { class: "faint", dir: "auto" }, c.rationale)))));
  };
  const select = element("select", { id: "question", onchange: () => void say() }, ...questions.map(({ label }) => element("option", { value: label, selected: label === chosen }, label)));
  const box = element("textarea", { id: "reply", dir: "auto", oninput: () => void say() });
  box.value = pasted;
  await say();
  return [element("p", { class: "row" }, element("label", { for: "question" }, "Question"), select), element("label", { for: "reply" }, `A judge's reply about ${scene.about!.id}, in each sample`), box, out];
}
