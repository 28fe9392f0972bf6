// A file's outline: its cases and what is in them, to go to by a click or a key.
import { at, element } from "./dom";
import { client } from "./evaluator";
import { method, type Entry, type Outlined, type Wanted } from "./outlined";
import { sliced } from "./sliced";

/** Outline is the panel beside the editor; `go` goes to a place, and `back` to the editor. */
export class Outline {
  #panel = at("outline");
  #list = element("ul", { class: "plain", onkeydown: (event) => this.#walk(event as KeyboardEvent) });
  #filter = element("input", { type: "search", id: "filter", placeholder: "Filter", "aria-label": "Filter the outline", oninput: () => void this.refresh(this.#uri) });
  #shown = "";
  #uri = "";
  #round = 0;

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

  /** refresh shows the outline of a document as it is now; a hidden one costs nothing, and one that is as it was stays. */
  async refresh(uri: string): Promise<void> {
    this.#uri = uri;
    if (this.#panel.hidden) return;
    const round = ++this.#round;
    client.sync();
    const wanted = { textDocument: { uri }, words: this.#filter.value.toLowerCase().split(/\s+/) };
    const found = await client.request<Wanted, Outlined>(method, wanted).catch(() => ({ entries: [], total: 0 }));
    const now = JSON.stringify(found);
    if (round !== this.#round || now === this.#shown) return;
    this.#shown = now;
    this.#show(found);
  }

  #show({ entries, total }: Outlined): void {
    sliced(this.#list, entries, ({ name, detail, depth, line, character }: Entry) => {
      const entry = element("button", { type: "button", class: "entry", onclick: () => this.go(line, character) }, element("span", { dir: "auto" }, name), detail ? element("span", { class: "faint" }, ` ${detail}`) : null);
      entry.style.paddingInlineStart = `${0.5 + depth * 0.9}rem`;
      return element("li", {}, entry);
    });
    if (total > entries.length) this.#list.append(element("li", { class: "faint" }, `The filter finds the ${total - entries.length} that are not here.`));
    if (!total) this.#list.replaceChildren(element("li", { class: "faint" }, "Nothing here."));
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
