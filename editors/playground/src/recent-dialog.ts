// The dialog of the workspaces stored in this browser.
import { element, showStatus } from "./dom";
import { recent, remove, save } from "./background";
import type { Recent } from "./workspaces";

const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** recentDialog lets the user open or delete other workspaces. */
export async function recentDialog(current: string, open: (id: string) => void): Promise<void> {
  const others = (await recent()).filter(({ id }) => id !== current);
  const row = (workspace: Recent): HTMLElement => {
    const { id, names, saved } = workspace, title = names.join(", ");
    const item = element("li", { class: "row" },
      element("button", { type: "button", onclick: () => (dialog.close(), open(id)) }, title),
      element("span", { class: "faint" }, `${dateFormat.format(saved)}${workspace.open ? ", open in another tab" : ""}`),
      !workspace.open && element("button", { type: "button", class: "end", "aria-label": `Delete ${title}`, onclick: () => void removeWorkspace().catch((fault: Error) => showStatus(fault.message)) }, "Delete"));
    const removeWorkspace = async () => {
      const removed = await remove(id);
      const restore = async () => {
        if (removed) await save(removed);
        item.replaceWith(row(workspace));
      };
      const undo = element("button", { type: "button", onclick: () => void restore() }, "Undo");
      item.replaceChildren(element("span", {}, `${title} deleted.`), undo);
      undo.focus();
    };
    return item;
  };
  const dialog = element("dialog", { "aria-label": "Recent work", onclose: () => dialog.remove() },
    element("div", { class: "row" }, element("p", { class: "faint" }, "This browser keeps the 20 workspaces that were edited last."), element("button", { type: "button", class: "end", onclick: () => dialog.close() }, "Close")),
    others.length ? element("ul", { class: "plain" }, ...others.map(row)) : element("p", { class: "empty" }, "No other work is saved."));
  document.body.append(dialog);
  dialog.showModal();
}
