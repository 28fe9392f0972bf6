// The select element for the case, between buttons for the one before and the one after. It adds the options of a long list in batches, so that the page stays responsive,
// and keeps options that stay the same.
import { caseLabel, type CasePosition } from "./case-positions";
import { element, pause } from "./dom";
import { icon } from "./icons";

/** batchSize is the number of options added at once. */
const batchSize = 200;

/** maxOptions limits the options. Of a longer list it shows those around the selected case. The outline has all of them. */
const maxOptions = 1000;

/** optionsAround returns the cases to show. */
function optionsAround(cases: CasePosition[], selected: number): CasePosition[] {
  if (cases.length <= maxOptions) return cases;
  const step = maxOptions / 2, at = Math.floor(selected / step) * step - step / 2; // changes rarely while the selection moves
  const from = Math.max(0, Math.min(at, cases.length - maxOptions));
  return cases.slice(from, from + maxOptions);
}

/** keyOf tells options apart. */
const keyOf = ({ id, label }: CasePosition): string => `${id}\n${label}`;

/** CaseSelect calls onSelect with the id of the selected case. */
export class CaseSelect {
  readonly nodes: HTMLElement[];
  #select: HTMLSelectElement;
  #note = element("span", { class: "faint" });
  #options: string[] = []; // the keys of the current options
  #all: string[] = [];
  #selected = "";
  #round = 0;
  #previous: HTMLButtonElement;
  #next: HTMLButtonElement;

  /** showAll shows where all cases are listed. */
  constructor(selected: (id: string) => void, showAll: () => void) {
    this.#select = element("select", { id: "case", "aria-label": "Case", onchange: () => selected(this.#select.value) });
    const step = (by: number, name: string, label: "previous" | "next") => element("button", { type: "button", class: "tool", title: name, "aria-label": name, onclick: () => selected((this.#selected = this.#all[this.#all.indexOf(this.#selected) + by])) }, icon(label));
    [this.#previous, this.#next] = [step(-1, "Previous case", "previous"), step(1, "Next case", "next")];
    this.nodes = [element("label", { for: "case" }, "Case"), this.#previous, this.#select, this.#next, this.#note, element("button", { type: "button", class: "link end", onclick: showAll }, "All cases")];
  }

  /** show replaces the options and selects one. */
  async show(cases: CasePosition[], selected: string): Promise<void> {
    const all = cases.map(({ id }) => id), at = all.indexOf(selected), options = optionsAround(cases, at), ids = options.map(keyOf);
    [this.#all, this.#selected, this.#previous.disabled, this.#next.disabled, this.#select.title] = [all, selected, at <= 0, at === all.length - 1, caseLabel(cases, selected)];
    this.#note.textContent = `${at + 1} of ${all.length}`;
    const round = ++this.#round, current = this.#options, shorter = Math.min(current.length, ids.length);
    let head = 0, tail = 0;
    while (head < shorter && current[head] === ids[head]) head++;
    while (tail < shorter - head && current[current.length - 1 - tail] === ids[ids.length - 1 - tail]) tail++;
    const choose = () => void (this.#select.value !== selected && (this.#select.value = selected));
    while (current.length > head + tail) {
      const count = Math.min(current.length - head - tail, batchSize);
      for (let i = 0; i < count; i++) this.#select.remove(head);
      current.splice(head, count);
      if (current.length > head + tail) await pause();
      if (round !== this.#round) return;
    }
    for (let at = head; at < ids.length - tail; at += batchSize) {
      const next = options.slice(at, Math.min(at + batchSize, ids.length - tail)), fragment = document.createDocumentFragment();
      fragment.append(...next.map(({ id, label }) => element("option", { value: id }, label)));
      this.#select.insertBefore(fragment, this.#select.options[at] ?? null);
      current.splice(at, 0, ...next.map(keyOf));
      choose();
      if (at + batchSize < ids.length - tail) await pause();
      if (round !== this.#round) return;
    }
    choose();
  }
}
