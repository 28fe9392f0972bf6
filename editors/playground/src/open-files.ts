// Opens files that the user chooses or drops on the page.
import { element, showStatus } from "./dom";
import { cleanFileName } from "./file-name-dialog";
import { addModule, maxModuleSize } from "./run/graders";
import type { File as OpenedFile } from "./state";

const maxFileSize = 16 << 20; // bytes

/** readText returns a file's text, or undefined if it is none: it has NULs, or is not UTF-8. */
async function readText(f: Blob): Promise<string | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await f.arrayBuffer());
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

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
    const text = await readText(f);
    if (text === undefined) return showStatus(`${f.name} is not a text file.`);
    files.push({ name: cleanFileName(f.name) || "file", text });
  }
  if (files.length) onFiles(files);
}

/** fileChooser returns a function that lets the user choose files, and handles dropped files. WebAssembly modules are graders, and onGrader is called for them. */
export function fileChooser(onFiles: (files: OpenedFile[]) => void, onGrader: () => void): () => void {
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
  body.append(chooser);
  return () => chooser.click();
}
