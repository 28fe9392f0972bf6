// The colours of a text, which are the server's: it has read the text already, and
// knows a case's name from a criterion's. A grammar of the editor's own would read
// a long file again at every key, in the page's own thread.
import { LSPPlugin, type LSPClientExtension } from "@codemirror/lsp-client";
import type { Range } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";

/** marked are the kinds of words that a theme has a colour for, as classes. */
const marked = new Map<string, Decoration>();

function mark(kind: string): Decoration {
  let known = marked.get(kind);
  if (!known) marked.set(kind, (known = Decoration.mark({ class: `cm-is-${kind}`, inclusiveEnd: true })));
  return known;
}

/** read reads the protocol's five numbers a word: line and column since the word before, length, kind, modifiers. */
function read({ data }: lsp.SemanticTokens, plugin: LSPPlugin): Range<Decoration>[] {
  const kinds = plugin.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
  const { doc } = plugin.view.state;
  const all: Range<Decoration>[] = [];
  for (let i = 0, line = 0, character = 0; i + 4 < data.length; i += 5) {
    line += data[i];
    character = data[i + 1] + (data[i] ? 0 : character);
    const from = plugin.fromPosition({ line, character }, doc), to = Math.min(from + data[i + 2], doc.length);
    if (from < to) all.push(mark(kinds[data[i + 3]]).range(from, to));
  }
  return all;
}

const { field, asking } = layer<lsp.SemanticTokens, Decoration>({
  capability: "semanticTokensProvider",
  method: "textDocument/semanticTokens/range",
  pause: 40, // findings go before
  marks: read,
});

/** colours has a text shown in the server's colours. */
export const colours: LSPClientExtension = {
  clientCapabilities: {
    textDocument: {
      semanticTokens: { requests: { range: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
    },
  },
  editorExtension: [field, asking, EditorView.decorations.from(field)],
};
