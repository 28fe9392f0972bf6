// A file's outline as the page shows it, made beside the evaluator: that of a long file
// is longer than what somebody looks for in it.
import type * as lsp from "vscode-languageserver-protocol";

/** Entry is a symbol: where it is, and how deep it lies. */
export interface Entry {
  name: string;
  detail: string;
  depth: number;
  line: number;
  character: number;
}

/** Wanted is what of an outline is asked for: what has all of some words in it. */
export interface Wanted {
  textDocument: lsp.TextDocumentIdentifier;
  words: string[];
}

/** Outlined are the first of the entries, and how many there are. */
export interface Outlined {
  entries: Entry[];
  total: number;
}

/** method is what the page asks for an outline by. */
export const method = "playground/outline";

/** most is how many entries are given. */
const most = 500;

/** outlined picks entries out of a server's symbols. */
export function outlined(symbols: lsp.DocumentSymbol[] | null, words: string[]): Outlined {
  const found: Outlined = { entries: [], total: 0 };
  const take = ({ name, detail = "", selectionRange: { start }, children = [] }: lsp.DocumentSymbol, depth: number) => {
    const text = `${name} ${detail}`.toLowerCase();
    if (words.every((w) => text.includes(w)) && ++found.total <= most) found.entries.push({ name, detail, depth, ...start });
    for (const child of children) take(child, depth + 1);
  };
  for (const symbol of symbols ?? []) take(symbol, 0);
  return found;
}
