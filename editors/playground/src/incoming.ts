// Files that somebody brings: chosen, or dropped on the page.
import { element, say } from "./dom";
import { proper } from "./naming";
import { keepModule, most as mostOfModule } from "./run/graders";
import type { File as Known } from "./state";

const most = 16 << 20; // bytes of one file

async function read(list: Iterable<File>, taken: (files: Known[]) => void, grader: () => void): Promise<void> {
  const files: Known[] = [];
  for (const f of list) {
    if (f.name.endsWith(".wasm")) {
      if (f.size > mostOfModule) return say(`${f.name} is larger than ${mostOfModule >> 20} MiB.`);
      keepModule(f.name, new Uint8Array(await f.arrayBuffer()));
      say(`The grader ${f.name} is open until the page is closed.`);
      grader();
      continue;
    }
    if (f.size > most) return say(`${f.name} is larger than ${most >> 20} MiB.`);
    files.push({ name: proper(f.name) || "file", text: await f.text() });
  }
  if (files.length) taken(files);
}

/** incoming is the button that takes files; they may also be dropped anywhere. Modules of WebAssembly are graders, of which `grader` is told. */
export function incoming(taken: (files: Known[]) => void, grader: () => void): HTMLElement {
  const chooser = element("input", { type: "file", multiple: true, hidden: true, accept: ".yaml,.yml,.json,.jsonl,.wasm", onchange: () => void read(chooser.files ?? [], taken, grader).then(() => (chooser.value = "")) });
  const body = document.body;
  body.addEventListener("dragover", (event) => {
    event.preventDefault();
    body.classList.add("dropping");
  });
  body.addEventListener("dragleave", () => body.classList.remove("dropping"));
  body.addEventListener("drop", (event) => {
    event.preventDefault();
    body.classList.remove("dropping");
    void read(event.dataTransfer?.files ?? [], taken, grader);
  });
  return element("span", {}, chooser, element("button", { type: "button", onclick: () => chooser.click() }, "Open files"));
}
