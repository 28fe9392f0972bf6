// Opens files that the user chooses or drops on the page.
import { element, showStatus } from "./dom";
import { cleanFileName } from "./file-name-dialog";
import { addModule, maxModuleSize as maxModuleSize } from "./run/graders";
import type { File as OpenedFile } from "./state";

const maxFileSize = 16 << 20; // bytes

async function readFiles(list: Iterable<File>, onFiles: (files: OpenedFile[]) => void, onGrader: () => void): Promise<void> {
  const files: OpenedFile[] = [];
  for (const f of list) {
    if (f.name.endsWith(".wasm")) {
      if (f.size > maxModuleSize) return showStatus(`${f.name} is larger than ${maxModuleSize >> 20} MiB.`);
      addModule(f.name, new Uint8Array(await f.arrayBuffer()));
      showStatus(`The grader ${f.name} is open until the page is closed.`);
      onGrader();
      continue;
    }
    if (f.size > maxFileSize) return showStatus(`${f.name} is larger than ${maxFileSize >> 20} MiB.`);
    files.push({ name: cleanFileName(f.name) || "file", text: await f.text() });
  }
  if (files.length) onFiles(files);
}

/** openFilesButton returns the button and handles dropped files. WebAssembly modules are graders, and onGrader is called for them. */
export function openFilesButton(onFiles: (files: OpenedFile[]) => void, onGrader: () => void): HTMLElement {
  const chooser = element("input", { type: "file", multiple: true, hidden: true, accept: ".yaml,.yml,.json,.jsonl,.wasm", onchange: () => void readFiles(chooser.files ?? [], onFiles, onGrader).then(() => (chooser.value = "")) });
  const body = document.body;
  body.addEventListener("dragover", (event) => {
    event.preventDefault();
    body.classList.add("dropping");
  });
  body.addEventListener("dragleave", () => body.classList.remove("dropping"));
  body.addEventListener("drop", (event) => {
    event.preventDefault();
    body.classList.remove("dropping");
    void readFiles(event.dataTransfer?.files ?? [], onFiles, onGrader);
  });
  return element("span", {}, chooser, element("button", { type: "button", onclick: () => chooser.click() }, "Open files"));
}
