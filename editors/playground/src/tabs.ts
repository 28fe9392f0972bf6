// A row of tabs, with keyboard support: arrows, Home and End.
import { element } from "./dom";

/** Tab is one tab. */
export interface Tab {
  id: string;
  label: string;
}

/** name shows a label, also as a tooltip: the label may be cut. */
const name = (span: HTMLElement, label: string): HTMLElement => Object.assign(span, { textContent: label, title: label });

/** tabs fills a parent with a row of tabs, or updates the same tabs in place: a pressed button that is drawn anew would lose its click. picture returns what is in front of a label. */
export function tabs<T extends Tab>(parent: HTMLElement, label: string, all: T[], active: string, controls: string, onSelect: (id: string) => void, picture: (tab: T) => Node[] = () => []): void {
  const old = [...parent.querySelectorAll<HTMLElement>("[data-tab]")];
  if (old.length === all.length && old.every((button, i) => button.dataset.tab === all[i].id)) {
    all.forEach((tab, i) => {
      const selected = tab.id === active;
      old[i].setAttribute("aria-selected", String(selected));
      old[i].tabIndex = selected ? 0 : -1;
      name(old[i].lastElementChild as HTMLElement, tab.label);
    });
    return;
  }
  const row = element("div", { role: "tablist", "aria-label": label });
  const select = (i: number) => {
    const next = all[(i + all.length) % all.length];
    onSelect(next.id);
    parent.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };
  all.forEach((tab, i) => {
    const selected = tab.id === active;
    row.append(element("button", {
      type: "button", role: "tab", "data-tab": tab.id, "aria-selected": String(selected), "aria-controls": controls, tabindex: selected ? 0 : -1,
      onclick: () => onSelect(tab.id),
      onkeydown: (event) => {
        const to = ({ ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: all.length - 1 } as Record<string, number>)[(event as KeyboardEvent).key];
        if (to === undefined) return;
        event.preventDefault();
        select(to);
      },
    }, ...picture(tab), name(element("span"), tab.label)));
  });
  parent.replaceChildren(row);
}
