// Files as an archive.
import { strToU8, zipSync } from "fflate";
import type { File } from "./state";

/** archive gives files as a ZIP, as they are: what is pressed small here would be pressed again by who sends it. */
export function archive(files: File[]): Blob {
  const bytes = zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { level: 0, mtime: new Date(1980, 0, 1) });
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/zip" });
}
