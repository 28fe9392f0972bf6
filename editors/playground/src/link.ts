// Links that contain a whole state, in the fragment after #, which browsers send to no server.
import type { CaseRecord } from "@rubric-ls/wasm";
import { parseResults, type Results } from "./results";
import { parseState, type State } from "./state";

/** formatVersion is the version of the link format. */
const formatVersion = "1";

/** Link has a state, the version of the evaluator that made it, and its results. */
export interface Link {
  state: State;
  evaluator: string;
  results: Results;
  /** run is the stored run that the state is from, by `rubric view`. */
  run?: StoredRun;
}

/** StoredRun has the results of a run for the cases of the active file. */
export interface StoredRun {
  /** name is that of the file, without its folder. */
  name: string;
  records: CaseRecord[];
  /** stale are the ids of the cases that were other ones then. */
  stale: string[];
}

/** maxUnpackedSize limits an unpacked link, in bytes. */
const maxUnpackedSize = 8 << 20;

/** maxFragmentLength limits the fragment, in characters. Firefox opens addresses up to this length, Chromium twice as long ones. */
const maxFragmentLength = (1 << 20) - 1000;

const linkError = (why: string): Error => new Error(`No link is made: ${why}. Use Download for an archive of the files.`);

/** pack encodes a link as a fragment. It throws if the link is too large to be opened. */
export async function pack(link: Link): Promise<string> {
  const body = new Blob([JSON.stringify(link)]);
  if (body.size > maxUnpackedSize) throw linkError(`it would contain ${(body.size / (1 << 20)).toFixed(1)} MiB; the limit is ${maxUnpackedSize >> 20} MiB`);
  const packed = body.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let letters = "";
  for (let i = 0; i < bytes.length; i += 0x8000) letters += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  const fragment = `${formatVersion}.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  if (fragment.length > maxFragmentLength) throw linkError(`it would have ${fragment.length} characters; browsers open at most ${maxFragmentLength}`);
  return fragment;
}

/** unpack decodes a fragment. It returns undefined if the fragment is not a link, and throws if the link is damaged. */
export async function unpack(fragment: string): Promise<Link | undefined> {
  const parts = /^(\d+)\.([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!parts) return undefined;
  if (parts[1] !== formatVersion) throw new Error("a newer playground made this link; reload the page to update");
  try {
    const letters = atob(parts[2].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (c) => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let size = 0, next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      if ((size += next.value.length) > maxUnpackedSize) throw new Error("it is too large");
    }
    const link = parseLink(JSON.parse(await new Blob(chunks).text()) as Record<string, unknown>);
    for (const entry of Object.values(link.state.entries).flatMap((all) => Object.values(all))) if (entry.grades && entry.from !== "example") entry.from = entry.from?.endsWith("run") ? "linked run" : "link";
    return link;
  } catch (error) {
    throw new Error(`the link cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** parseLink validates the content of a link. */
export function parseLink({ state, evaluator, results }: Record<string, unknown>): Link {
  const validState = parseState(state);
  if (!validState) throw new Error("it holds no files");
  return { state: validState, evaluator: typeof evaluator === "string" ? evaluator : "", results: parseResults(results) };
}
