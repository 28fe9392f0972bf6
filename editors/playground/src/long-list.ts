// Long lists, shown in batches. Creating a thousand rows at once would block the page.
import { element } from "./dom";

/** batchSize is the number of rows created at once. */
const batchSize = 30;

/** fillLongList shows the first rows, and a button for the next ones. */
export function fillLongList<T>(list: HTMLElement, all: T[], row: (one: T) => HTMLElement): HTMLElement {
  const show = (from: number) => {
    const rows = all.slice(from, from + batchSize).map(row);
    const remaining = all.length - from - rows.length;
    const more = element("li", {}, element("button", { type: "button", onclick: () => {
      more.remove();
      show(from + batchSize);
      list.children[from + batchSize]?.querySelector<HTMLElement>("button, a, input")?.focus();
    } }, `${Math.min(remaining, batchSize)} more of ${remaining}`));
    list.append(...rows, ...(remaining ? [more] : []));
  };
  list.replaceChildren();
  show(0);
  return list;
}
