// The dialog with the workspaces that are stored in this browser.
import { element, say } from "./dom";
import { recent, remove, save } from "./keeping";
import type { Recent } from "./workspaces";

const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** recentWork lets the user open or delete workspaces other than the current one. */
export async function recentWork(current: string, open: (id: string) => void): Promise<void> {
  const others = (await recent()).filter(({ id }) => id !== current);
  const row = (one: Recent): HTMLElement => {
    const { id, names, saved } = one, title = names.join(", ");
    const item = element("li", { class: "row" },
      element("button", { type: "button", onclick: () => (dialog.close(), open(id)) }, title),
      element("span", { class: "faint" }, `${moment.format(saved)}${one.open ? ", open in another tab" : ""}`),
      !one.open && element("button", { type: "button", class: "end", "aria-label": `Delete ${title}`, onclick: () => void drop().catch((fault: Error) => say(fault.message)) }, "Delete"));
    const drop = async () => {
      const gone = await remove(id);
      const restore = async () => {
        if (gone) await save(gone);
        item.replaceWith(row(one));
      };
      const undo = element("button", { type: "button", onclick: () => void restore() }, "Undo");
      item.replaceChildren(element("span", {}, `${title} deleted.`), undo);
      undo.focus();
    };
    return item;
  };
  const dialog = element("dialog", { "aria-label": "Recent work", onclose: () => dialog.remove() },
    element("div", { class: "row" }, element("p", { class: "faint" }, "The 20 workspaces that were edited last stay in this browser."), element("button", { type: "button", class: "end", onclick: () => dialog.close() }, "Close")),
    others.length ? element("ul", { class: "plain" }, ...others.map(row)) : element("p", { class: "empty" }, "No other work is saved."));
  document.body.append(dialog);
  dialog.showModal();
}
