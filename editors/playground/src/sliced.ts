// Long lists, a slice at a time: nobody reads a thousand rows, and to make them all
// at once would hold the page up.
import { element } from "./dom";

/** slice is how many rows are made at once. */
const slice = 30;

/** sliced puts the first of the rows into a list, and a button for the next of them. */
export function sliced<T>(list: HTMLElement, all: T[], row: (one: T) => HTMLElement): HTMLElement {
  const show = (from: number) => {
    const rows = all.slice(from, from + slice).map(row);
    const left = all.length - from - rows.length;
    const more = element("li", {}, element("button", { type: "button", onclick: () => {
      more.remove();
      show(from + slice);
      list.children[from + slice]?.querySelector<HTMLElement>("button, a, input")?.focus();
    } }, `${Math.min(left, slice)} more of ${left}`));
    list.append(...rows, ...(left ? [more] : []));
  };
  list.replaceChildren();
  show(0);
  return list;
}
