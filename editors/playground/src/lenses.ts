// Lenses: lines above the text from which a case, or all of the file, is run, and
// which say what it came to last.
import type { LSPClientExtension } from "@codemirror/lsp-client";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";

/** Runner is told that somebody wants a case run; all of the file's without an id. */
type Runner = (uri: string, about: string | undefined) => void;

let runner: Runner = () => undefined;

/** onRun has a runner told. */
export function onRun(told: Runner): void {
  runner = told;
}

/** startRun has the runner run a case. */
export const startRun = (uri: string, about: string): void => runner(uri, about);

class Line extends WidgetType {
  constructor(readonly indent: number, readonly all: lsp.Command[]) {
    super();
  }

  eq(other: Line): boolean {
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
      // Not a stop on the way by Tab, of which a long file would have thousands: Mod-Shift-Enter runs the case that the caret is in.
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

const { field, asking } = layer<lsp.CodeLens[], Decoration>({
  capability: "codeLensProvider",
  method: "textDocument/codeLens",
  pause: 400,
  marks(lenses, { view }) {
    const { doc } = view.state;
    const lines = new Map<number, { indent: number; all: lsp.Command[] }>();
    for (const { range: { start }, command } of lenses) {
      if (!command || start.line >= doc.lines) continue;
      const line = lines.get(start.line) ?? { indent: doc.line(start.line + 1).text.search(/\S|$/), all: [] };
      lines.set(start.line, line);
      line.all.push(command);
    }
    return [...lines].map(([line, { indent, all }]) => Decoration.widget({ widget: new Line(indent, all), side: -1, block: true }).range(doc.line(line + 1).from));
  },
});

/** lenses has the server's lenses shown. */
export const lenses: LSPClientExtension = {
  clientCapabilities: { textDocument: { codeLens: {} } },
  editorExtension: [field, asking, EditorView.decorations.from(field)],
};
