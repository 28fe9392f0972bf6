// Helpers for DOM elements. Strings become text nodes, so pasted text cannot become markup.
import { icon } from "./icons";

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** element creates an element. Attributes that start with `on` are listeners; booleans are set or left out. */
export function element<T extends keyof HTMLElementTagNameMap>(name: T, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[T] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(key.slice(2), value);
    else if (value === true) created.setAttribute(key, "");
    else if (value !== undefined && value !== false) created.setAttribute(key, String(value));
  }
  created.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return created;
}

/** inlineCode returns a text with its parts between backticks as code. */
export const inlineCode = (text: string): Node[] => text.split(/`([^`\n]+)`/).map((part, i) => (i % 2 ? element("code", {}, part) : document.createTextNode(part)));

/** codeBlock shows a text, or a value as JSON. */
export const codeBlock = (value: unknown): HTMLElement => element("pre", { tabindex: 0, dir: "auto" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** download saves content as a file of the user's. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** pause lets the browser handle other tasks. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** nextFrame resolves after the next frame, or after 200 ms in a hidden page, which draws no frames. */
export const nextFrame = (): Promise<void> => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 200);
});

/** elementById returns an element of the page. */
export function elementById(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** Action is a button in the status line. */
export interface Action {
  label: string;
  run: () => unknown;
}

/** statusTime is how long a message stays, in milliseconds. One with a button then stays until the user goes on with something else. */
const statusTime = 6000, actionTime = 20_000;

let statusTimer = 0, shown = new AbortController();

/** showStatus shows a message above the page. Screen readers announce it. */
export function showStatus(message: string, action?: Action): void {
  const line = elementById("status"), close = () => line.classList.add("over");
  clearTimeout(statusTimer);
  shown.abort();
  shown = new AbortController();
  line.classList.remove("over");
  line.replaceChildren(message, ...(action ? [" ", element("button", { type: "button", onclick: () => {
    showStatus("");
    void Promise.resolve(action.run()).catch((error: Error) => showStatus(error.message));
  } }, action.label), element("button", { type: "button", class: "tool", "aria-label": "Dismiss the message", onclick: () => showStatus("") }, icon("close"))] : []));
  const closeOnUse = () => ["pointerdown", "beforeinput"].forEach((type) => document.addEventListener(type, ({ target }) => line.contains(target as Node) || showStatus(""), { capture: true, signal: shown.signal }));
  if (message) statusTimer = window.setTimeout(action ? closeOnUse : close, action ? actionTime : statusTime);
}
