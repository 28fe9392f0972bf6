// What every pane is given to show.
import type { Case } from "@rubric-ls/wasm";
import type * as lsp from "vscode-languageserver-protocol";
import { element } from "../dom";
import type { Place } from "../places";
import type { Choices, File } from "../state";

/** Scene is what is before somebody at a moment. */
export interface Scene {
  state: Choices;
  uri: string; // of the active file
  cases: Place[];
  /** about is the case that is shown, if there is one. */
  about: Case | undefined;
  /** measured says that metrics of ADK's measure the cases, and graders do not. */
  measured: boolean;
  /** findings are those of the file by now. */
  findings(): lsp.Diagnostic[];
  /** names are those of the files that are open. */
  names: string[];
  /** files are they, with their texts as they are. */
  files(): Promise<File[]>;
  /** judged has hints shown anew: a run has ended. */
  judged(): void;
  /** changed has what was changed in the state kept, and everything shown anew. */
  changed(): void;
  /** reveal shows a place in the file, or in another one that is open. */
  reveal(line: number, character: number, uri?: string): void;
}

/** none is what is shown of a file without cases that could be graded here. */
export function none({ uri }: Scene): Node[] {
  const adk = /\.json$/.test(uri) ? " Of ADK's files an evalset has cases, and so has a result file: choose its tab, with the configuration in another." : "";
  return [element("p", { class: "empty" }, `There is no case with a rubric in this file.${adk}`)];
}

/** Pane shows a scene; what it shows replaces what was there. */
export type Pane = (scene: Scene) => Promise<Node[]> | Node[];
