// Files that somebody brings: chosen, or dropped on the page.
import { element, say } from "./dom";
import type { File as Known } from "./state";

const most = 4 << 20; // bytes of one file

async function read(list: Iterable<File>, taken: (files: Known[]) => void): Promise<void> {
  const files: Known[] = [];
  for (const f of list) {
    if (f.size > most) return say(`${f.name} is larger than 4 MiB.`);
    files.push({ name: f.name, text: await f.text() });
  }
  if (files.length) taken(files);
}

/** incoming is the button that takes files; they may also be dropped anywhere. */
export function incoming(taken: (files: Known[]) => void): HTMLElement {
  const chooser = element("input", { type: "file", multiple: true, hidden: true, accept: ".yaml,.yml,.json,.jsonl", onchange: () => void read(chooser.files ?? [], taken).then(() => (chooser.value = "")) });
  const body = document.body;
  body.addEventListener("dragover", (event) => {
    event.preventDefault();
    body.classList.add("dropping");
  });
  body.addEventListener("dragleave", () => body.classList.remove("dropping"));
  body.addEventListener("drop", (event) => {
    event.preventDefault();
    body.classList.remove("dropping");
    void read(event.dataTransfer?.files ?? [], taken);
  });
  return element("span", {}, chooser, element("button", { type: "button", onclick: () => chooser.click() }, "Open files"));
}
