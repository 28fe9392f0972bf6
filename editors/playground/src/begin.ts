// What the page shows first, and what it shows when the address changes. The text can be
// edited at once; what the evaluator says of it follows.
import { compare } from "./compare";
import { say } from "./dom";
import { ask, connect } from "./evaluator";
import { first } from "./examples";
import { claim, recent, resume, unpack } from "./keeping";
import type { Link } from "./link";
import { keepOffline } from "./offline";
import { entry, Page, stamp, wordsOf, type Opened } from "./page";
import { token, tokenOf } from "./run/live";
import { beginning, type State } from "./state";
import type { Resumed } from "./workspaces";

/** linked returns what the address holds; an error in it goes to the status line. */
async function linked(): Promise<Link | undefined> {
  try {
    return await unpack(location.hash.slice(1));
  } catch (fault) {
    say(fault instanceof Error ? fault.message : String(fault));
    return undefined;
  }
}

/** stored returns a stored workspace, by its id or the last one. */
const stored = (id?: string): Promise<Resumed | undefined> => resume(id).catch((fault: Error) => void say(`Earlier work cannot be read: ${fault.message}.`));

/** made returns a new workspace. */
const made = async (state: State): Promise<Opened> => ({ id: await claim().catch(() => ""), state, edited: false, copy: false });

/** addressed returns the workspace of the history entry, or one of the link in the address. Edited work comes before its link. */
async function addressed(): Promise<Opened | undefined> {
  const id = entry(), before = id ? await stored(id) : undefined;
  if (before?.edited) return before;
  const link = await linked();
  return link ? { ...(before ?? (await made(link.state))), link } : before;
}

document.documentElement.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
const opened = (await addressed()) ?? (await stored()) ?? (await made(beginning(first)));
const opening = Page.open(opened);
await connect();
const { version } = await ask("version", {});
const page = await opening;
page.evaluator = version;
document.documentElement.dataset.ready = "yes";
addEventListener("popstate", () => void arrive());
void explain(opened);
void keepOffline();

/** explain says where a workspace comes from, and whether a link's results differ here, with the way back to the work before. */
async function explain(shown: Opened): Promise<void> {
  const { id, copy, link } = shown;
  if (copy && !page.undo) say(wordsOf(shown));
  if (!link) return;
  const [last] = (await recent().catch(() => [])).filter((other) => other.id !== id);
  const back = page.undo ?? (last && { label: `Back to ${last.names[0]}`, act: () => page.go(last.id) });
  if (back && !page.undo) say(wordsOf(shown), back);
  const differs = await compare(link, version, page.untouched);
  if (differs) say(differs, back);
}

/** arrive shows what another history entry or a new address names: a workspace, a link, or a server that was started again. */
async function arrive(): Promise<void> {
  const id = entry(), server = tokenOf(location.hash);
  if (id && id === page.id) return;
  if (server && server !== token) {
    stamp(page.id);
    await page.save();
    return location.reload();
  }
  const next = page.left(id) ?? (await addressed());
  if (!next) return stamp(page.id);
  await page.enter(next);
  await explain(next);
}
