// Highlights the text with the server's semantic tokens. The server has parsed the text already and tells case ids
// from criterion ids. A grammar in the editor would parse long files again at every key, in the page's thread.
import { LSPPlugin, type LSPClientExtension } from "@codemirror/lsp-client";
import type { Range } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { layer } from "./layer";

/** marksByType caches the decoration of each token type. */
const marksByType = new Map<string, Decoration>();

function markOf(type: string): Decoration {
  let cached = marksByType.get(type);
  if (!cached) marksByType.set(type, (cached = Decoration.mark({ class: `cm-token-${type}`, inclusiveEnd: true })));
  return cached;
}

/** decodeTokens decodes LSP's five numbers for each token: line and character relative to the previous token, length, type and modifiers. */
function decodeTokens({ data }: lsp.SemanticTokens, plugin: LSPPlugin): Range<Decoration>[] {
  const types = plugin.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
  const { doc } = plugin.view.state;
  const ranges: Range<Decoration>[] = [];
  for (let i = 0, line = 0, character = 0; i + 4 < data.length; i += 5) {
    line += data[i];
    character = data[i + 1] + (data[i] ? 0 : character);
    const from = plugin.fromPosition({ line, character }, doc), to = Math.min(from + data[i + 2], doc.length);
    if (from < to) ranges.push(markOf(types[data[i + 3]]).range(from, to));
  }
  return ranges;
}

const { field, requester } = layer<lsp.SemanticTokens, Decoration>({
  capability: "semanticTokensProvider",
  method: "textDocument/semanticTokens/range",
  pause: 40, // findings come first
  marks: decodeTokens,
});

/** semanticTokens highlights the text. */
export const semanticTokens: LSPClientExtension = {
  clientCapabilities: {
    textDocument: {
      semanticTokens: { requests: { range: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
    },
  },
  editorExtension: [field, requester, EditorView.decorations.from(field)],
};
