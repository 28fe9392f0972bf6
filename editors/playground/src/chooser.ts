// The cases of a file, to choose from. Of a long list a slice is put in at a time: all
// at once would hold the page up. Where most stay, most are left alone.
import { element, pause } from "./dom";

/** slice is how many options are made at once. */
const slice = 200;

/** most is how many cases are to choose from: of more, those around the one that is chosen. */
const most = 1000;

/** around are the cases that are to choose from. */
function around(ids: string[], chosen: string): string[] {
  if (ids.length <= most) return ids;
  const step = most / 2, at = Math.floor(ids.indexOf(chosen) / step) * step - step / 2; // it stays while one goes from case to case
  const from = Math.max(0, Math.min(at, ids.length - most));
  return ids.slice(from, from + most);
}

/** Chooser is the list; `chosen` is told of each choice. */
export class Chooser {
  readonly nodes: HTMLElement[];
  #select: HTMLSelectElement;
  #rest = element("span", { class: "faint" });
  #here: string[] = []; // what there are options for
  #round = 0;

  constructor(chosen: (id: string) => void) {
    this.#select = element("select", { id: "case", onchange: () => chosen(this.#select.value) });
    this.nodes = [element("label", { for: "case" }, "Case"), this.#select, this.#rest];
  }

  /** show has these be the cases, in place of those before, and one chosen. */
  async show(all: string[], chosen: string): Promise<void> {
    const ids = around(all, chosen);
    this.#rest.textContent = ids.length < all.length ? `of ${all.length}; the text and the outline lead to the others` : "";
    const round = ++this.#round, here = this.#here, shorter = Math.min(here.length, ids.length);
    let head = 0, tail = 0;
    while (head < shorter && here[head] === ids[head]) head++;
    while (tail < shorter - head && here[here.length - 1 - tail] === ids[ids.length - 1 - tail]) tail++;
    const choose = () => void (this.#select.value !== chosen && (this.#select.value = chosen));
    while (here.length > head + tail) {
      const gone = Math.min(here.length - head - tail, slice);
      for (let i = 0; i < gone; i++) this.#select.remove(head);
      here.splice(head, gone);
      if (here.length > head + tail) await pause();
      if (round !== this.#round) return;
    }
    for (let at = head; at < ids.length - tail; at += slice) {
      const next = ids.slice(at, Math.min(at + slice, ids.length - tail)), made = document.createDocumentFragment();
      made.append(...next.map((id) => element("option", { value: id }, id)));
      this.#select.insertBefore(made, this.#select.options[at] ?? null);
      here.splice(at, 0, ...next);
      choose();
      if (at + slice < ids.length - tail) await pause();
      if (round !== this.#round) return;
    }
    choose();
  }
}
