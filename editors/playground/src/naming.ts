// The dialog in which a file is given a name.
import { element } from "./dom";

/** proper returns a name as files can have it: of 120 letters at most, and without parts that lead out of the folder. */
export const proper = (name: string): string => name.slice(-120).replaceAll("\\", "/").split("/").map((part) => part.trim()).filter((part) => !/^\.*$/.test(part)).join("/");

/** naming asks for a name, and gives it to `named` unless somebody thinks better of it. */
export function naming(title: string, doing: string, value: string, named: (name: string) => void): void {
  const field = element("input", { id: "name", required: true, maxlength: 120, value, autocomplete: "off" });
  const done = () => {
    const name = proper(field.value);
    if (name) named(name);
  };
  const dialog = element("dialog", { "aria-label": title, class: "small", onclose: () => dialog.remove() },
    element("form", { method: "dialog", class: "row", onsubmit: done },
      element("label", { for: "name" }, "Name"), field, element("button", { type: "submit" }, doing), element("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
