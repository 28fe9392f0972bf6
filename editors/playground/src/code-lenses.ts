// Code lenses: lines above the text that run a case or the whole file, and show the last verdict.
import type { LSPClientExtension } from "@codemirror/lsp-client";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";

/** Runner runs a case, or all cases of the file if the id is missing. */
type Runner = (uri: string, caseId: string | undefined) => void;

let runner: Runner = () => undefined;

/** onRun sets the runner. */
export function onRun(newRunner: Runner): void {
  runner = newRunner;
}

/** startRun runs a case. */
export const startRun = (uri: string, caseId: string): void => runner(uri, caseId);

class LensLine extends WidgetType {
  constructor(readonly indent: number, readonly all: lsp.Command[]) {
    super();
  }

  eq(other: LensLine): boolean {
    return other.indent === this.indent && JSON.stringify(other.all) === JSON.stringify(this.all);
  }

  get estimatedHeight(): number {
    return 20;
  }

  toDOM(): HTMLElement {
    const line = document.createElement("div");
    line.className = "cm-lenses";
    line.style.paddingInlineStart = `${this.indent}ch`;
    line.append(...this.all.map(({ title, command, arguments: [target] = [] }) => {
      const lens = document.createElement(command ? "button" : "span");
      lens.textContent = title;
      // A long file has thousands of lenses, so Tab skips them. Mod-Shift-Enter runs the case at the caret.
      lens.tabIndex = -1;
      if (command) lens.addEventListener("click", () => runner(target.uri, target.case));
      if (command && target.case) lens.setAttribute("aria-label", `${target.case}: ${title}`);
      return lens;
    }));
    return line;
  }

  ignoreEvent(): boolean {
    return true;
  }
}

const { field, requester } = layer<lsp.CodeLens[], Decoration>({
  capability: "codeLensProvider",
  method: "textDocument/codeLens",
  pause: 400,
  marks(codeLenses, { view }) {
    const { doc } = view.state;
    const lines = new Map<number, { indent: number; all: lsp.Command[] }>();
    for (const { range: { start }, command } of codeLenses) {
      if (!command || start.line >= doc.lines) continue;
      const line = lines.get(start.line) ?? { indent: doc.line(start.line + 1).text.search(/\S|$/), all: [] };
      lines.set(start.line, line);
      line.all.push(command);
    }
    return [...lines].map(([line, { indent, all }]) => Decoration.widget({ widget: new LensLine(indent, all), side: -1, block: true }).range(doc.line(line + 1).from));
  },
});

/** codeLenses shows the server's code lenses. */
export const codeLenses: LSPClientExtension = {
  clientCapabilities: { textDocument: { codeLens: {} } },
  editorExtension: [field, requester, EditorView.decorations.from(field)],
};
