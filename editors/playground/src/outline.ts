// A file's outline: its cases and what is in them, to go to by a click or a key.
import type * as lsp from "vscode-languageserver-protocol";
import { at, element } from "./dom";
import { client } from "./evaluator";
import { sliced } from "./sliced";
import { stretches } from "./stretches";

/** Entry is a symbol: where it is, and how deep it lies. */
interface Entry {
  name: string;
  detail: string;
  depth: number;
  line: number;
  character: number;
}

/** most is how many entries are shown: nobody looks for anything in a longer list. */
const most = 500;

/** entries picks those out of a server's symbols that have some words in them, and begin in a stretch of lines. */
function entries(symbols: lsp.DocumentSymbol[], words: string[], first: number, last: number): Entry[] {
  const found: Entry[] = [];
  const take = ({ name, detail = "", selectionRange: { start }, children = [] }: lsp.DocumentSymbol, depth: number) => {
    const text = `${name} ${detail}`.toLowerCase();
    if (start.line >= first && start.line <= last && words.every((w) => text.includes(w))) found.push({ name, detail, depth, ...start });
    for (const child of children) take(child, depth + 1);
  };
  for (const symbol of symbols) take(symbol, 0);
  return found;
}

/** Outline is the panel beside the editor; `go` goes to a place, and `back` to the editor. */
export class Outline {
  #panel = at("outline");
  #list = element("ul", { class: "plain", onkeydown: (event) => this.#walk(event as KeyboardEvent) });
  #filter = element("input", { type: "search", id: "filter", placeholder: "Filter", "aria-label": "Filter the outline", oninput: () => void this.refresh(this.#uri) });
  #shown = "";
  #uri = "";
  #wanted = ""; // what is shown, or soon will be

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
    if (this.#panel.hidden) {
      this.#wanted = ""; // and nothing more is asked
      return this.back();
    }
    this.#filter.focus();
    void this.refresh(this.#uri);
  }

  /** refresh shows the outline of a document as it is now; a hidden one costs nothing, and one that is as it was stays. */
  async refresh(uri: string): Promise<void> {
    this.#uri = uri;
    if (this.#panel.hidden) return;
    client.sync();
    const words = this.#filter.value.toLowerCase().split(/\s+/);
    const wanted = JSON.stringify([uri, client.workspace.getFile(uri)?.version, words]);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    const all: Entry[] = [];
    const whole = await stretches<lsp.DocumentSymbol[]>(client, uri, "textDocument/documentSymbol", (symbols, { doc, from, to }) => {
      if (wanted !== this.#wanted) return undefined;
      all.push(...entries(symbols, words, doc.lineAt(from).number - 1, doc.lineAt(to).number - 1));
      return all.length > most ? undefined : to + 1;
    });
    if (wanted !== this.#wanted) return;
    if (!whole) return void (this.#wanted = ""); // the text is another one by now, of which the page tells
    const now = JSON.stringify(all);
    if (now === this.#shown) return;
    this.#shown = now;
    this.#show(all);
  }

  #show(all: Entry[]): void {
    sliced(this.#list, all.slice(0, most), ({ name, detail, depth, line, character }: Entry) => {
      const entry = element("button", { type: "button", class: "entry", onclick: () => this.go(line, character) }, element("span", { dir: "auto" }, name), detail ? element("span", { class: "faint" }, ` ${detail}`) : null);
      entry.style.paddingInlineStart = `${0.5 + depth * 0.9}rem`;
      return element("li", {}, entry);
    });
    if (all.length > most) this.#list.append(element("li", { class: "faint" }, "The filter finds those that are not here."));
    if (!all.length) this.#list.replaceChildren(element("li", { class: "faint" }, "Nothing here."));
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
