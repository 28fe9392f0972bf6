// Elements of the page. Text is only ever text: nothing that somebody pasted can
// become markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** element makes one; `on…` attributes are listeners, booleans are there or not. */
export function element<T extends keyof HTMLElementTagNameMap>(name: T, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[T] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== undefined && value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return made;
}

/** pause lets the browser do what else there is to do. */
export const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** frame is when what is there has been drawn, or will not be for a while: nothing is in a page that nobody sees. */
export const frame = (): Promise<void> => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 200);
});

/** at is the element of the page with an id. */
export function at(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** Action is what a button in the status line does. */
export interface Action {
  label: string;
  act: () => unknown;
}

/** say shows a message in the status line, which screen readers announce, and a button that belongs to it. */
export function say(what: string, action?: Action): void {
  at("said").replaceChildren(what, ...(action ? [" ", element("button", { type: "button", onclick: () => {
    say("");
    void Promise.resolve(action.act()).catch((fault: Error) => say(fault.message));
  } }, action.label)] : []));
}
