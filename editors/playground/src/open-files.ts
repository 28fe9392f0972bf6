// Opens files that the user chooses or drops on the page.
import { element, showStatus } from "./dom";
import { cleanFileName } from "./file-name-dialog";
import { addModule, maxModuleSize } from "./run/graders";
import { maxFiles, type File as OpenedFile } from "./state";

const maxFileSize = 16 << 20; // bytes

/** accepted are the files that the dialog offers and that are opened from a dropped folder. */
const accepted = [".yaml", ".yml", ".json", ".jsonl", ".md", ".txt", ".wasm"];

/** ChosenFile is a file with the name that it gets, which has the folders that were dropped. */
type ChosenFile = [name: string, file: File];

/** readText returns a file's text, or undefined if it is none: it has NULs, or is not UTF-8. */
async function readText(f: Blob): Promise<string | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await f.arrayBuffer());
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** filesIn returns the files of an entry: the file itself, or what a folder has of accepted files, as far as they can be open. */
async function filesIn(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) return [[entry.fullPath.slice(1), await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]];
  const reader = (entry as FileSystemDirectoryEntry).createReader(), found: ChosenFile[] = [];
  for (let some: FileSystemEntry[]; (some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length; ) { // it returns a part at a time
    for (const child of some) {
      if (found.length > maxFiles) return found;
      if (child.isFile ? accepted.some((end) => child.name.endsWith(end)) : ![".git", "node_modules"].includes(child.name)) found.push(...await filesIn(child));
    }
  }
  return found;
}

/** byName puts files in the order of their names, prose last: the first one is shown. */
const byName = ([a]: ChosenFile, [b]: ChosenFile): number => Number(/\.(md|txt)$/.test(a)) - Number(/\.(md|txt)$/.test(b)) || a.localeCompare(b);

/** FileOpener gets the files that can be opened, and a note about the others. */
type FileOpener = (files: OpenedFile[], note: string) => void;

async function readFiles(list: ChosenFile[], onFiles: FileOpener, onGrader: () => void): Promise<void> {
  const files: OpenedFile[] = [], notes: string[] = [];
  for (const [name, f] of list) {
    const isModule = name.endsWith(".wasm"), limit = isModule ? maxModuleSize : maxFileSize;
    if (f.size > limit) notes.push(`${name} is larger than ${limit >> 20} MiB.`);
    else if (isModule) {
      addModule(f.name, new Uint8Array(await f.arrayBuffer()));
      notes.push(`The grader ${f.name} is open until the page is closed.`);
      onGrader();
    } else {
      const text = await readText(f);
      if (text === undefined) notes.push(`${name} is not a text file in UTF-8.`);
      else files.push({ name: cleanFileName(name) || "file", text, crlf: text.includes("\r\n") && !/(?<!\r)\n|\r(?!\n)/.test(text) });
    }
  }
  const note = notes.join(" ");
  if (files.length) onFiles(files, note && ` ${note}`);
  else showStatus(note || `There is nothing to open: from a folder, the page opens ${accepted.join(", ")}.`);
}

/** fileChooser returns a function that lets the user choose files, and handles dropped files and folders. WebAssembly modules are graders, and onGrader is called for them. */
export function fileChooser(onFiles: FileOpener, onGrader: () => void): () => void {
  const read = (list: ChosenFile[]) => readFiles(list, onFiles, onGrader);
  const chooser = element("input", { type: "file", multiple: true, hidden: true, accept: accepted.join(), onchange: () => void read([...chooser.files ?? []].map((f) => [f.name, f])).then(() => (chooser.value = "")) });
  const { classList } = document.body;
  /** onDrag handles an event of dragged files before the editor does, which would insert their texts. A dragged text is the editor's. */
  const onDrag = (type: "dragenter" | "dragover" | "drop", act: (data: DataTransfer) => void) => addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    classList.toggle("dropping", type !== "drop");
    act(event.dataTransfer);
  }, true);
  // The pointer left the page, or it moves without a drag: some drags end without an event.
  for (const type of ["dragleave", "pointermove"] as const) addEventListener(type, ({ relatedTarget }) => relatedTarget || classList.remove("dropping"));
  for (const type of ["dragenter", "dragover"] as const) onDrag(type, (data) => void (data.dropEffect = "copy"));
  onDrag("drop", ({ items }) => {
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close(); // it would hide the files
    const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    void Promise.all(entries.map(filesIn)).then((all) => read(all.flat().sort(byName))).catch((error: Error) => showStatus(error.message));
  });
  document.body.append(chooser);
  return () => chooser.click();
}
