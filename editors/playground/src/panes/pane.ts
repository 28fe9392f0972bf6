// What every pane receives.
import type { Case } from "@rubric-ls/wasm";
import type * as lsp from "vscode-languageserver-protocol";
import { element } from "../dom";
import type { CasePosition } from "../case-positions";
import type { Choices, File } from "../state";

/** Scene is the current state of the page for a pane. */
export interface Scene {
  state: Choices;
  uri: string; // the active file's
  cases: CasePosition[];
  /** selectedCase is the shown case, if there is one. */
  selectedCase: Case | undefined;
  /** isEvalset reports whether ADK's metrics measure the cases. */
  isEvalset: boolean;
  /** findings returns the current findings of the file. */
  findings(): lsp.Diagnostic[];
  /** names are the names of the open files. */
  names: string[];
  /** files returns the open files with their current texts. */
  files(): Promise<File[]>;
  /** onRunEnd refreshes decorations after a run. */
  onRunEnd(): void;
  /** onGradesChange saves the state after a change of grades. */
  onGradesChange(): void;
  /** reveal shows a position in this file, or in another open file. */
  reveal(line: number, character: number, uri?: string): void;
  /** selectCase shows another case. */
  selectCase(id: string): void;
  /** showTab shows another pane. */
  showTab(tab: string): void;
  /** edit makes the server's edits to the file. */
  edit(edits: lsp.TextEdit[]): void;
}

/** emptyPane is shown for a file without gradable cases. */
export function emptyPane({ uri }: Scene): Node[] {
  const adk = /\.json$/.test(uri) ? " For ADK, select an evalset or a result file, and open its configuration in another tab." : "";
  return [element("p", { class: "empty" }, `There is no case with a rubric in this file.${adk} New from template, in the menu File, starts one.`)];
}

/** Pane returns the content of a pane. */
export type Pane = (scene: Scene) => Promise<Node[]> | Node[];
