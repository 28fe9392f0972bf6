// Examples to begin from: whole files, and each rule's bad and good.
import banking from "../../../testdata/quickstart/banking/banking.evalset.json?raw";
import config from "../../../testdata/quickstart/banking/test_config.json?raw";
import support from "../../../testdata/quickstart/support.eval.yaml?raw";
import refund from "../../../testdata/readme/refund.eval.yaml?raw";
import { element } from "./dom";
import { ask } from "./evaluator";
import { sliced } from "./sliced";
import type { File } from "./state";

interface Example {
  title: string;
  about: string;
  files: File[];
}

/** first is what somebody sees who has been here never before. */
export const first: File[] = [{ name: "support.eval.yaml", text: support.replace(/^(#.*\n)+\s*/, "") }]; // without how it is run in its folder

const whole: Example[] = [
  { title: "A support assistant", about: "checklists, weights, score ranges, gates", files: first },
  {
    title: "A banking agent", about: "an ADK evalset with its configuration",
    files: [{ name: "banking.evalset.json", text: banking }, { name: "test_config.json", text: config }],
  },
  { title: "A rubric with faults", about: "what typing blind leaves behind", files: [{ name: "refund.eval.yaml", text: refund }] },
];

async function all(): Promise<Example[]> {
  const rules = (await ask("rules", {})).filter((r) => r.severity !== "off");
  const beside = (more: Record<string, string> | undefined): File[] => Object.entries(more ?? {}).map(([name, text]) => ({ name, text }));
  return [...whole, ...rules.flatMap((r) => [
    { title: `${r.id}: bad`, about: r.summary, files: [{ name: r.path, text: r.bad }, ...beside(r.beside)] },
    { title: `${r.id}: good`, about: r.summary, files: [{ name: r.path, text: r.good }, ...beside(r.beside)] },
  ])];
}

/** gallery lets somebody choose one, in a dialog. */
export async function gallery(chosen: (files: File[]) => void): Promise<void> {
  const examples = await all();
  const list = element("ul", { class: "plain" });
  const search = element("input", { type: "search", id: "search", autocomplete: "off", oninput: () => show() });
  const count = element("p", { role: "status", class: "faint" });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = examples.filter((e) => words.every((w) => `${e.title} ${e.about}`.toLowerCase().includes(w)));
    count.textContent = found.length === 1 ? "1 example" : `${found.length || "No"} examples`;
    sliced(list, found, (e) => element("li", {},
      element("button", { type: "button", onclick: () => (dialog.close(), chosen(e.files)) }, e.title), " ", element("span", { class: "faint" }, e.about)));
  };
  const dialog = element("dialog", { "aria-label": "Examples", onclose: () => dialog.remove() },
    element("div", { class: "row" }, element("label", { for: "search" }, "Search"), search, element("button", { type: "button", onclick: () => dialog.close() }, "Close")), count, list);
  document.body.append(dialog);
  show();
  dialog.showModal();
  search.focus();
}
