// What every pane receives.
import type { Case, Target } from "@rubric-ls/wasm";
import type * as lsp from "vscode-languageserver-protocol";
import { element } from "../dom";
import { callEvaluator } from "../evaluator";
import type { CasePosition } from "../case-positions";
import type { Choices, Entries, File } from "../state";

/** Scene is the current state of the page for a pane. */
export interface Scene {
  state: Choices;
  entries: Entries; // of the active file
  uri: string; // the active file's
  cases: CasePosition[];
  /** selectedCase is the shown case, if there is one. */
  selectedCase: Case | undefined;
  /** targets are the systems under test that the file names. */
  targets: Target[];
  /** dialect is the format of the file, and "" for a file without cases. */
  dialect: string;
  /** isEvalset reports whether ADK's metrics measure the cases. */
  isEvalset: boolean;
  /** findings returns the current findings of the file, once it has been checked. */
  findings(): lsp.Diagnostic[] | undefined;
  /** names are the names of the open files. */
  names: string[];
  /** files returns the open files with their current texts. */
  files(): Promise<File[]>;
  /** run runs a case: here by the offline judge, and else in the Run pane. */
  run(caseId: string): void;
  /** rename gives the active file another name. */
  rename(name: string): void;
  /** onRunEnd refreshes decorations after a run. */
  onRunEnd(): void;
  /** onGradesChange saves the state after a change of entries. */
  onGradesChange(): void;
  /** visit makes a change of what is shown, which the browser's Back takes back. */
  visit(change: () => void): void;
  /** reveal shows a position in this file, or in another open file. */
  reveal(line: number, character: number, uri?: string): void;
  /** selectCase shows another case. */
  selectCase(id: string): void;
  /** showTab shows another pane. */
  showTab(tab: string): Promise<void>;
  /** edit makes the server's edits to the file. */
  edit(edits: lsp.TextEdit[]): void;
}

/** restMissing says so while the page has only the small evaluator, which does not read all that is open. */
export async function restMissing(what: string): Promise<HTMLElement | undefined> {
  const { wholeWanted } = await callEvaluator("version", {});
  return wholeWanted === undefined ? undefined : element("p", { class: "empty" }, `${what} The rest of the evaluator, which reads ${wholeWanted}, is not loaded yet.`);
}

/** emptyPane is shown for a file without gradable cases. It says what the file was taken for, and what the page reads. */
export async function emptyPane({ uri, state, files, rename }: Scene): Promise<Node[]> {
  const missing = await restMissing("");
  if (missing) return [missing];
  const { recognised, name, formats } = await callEvaluator("formats", { document: uri });
  const what = recognised ? `${state.active} is a file of ${name}, but it has no case to grade: its cases may be in another file.` : `${state.active} is in none of the formats that the page reads, so nothing in it is graded.`;
  const { text } = (await files()).find((f) => f.name === state.active)!;
  const isPromptfoo = name !== "promptfoo" && (await callEvaluator("formats", { text, path: "text.yaml" })).name === "promptfoo"; // another name than .eval.yaml lets the text decide
  if (isPromptfoo) {
    return [element("div", { class: "cause" }, element("p", {}, `The text is a promptfoo configuration, but ${state.active} is a name of ${name}, so nothing in it is graded.`), element("button", { type: "button", class: "primary", onclick: () => rename("promptfooconfig.yaml") }, "Rename to promptfooconfig.yaml"))];
  }
  return [element("div", { class: "empty formats" },
    element("p", { dir: "auto" }, what), element("p", {}, "To start with a case: File, New from template; or Examples."),
    element("p", {}, "The page reads:"), element("ul", {}, ...formats.map((f) => element("li", {}, element("b", {}, f.name), `: ${f.files.join("; ")}`))))];
}

/** Pane returns the content of a pane. */
export type Pane = (scene: Scene) => Promise<Node[]> | Node[];
