// The list of keys, and where the documentation is.
import { element } from "./dom";
import type { MenuItem } from "./menu";
import { showWords } from "./words";

/** modifier is the name of the key that CodeMirror calls Mod. */
const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "Cmd" : "Ctrl";

/** keyName returns a key as people read it. */
export const keyName = (key: string): string => key.replace("Mod", modifier);

/** keys are those that the page has. */
const keys: [key: string, what: string][] = [
  ["Mod+Enter", "Run all cases"],
  ["Mod+Shift+Enter", "Run the case at the caret"],
  ["Mod+S", "Copy a link to what is open"],
  ["Mod+F", "Find and replace in the file"],
  ["Mod+.", "Show the fixes at the caret"],
  ["F8", "Go to the next problem"],
  ["Mod+Space", "Complete"],
  ["F12", "Go to the definition"],
  ["F2", "Rename the id at the caret"],
  ["Mod+Shift+O", "Outline of the file"],
  ["Mod+Shift+[  ]", "Fold, unfold"],
  ["Mod+/", "Comment or uncomment the lines"],
  ["Tab", "Leave the editor"],
  ["Arrow keys", "Between tabs, entries of a menu, and on the bar between the panes"],
];

/** showKeys shows the list of keys. */
function showKeys(): void {
  const dialog = element("dialog", { "aria-label": "Keyboard shortcuts", class: "small", onclose: () => dialog.remove() },
    element("h2", {}, "Keyboard shortcuts"),
    element("dl", { class: "keys" }, ...keys.flatMap(([key, what]) => [element("dt", {}, element("kbd", {}, keyName(key))), element("dd", {}, what)])),
    element("div", { class: "row buttons" }, element("button", { type: "button", onclick: () => dialog.close() }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}

const repository = "https://github.com/rubric-ls/rubric/blob/main";

/** helpItems are the entries of the menu Help. */
export const helpItems: MenuItem[] = [
  { label: "Words on this page", run: showWords },
  { label: "Keyboard shortcuts", run: showKeys },
  { label: "What the page does", run: `${repository}/editors/playground/README.md` },
  { label: "Guide", run: `${repository}/docs/GUIDE.md` },
  { label: "Command line", run: `${repository}/docs/COMMANDS.md` },
];
