// The cases of a file, which are asked for once, whoever needs them, until a text is another
// one: a long file has ten thousand. Some may be of other files that are open.
import { client } from "./evaluator";
import { method, type Place } from "./places";

let known = { of: "", places: Promise.resolve<Place[]>([]) };

/** casesOf are those of a document as it is now. */
export function casesOf(uri: string): Promise<Place[]> {
  client.sync();
  const of = JSON.stringify([uri, ...client.workspace.files.map((file) => [file.uri, file.version])]);
  if (known.of !== of) {
    const now = (known = { of, places: client.request<object, Place[]>(method, { document: uri }) });
    now.places.catch(() => (now.of = ""));
  }
  return known.places;
}
