// Menus: lists of actions that a button opens.
import { element } from "./dom";
import { icon, type IconName } from "./icons";

/** MenuItem is an action, or an address outside of the page. */
export interface MenuItem {
  label: string;
  run: (() => unknown) | string;
  /** the key that does the same */
  key?: string;
}

/** menu returns a button and the list that it opens. Escape and a click elsewhere close the list. */
export function menu(label: string, iconName: IconName, items: MenuItem[]): HTMLElement[] {
  const id = `menu-${label.toLowerCase()}`;
  const opener = element("button", { type: "button", popovertarget: id }, icon(iconName), element("span", {}, label));
  const list: HTMLElement = element("div", { id, popover: "auto", class: "menu", role: "group", "aria-label": label, onkeydown: (event) => moveFocus(event as KeyboardEvent, list) },
    ...items.map(({ label, run, key }) => (typeof run === "string"
      ? element("a", { href: run, target: "_blank", rel: "noreferrer" }, label, icon("external"))
      : element("button", { type: "button", onclick: () => (list.hidePopover(), run()) }, label, key ? element("kbd", {}, key) : null))));
  list.addEventListener("beforetoggle", () => {
    const { bottom, right } = opener.getBoundingClientRect();
    list.style.top = `${bottom + 4}px`;
    list.style.right = `${Math.max(8, Math.min(document.documentElement.clientWidth - right, document.documentElement.clientWidth - 250))}px`;
  });
  return [opener, list];
}

/** moveFocus moves the focus to the next or the previous item. */
function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const items = [...list.children] as HTMLElement[], at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + step + items.length) % items.length].focus();
}
