// The Reply pane of an evalset case.
import { element } from "../dom";
import { measureCase, questionName } from "./evalset-panes";
import type { Scene } from "./pane";
import { formatNumber } from "./chart";
import { statusBadge } from "./status";

let pastedReply = "", chosenQuestion = "";

/** evalsetReply shows how a pasted judge's reply is read. */
export async function evalsetReply(scene: Scene): Promise<Node[]> {
  const { metrics } = await measureCase(scene);
  const questions = metrics.flatMap((m) => m.asked.map((a) => ({ m, a, label: questionName(m, a) })));
  if (!questions.length) return [element("p", { class: "empty" }, "No judge is asked about this case.")];
  const out = element("div", { "aria-live": "polite" });
  const showReply = async () => {
    [pastedReply, chosenQuestion] = [box.value, select.value];
    if (!pastedReply.trim()) return out.replaceChildren();
    const { m, a } = questions.find((q) => q.label === chosenQuestion) ?? questions[0];
    const result = await measureCase(scene, { replies: { [a.key]: pastedReply } });
    const t = result.metrics.find((r) => r.metric_name === m.metric_name)!.invocations[a.turn - 1];
    const problems = [...new Set([...(t?.replies ?? []).flatMap((r) => r.problems ?? []), ...(t?.problems ?? [])])];
    const claims = (t?.steps ?? []).flatMap((s) => s.claims);
    out.replaceChildren(
      element("p", {}, statusBadge(t?.eval_status ?? "NOT_EVALUATED"), ` turn ${a.turn}`, t?.score == null ? "" : `: ${formatNumber(t.score)}`),
      ...(t?.reason ? [element("p", { class: "faint", dir: "auto" }, t.reason)] : []),
      ...problems.map((p) => element("p", { class: "error", dir: "auto" }, p)),
      element("ul", { class: "plain" },
        ...(t?.rubric_scores ?? []).map((s) => element("li", {}, element("code", {}, s.rubric_id), ` ${s.score === null ? "neither yes nor no" : s.score === 1 ? "yes" : "no"}`, element("div", { class: "faint", dir: "auto" }, s.rationale ?? ""))),
        ...claims.map((c) => element("li", {}, element("code", {}, c.label), element("div", { dir: "auto" }, c.sentence), element("div", { class: "faint", dir: "auto" }, c.rationale)))));
  };
  const select = element("select", { id: "question", onchange: () => void showReply() }, ...questions.map(({ label }) => element("option", { value: label, selected: label === chosenQuestion }, label)));
  const box = element("textarea", { id: "reply", dir: "auto", oninput: () => void showReply() });
  box.value = pastedReply;
  await showReply();
  return [element("p", { class: "row" }, element("label", { for: "question" }, "Question"), select), element("label", { for: "reply" }, `A judge's reply about ${scene.selectedCase!.id}, in each sample`), box, out];
}
