// The outline of a file: its cases and their parts, as buttons.
import type * as lsp from "vscode-languageserver-protocol";
import { elementById, element } from "./dom";
import { client } from "./evaluator";
import { fillLongList } from "./long-list";
import { requestInChunks } from "./chunked-request";

/** Entry is a symbol with its position and depth. */
interface Entry {
  name: string;
  detail: string;
  verdict?: string; // of a case's last run
  depth: number;
  line: number;
  character: number;
}

/** maxEntries limits the shown entries. */
const maxEntries = 500;

/** matchingEntries returns the symbols between two lines that contain all words. */
function matchingEntries(symbols: lsp.DocumentSymbol[], verdicts: Map<string, string>, words: string[], first: number, last: number): Entry[] {
  const found: Entry[] = [];
  const visit = ({ name, detail = "", selectionRange: { start }, children = [] }: lsp.DocumentSymbol, depth: number) => {
    const verdict = verdicts.get(`${start.line}:${start.character}`), text = `${name} ${detail} ${verdict ?? ""}`.toLowerCase();
    if (start.line >= first && start.line <= last && words.every((w) => text.includes(w))) found.push({ name, detail, verdict, depth, ...start });
    for (const child of children) visit(child, depth + 1);
  };
  for (const symbol of symbols) visit(symbol, 0);
  return found;
}

/** Outline is the panel next to the editor. */
export class Outline {
  #panel = elementById("outline");
  #list = element("ul", { class: "plain", onkeydown: (event) => this.#moveFocus(event as KeyboardEvent) });
  #filter = element("input", { type: "search", id: "filter", placeholder: "Filter", "aria-label": "Filter the outline", oninput: () => void this.refresh(this.#uri) });
  #shownEntries = "";
  #uri = "";
  #verdicts = new Map<string, string>(); // of cases by their places, as LINE:CHARACTER
  #requestedKey = ""; // identifies the entries that are shown or requested

  constructor(readonly go: (line: number, character: number) => void, readonly onClose: () => void) {
    this.#panel.append(this.#filter, this.#list);
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.toggle();
    });
  }

  /** toggle shows or hides the outline. */
  toggle(): void {
    if (this.#panel.hidden) return this.show();
    this.#panel.hidden = true;
    elementById("toggle-outline").setAttribute("aria-expanded", "false");
    this.#requestedKey = ""; // cancels pending requests
    this.onClose();
  }

  /** show shows the outline, with the focus on its filter. */
  show(): void {
    this.#panel.hidden = false;
    elementById("toggle-outline").setAttribute("aria-expanded", "true");
    this.#filter.focus();
    void this.refresh(this.#uri);
  }

  /** refresh updates a visible outline if the document, a verdict or the filter has changed. */
  async refresh(uri: string, verdicts = this.#verdicts): Promise<void> {
    [this.#uri, this.#verdicts] = [uri, verdicts];
    if (this.#panel.hidden) return;
    client.sync();
    const words = this.#filter.value.toLowerCase().split(/\s+/);
    const key = JSON.stringify([uri, client.workspace.getFile(uri)?.version, words, ...verdicts]);
    if (key === this.#requestedKey) return;
    this.#requestedKey = key;
    const all: Entry[] = [];
    const isComplete = await requestInChunks<lsp.DocumentSymbol[]>(client, uri, "textDocument/documentSymbol", (symbols, { doc, from, to }) => {
      if (key !== this.#requestedKey) return undefined;
      all.push(...matchingEntries(symbols, verdicts, words, doc.lineAt(from).number - 1, doc.lineAt(to).number - 1));
      return all.length > maxEntries ? undefined : to + 1;
    });
    if (key !== this.#requestedKey) return;
    if (!isComplete) return void (this.#requestedKey = ""); // the text has changed, and the page refreshes again
    const serialized = JSON.stringify(all);
    if (serialized === this.#shownEntries) return;
    this.#shownEntries = serialized;
    this.#show(all);
  }

  #show(all: Entry[]): void {
    fillLongList(this.#list, all.slice(0, maxEntries), ({ name, detail, verdict, depth, line, character }: Entry) => {
      const entry = element("button", { type: "button", class: "entry", onclick: () => this.go(line, character) }, element("span", { dir: "auto" }, name), detail ? element("span", { class: "faint" }, ` ${detail}`) : null, verdict && " ", verdict && element("span", { class: `verdict ${verdict}` }, verdict));
      entry.style.paddingInlineStart = `${0.5 + depth * 0.9}rem`;
      return element("li", {}, entry);
    });
    if (all.length > maxEntries) this.#list.append(element("li", { class: "faint" }, "Use the filter to find the others."));
    if (!all.length) this.#list.replaceChildren(element("li", { class: "faint" }, "No entries."));
  }

  /** moveFocus moves the focus between entries with the arrow keys. */
  #moveFocus(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.#list.querySelectorAll<HTMLElement>("button")];
    all[all.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  }
}
