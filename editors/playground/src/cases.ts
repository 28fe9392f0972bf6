// Caches the positions of a file's cases until any open file changes. Cases may come from other open files.
import { client } from "./evaluator";
import { positionsMethod, type CasePosition } from "./case-positions";

let cached = { key: "", positions: Promise.resolve<CasePosition[]>([]) };

/** forgetCases empties the cache, because another evaluator may find other cases. */
export const forgetCases = (): void => void (cached.key = "");

/** listCases returns the cases of a document as it is now. */
export function listCases(uri: string): Promise<CasePosition[]> {
  client.sync();
  const key = JSON.stringify([uri, ...client.workspace.files.map((file) => [file.uri, file.version])]);
  if (cached.key !== key) {
    const entry = (cached = { key, positions: client.request<object, CasePosition[]>(positionsMethod, { document: uri }) });
    entry.positions.catch(() => (entry.key = ""));
  }
  return cached.positions;
}
