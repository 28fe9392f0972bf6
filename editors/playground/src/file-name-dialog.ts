// The dialogs for the name of a file.
import { element } from "./dom";
import { templates, type Template } from "./templates";

/** cleanFileName returns a valid file name: at most 120 characters, and no parts that leave the folder. */
export const cleanFileName = (name: string): string => name.slice(-120).replaceAll("\\", "/").split("/").map((part) => part.trim()).filter((part) => !/^\.*$/.test(part)).join("/");

/** fileNameDialog asks for a name and passes it to onName. It returns the name's field. */
export function fileNameDialog(title: string, submitLabel: string, value: string, onName: (name: string) => void, ...more: HTMLElement[]): HTMLInputElement {
  const field = element("input", { id: "name", required: true, maxlength: 120, value, autocomplete: "off" });
  const submit = () => {
    const name = cleanFileName(field.value);
    if (name) onName(name);
  };
  const dialog = element("dialog", { "aria-label": title, class: "small", onclose: () => dialog.remove() },
    element("form", { method: "dialog", onsubmit: submit }, element("h2", {}, title), ...more,
      element("div", { class: "row" }, element("label", { for: "name" }, "Name"), field),
      element("div", { class: "row buttons" }, element("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), element("button", { type: "submit", class: "primary" }, submitLabel))));
  document.body.append(dialog);
  dialog.showModal();
  field.select();
  return field;
}

/** newFileDialog asks for a name and a template. */
export function newFileDialog(unusedName: (name: string) => string, onCreate: (name: string, template: Template) => void): void {
  let usual = unusedName(templates[0].name);
  const choice = element("select", { id: "template", onchange: () => {
    const next = unusedName(templates[choice.selectedIndex].name);
    if (field.value === usual) field.value = next;
    usual = next;
  } }, ...templates.map(({ label }) => element("option", {}, label)));
  const field = fileNameDialog("New file", "Create", usual, (name) => onCreate(name, templates[choice.selectedIndex]),
    element("div", { class: "row" }, element("label", { for: "template" }, "Template"), choice));
}
