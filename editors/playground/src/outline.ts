// A file's outline: its cases and what is in them, to go to by a click or a key.
import type * as lsp from "vscode-languageserver-protocol";
import { at, element } from "./dom";
import { client } from "./evaluator";
import { sliced } from "./sliced";

/** Entry is a symbol and how deep it lies. */
interface Entry {
  symbol: lsp.DocumentSymbol;
  depth: number;
}

const flat = (all: lsp.DocumentSymbol[], depth = 0): Entry[] => all.flatMap((symbol) => [{ symbol, depth }, ...flat(symbol.children ?? [], depth + 1)]);

/** Outline is the panel beside the editor; `go` goes to a place, and `back` to the editor. */
export class Outline {
  #panel = at("outline");
  #list = element("ul", { class: "plain", onkeydown: (event) => this.#walk(event as KeyboardEvent) });
  #filter = element("input", { type: "search", id: "filter", placeholder: "Filter", "aria-label": "Filter the outline", oninput: () => this.#show() });
  #entries: Entry[] = [];
  #uri = "";

  constructor(readonly go: (line: number, character: number) => void, readonly back: () => void) {
    this.#panel.append(this.#filter, this.#list);
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.toggle();
    });
  }

  /** toggle shows the outline, or hides it and goes back to the text. */
  toggle(): void {
    this.#panel.hidden = !this.#panel.hidden;
    at("outlined").setAttribute("aria-expanded", String(!this.#panel.hidden));
    if (this.#panel.hidden) return this.back();
    this.#filter.focus();
    void this.refresh(this.#uri);
  }

  /** refresh shows the outline of a document as it is now; a hidden one costs nothing. */
  async refresh(uri: string): Promise<void> {
    this.#uri = uri;
    if (this.#panel.hidden) return;
    const was = JSON.stringify(this.#entries);
    client.sync();
    this.#entries = flat(await client.request<lsp.DocumentSymbolParams, lsp.DocumentSymbol[]>("textDocument/documentSymbol", { textDocument: { uri } }).catch(() => []));
    if (JSON.stringify(this.#entries) !== was || !this.#list.childElementCount) this.#show();
  }

  #show(): void {
    const words = this.#filter.value.toLowerCase().split(/\s+/);
    const found = this.#entries.filter(({ symbol: { name, detail } }) => words.every((w) => `${name} ${detail ?? ""}`.toLowerCase().includes(w)));
    sliced(this.#list, found, ({ symbol, depth }) => {
      const { line, character } = symbol.selectionRange.start;
      const entry = element("button", { type: "button", class: "entry", onclick: () => this.go(line, character) }, element("span", { dir: "auto" }, symbol.name), symbol.detail ? element("span", { class: "faint" }, ` ${symbol.detail}`) : null);
      entry.style.paddingInlineStart = `${0.5 + depth * 0.9}rem`;
      return element("li", {}, entry);
    });
    if (!found.length) this.#list.replaceChildren(element("li", { class: "faint" }, "Nothing here."));
  }

  /** walk moves among the entries by the arrows. */
  #walk(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.#list.querySelectorAll<HTMLElement>("button")];
    all[all.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  }
}
