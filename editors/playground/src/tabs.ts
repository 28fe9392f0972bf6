// A row of tabs, by the keyboard as well: arrows, Home and End.
import { element } from "./dom";

/** Tab is one of a row. */
export interface Tab {
  id: string;
  label: string;
}

/** tabs makes a row below a parent; chosen is told of each choice. */
export function tabs(parent: HTMLElement, label: string, all: Tab[], active: string, controls: string, chosen: (id: string) => void): void {
  const row = element("div", { role: "tablist", "aria-label": label });
  const choose = (i: number) => {
    const next = all[(i + all.length) % all.length];
    chosen(next.id);
    parent.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };
  all.forEach((tab, i) => {
    const selected = tab.id === active;
    row.append(element("button", {
      type: "button", role: "tab", "data-tab": tab.id, "aria-selected": String(selected), "aria-controls": controls, tabindex: selected ? 0 : -1,
      onclick: () => chosen(tab.id),
      onkeydown: (event) => {
        const to = ({ ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: all.length - 1 } as Record<string, number>)[(event as KeyboardEvent).key];
        if (to === undefined) return;
        event.preventDefault();
        choose(to);
      },
    }, tab.label));
  });
  parent.replaceChildren(row);
}
