// Words of the page that a first visitor does not know, in plain ones.
import { element } from "./dom";

/** words explains them, in the order of the list under Help. */
const words: Record<string, string> = {
  hypothetical: "No run has given this verdict. It is what the grades below come to. Change a grade, and it changes.",
  "near miss": "A case that fails by a small margin: one grade that is a little higher would make it pass.",
  gate: "A criterion or grader that must be met. If it is not, the case fails, whatever its score.",
  band: "A range of a criterion's grades from 0 to 10, with the text that says when to give them.",
  judge: "What grades the answers. The offline judge checks the text literally; any other is a language model.",
  ungraded: "Nothing could grade it, so it has no score.",
  stale: "The text has changed since the run.",
  llm_judge: "A language model, the judge, reads the question and the answer and gives the grades. Without a model, only what can be checked literally is graded.",
  code_judge: "A program that is named in the file gives the score.",
  composite: "Several graders that count as one.",
  tool_trajectory: "Compares the tools that the system called with the expected ones.",
  field_accuracy: "Compares fields of the answer, such as those of JSON, with the expected ones.",
  latency: "Limits how long the answer may take.",
  cost: "Limits what the answer may cost.",
  token_usage: "Limits the tokens that the answer may use.",
  execution_metrics: "Limits what a run may use: tokens, tool calls, time, cost.",
  deterministic: "Checks the text of the answer without a model: it is satisfied or not.",
  assert_set: "Several checks that count as one.",
  trace_steps: "Checks the steps that the system took.",
  external: "Needs something that is not here: a plugin, a program or a service.",
};

/** shown is the explanation that is open. It is outside of the panes, whose text it is not. */
const shown = element("p", { popover: "auto", class: "explanation", role: "status" });
document.body.append(shown);

/** explained returns a word as a button that explains it, or else the word. */
export function explained(word: string, style: string): HTMLElement {
  const text = words[word];
  if (!text) return element("span", { class: style }, word);
  const button = element("button", { type: "button", class: `word ${style}`, title: text, onclick: () => {
    const { bottom, left } = button.getBoundingClientRect();
    shown.style.top = `${bottom + 4}px`;
    shown.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - 330))}px`;
    shown.togglePopover(true);
    shown.textContent = text;
  } }, word);
  return button;
}

/** showWords shows the list. */
export function showWords(): void {
  const dialog = element("dialog", { "aria-label": "Words on this page", class: "small", onclose: () => dialog.remove() },
    element("h2", {}, "Words on this page"),
    element("dl", { class: "words", tabindex: 0 }, ...Object.entries(words).flatMap(([word, text]) => [element("dt", {}, word), element("dd", {}, text)])),
    element("div", { class: "row buttons" }, element("button", { type: "button", onclick: () => dialog.close() }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}
