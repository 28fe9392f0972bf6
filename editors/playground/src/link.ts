// A link that holds everything, in the part after # that browsers send nowhere.
import { properResults, type Results } from "./results";
import { proper, type State } from "./state";

/** form is the version of the link's form. */
const form = "1";

/** Link is what a link holds: a state, the evaluator that it was made with, and what that said. */
export interface Link {
  state: State;
  evaluator: string;
  results: Results;
}

/** most is how much a link may hold when it is unpacked, in bytes. */
const most = 8 << 20;

/** longest is how many letters the part of a link after # may have: Firefox takes an address of so many, and Chromium one of twice as many. */
const longest = (1 << 20) - 1000;

const unmade = (why: string): Error => new Error(`No link is made: ${why}. Download has the files in an archive.`);

/** pack makes the part of a link after #; an error says that it would be none that can be opened. */
export async function pack(link: Link): Promise<string> {
  const body = new Blob([JSON.stringify(link)]);
  if (body.size > most) throw unmade(`it would hold ${(body.size / (1 << 20)).toFixed(1)} MiB, and can hold ${most >> 20}`);
  const packed = body.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let letters = "";
  for (let i = 0; i < bytes.length; i += 0x8000) letters += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  const fragment = `${form}.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  if (fragment.length > longest) throw unmade(`it would have ${fragment.length} letters, and browsers open one of ${longest}`);
  return fragment;
}

/** unpack reads the part after #; nothing if it is no link of ours. An error says what is wrong with one that is. */
export async function unpack(fragment: string): Promise<Link | undefined> {
  const parts = /^(\d+)\.([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!parts) return undefined;
  if (parts[1] !== form) throw new Error("the link was made by a newer playground; reload the page to have it");
  try {
    const letters = atob(parts[2].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (c) => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let size = 0, next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      if ((size += next.value.length) > most) throw new Error("it is too large");
    }
    const { state, evaluator, results } = JSON.parse(await new Blob(chunks).text()) as Record<string, unknown>;
    const known = proper(state);
    if (!known) throw new Error("it holds no files");
    return { state: known, evaluator: typeof evaluator === "string" ? evaluator : "", results: properResults(results) };
  } catch (fault) {
    throw new Error(`the link cannot be read: ${fault instanceof Error ? fault.message : fault}`);
  }
}
