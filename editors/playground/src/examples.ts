// Examples: six whole ones, and the bad and good example of each rule.
import banking from "../../../testdata/quickstart/banking/banking.evalset.json?raw";
import recorded from "../../../testdata/quickstart/banking/banking.evalset_result.json?raw";
import config from "../../../testdata/quickstart/banking/test_config.json?raw";
import refund from "../../../testdata/readme/refund.eval.yaml?raw";
import drafts from "./examples/drafts.eval.yaml?raw";
import lamps from "./examples/promptfooconfig.yaml?raw";
import support from "./examples/support.eval.yaml?raw";
import travel from "./examples/travel.eval.yaml?raw";
import { element, inlineCode } from "./dom";
import { callEvaluator } from "./evaluator";
import { fillLongList } from "./long-list";
import { initialState, type File, type State } from "./state";

interface Example {
  title: string;
  about: string;
  state: State;
}

/** stateOf returns the state of an example, which may show a case, a pane and some grades. */
const stateOf = (files: File[], shown: Partial<State> = {}): State => ({ ...initialState(files), ...shown });

/** firstExample is what a new user sees: a case that a single grade keeps from passing, with the grades that a run without a model gives. */
export const firstExample: State = stateOf([{ name: "support.eval.yaml", text: support }], {
  case: "summarise-review", entries: { "support.eval.yaml": { "summarise-review": { from: "example", grades: [{ grader: "rubric", id: "faults", score: 6 }, { grader: "rubric", id: "brevity", score: 10 }] } } },
});

const wholeExamples: Example[] = [
  { title: "A support assistant", about: "Checklists, weights, score ranges and gates. One case is a single grade away from passing.", state: firstExample },
  { title: "A rubric with faults", about: "Typical mistakes. Each problem says what is wrong, and most have a fix.", state: stateOf([{ name: "refund.eval.yaml", text: refund }], { tab: "problems" }) },
  {
    title: "A banking agent", about: "An ADK evalset with its configuration and a recorded run: seven metrics, turn by turn.",
    state: stateOf([{ name: "banking.evalset.json", text: banking }, { name: "test_config.json", text: config }, { name: "banking.evalset_result.json", text: recorded }]),
  },
  { title: "A travel assistant with tools", about: "Tool use: one score of what the answer says and which tools were called. Run it, without a model: one of the two fails.", state: stateOf([{ name: "travel.eval.yaml", text: travel }], { tab: "run" }) },
  { title: "A promptfoo configuration", about: "promptfoo's own file, with its assertions and recorded answers. Run it without a model: one of its tests fails.", state: stateOf([{ name: "promptfooconfig.yaml", text: lamps }], { tab: "run" }) },
  { title: "Cases without criteria", about: "Two expected answers. Let the page draft the criteria, then edit them.", state: stateOf([{ name: "drafts.eval.yaml", text: drafts }]) },
];

/** ruleExamples returns the bad and the good example of each rule. */
async function ruleExamples(): Promise<Example[]> {
  const rules = (await callEvaluator("rules", {})).filter((r) => r.severity !== "off");
  const otherFiles = (more: Record<string, string> | undefined): File[] => Object.entries(more ?? {}).map(([name, text]) => ({ name, text }));
  return rules.flatMap((r) => [
    { title: `${r.id}: bad`, about: r.summary, state: stateOf([{ name: r.path, text: r.bad }, ...otherFiles(r.beside)], { tab: "problems" }) },
    { title: `${r.id}: good`, about: `Without this fault: ${r.summary}`, state: stateOf([{ name: r.path, text: r.good }, ...otherFiles(r.beside)]) },
  ]);
}

/** examplesDialog lets the user choose an example. The rules' examples appear with a search. */
export async function examplesDialog(onChosen: (state: State) => void): Promise<void> {
  const ofRules = await ruleExamples();
  const card = ({ title, about, state }: Example) => element("li", { class: "card" }, element("button", { type: "button", onclick: () => (dialog.close(), onChosen(structuredClone(state))) }, title), element("p", {}, ...inlineCode(about)));
  const list = element("ul", { class: "cards" });
  const search = element("input", { type: "search", id: "search", autocomplete: "off", placeholder: `${ofRules.length} examples of rules`, oninput: () => show() });
  const count = element("p", { role: "status", class: "faint" });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean).map((w) => w.replace(/(?<=..)s$/, ""));
    const named = (e: Example) => words.filter((w) => `${e.title} ${e.about}`.toLowerCase().includes(w)).length;
    const has = (e: Example) => words.every((w) => [e.title, e.about, ...e.state.files.map(({ text }) => text)].some((text) => text.toLowerCase().includes(w)));
    const found = words.length ? [...wholeExamples, ...ofRules].filter(has).sort((a, b) => named(b) - named(a)) : wholeExamples; // what is named so comes first
    count.textContent = words.length ? (found.length === 1 ? "1 example" : `${found.length || "No"} examples`) : "";
    fillLongList(list, found, card);
  };
  const dialog = element("dialog", { class: "examples", "aria-label": "Examples", onclose: () => dialog.remove() },
    element("div", { class: "row" }, element("h2", {}, "Examples"), element("label", { for: "search", class: "end" }, "Search"), search, element("button", { type: "button", onclick: () => dialog.close() }, "Close")), list, count);
  document.body.append(dialog);
  show();
  dialog.showModal();
  list.querySelector("button")?.focus();
}
