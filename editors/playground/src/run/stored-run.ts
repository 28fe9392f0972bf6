// A case of a stored run, from the pages of results that the local server has.
import { parseLink, type Link, type StoredRun } from "../link";
import { unreachableMessage } from "./server-session";

/** fetchRun returns the case that the address names, with its run and its files, or undefined if it names none. */
export async function fetchRun(): Promise<Link | undefined> {
  const asked = new URLSearchParams(location.hash.slice(1)), token = asked.get("live") ?? "";
  if (!asked.has("run")) return undefined;
  asked.delete("live");
  const response = await fetch(`/${encodeURIComponent(token)}/case.json?${asked}`).catch(() => undefined);
  const type = response?.headers.get("Content-Type"); // an old token gets a page
  if (!response?.ok || type !== "application/json") throw new Error(`The case cannot be opened: ${type?.startsWith("text/plain") ? await response!.text() : unreachableMessage}.`);
  const answer = (await response.json()) as Record<string, unknown>;
  const run = answer.run as StoredRun;
  return { ...parseLink(answer), run: { ...run, name: run.name.split(/[\\/]/).at(-1)! } };
}
