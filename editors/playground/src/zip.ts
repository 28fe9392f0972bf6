// ZIP archives of files.
import { strToU8, zipSync } from "fflate";
import { textToSave, type File } from "./state";

/** zipFiles returns an uncompressed ZIP archive. */
export function zipFiles(files: File[]): Blob {
  const bytes = zipSync(Object.fromEntries(files.map((file) => [file.name, strToU8(textToSave(file))])), { level: 0, mtime: new Date(1980, 0, 1) });
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/zip" });
}
