// The dialog for the name of a file.
import { element } from "./dom";

/** cleanFileName returns a valid file name: at most 120 characters, and no parts that leave the folder. */
export const cleanFileName = (name: string): string => name.slice(-120).replaceAll("\\", "/").split("/").map((part) => part.trim()).filter((part) => !/^\.*$/.test(part)).join("/");

/** fileNameDialog asks for a name and passes it to onName. */
export function fileNameDialog(title: string, submitLabel: string, value: string, onName: (name: string) => void): void {
  const field = element("input", { id: "name", required: true, maxlength: 120, value, autocomplete: "off" });
  const submit = () => {
    const name = cleanFileName(field.value);
    if (name) onName(name);
  };
  const dialog = element("dialog", { "aria-label": title, class: "small", onclose: () => dialog.remove() },
    element("form", { method: "dialog", class: "row", onsubmit: submit },
      element("label", { for: "name" }, "Name"), field, element("button", { type: "submit" }, submitLabel), element("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
