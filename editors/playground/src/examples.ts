// Examples: whole files, and the bad and good example of each rule.
import banking from "../../../testdata/quickstart/banking/banking.evalset.json?raw";
import config from "../../../testdata/quickstart/banking/test_config.json?raw";
import support from "../../../testdata/quickstart/support.eval.yaml?raw";
import refund from "../../../testdata/readme/refund.eval.yaml?raw";
import { element } from "./dom";
import { callEvaluator } from "./evaluator";
import { fillLongList } from "./long-list";
import type { File } from "./state";

interface Example {
  title: string;
  about: string;
  files: File[];
}

/** firstExample is what a new user sees. */
export const firstExample: File[] = [{ name: "support.eval.yaml", text: support.replace(/^(#.*\n)+\s*/, "") }]; // without the comment about the command line

const wholeExamples: Example[] = [
  { title: "A support assistant", about: "checklists, weights, score ranges, gates", files: firstExample },
  {
    title: "A banking agent", about: "an ADK evalset with its configuration",
    files: [{ name: "banking.evalset.json", text: banking }, { name: "test_config.json", text: config }],
  },
  { title: "A rubric with faults", about: "typical mistakes", files: [{ name: "refund.eval.yaml", text: refund }] },
];

async function listExamples(): Promise<Example[]> {
  const rules = (await callEvaluator("rules", {})).filter((r) => r.severity !== "off");
  const otherFiles = (more: Record<string, string> | undefined): File[] => Object.entries(more ?? {}).map(([name, text]) => ({ name, text }));
  return [...wholeExamples, ...rules.flatMap((r) => [
    { title: `${r.id}: bad`, about: r.summary, files: [{ name: r.path, text: r.bad }, ...otherFiles(r.beside)] },
    { title: `${r.id}: good`, about: r.summary, files: [{ name: r.path, text: r.good }, ...otherFiles(r.beside)] },
  ])];
}

/** examplesDialog lets the user choose an example. */
export async function examplesDialog(onChosen: (files: File[]) => void): Promise<void> {
  const examples = await listExamples();
  const list = element("ul", { class: "plain" });
  const search = element("input", { type: "search", id: "search", autocomplete: "off", oninput: () => show() });
  const count = element("p", { role: "status", class: "faint" });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = examples.filter((e) => words.every((w) => `${e.title} ${e.about}`.toLowerCase().includes(w)));
    count.textContent = found.length === 1 ? "1 example" : `${found.length || "No"} examples`;
    fillLongList(list, found, (e) => element("li", {},
      element("button", { type: "button", onclick: () => (dialog.close(), onChosen(e.files)) }, e.title), " ", element("span", { class: "faint" }, e.about)));
  };
  const dialog = element("dialog", { "aria-label": "Examples", onclose: () => dialog.remove() },
    element("div", { class: "row" }, element("label", { for: "search" }, "Search"), search, element("button", { type: "button", onclick: () => dialog.close() }, "Close")), count, list);
  document.body.append(dialog);
  show();
  dialog.showModal();
  search.focus();
}
