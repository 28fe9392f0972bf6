// Decides what the page shows at first and when the address changes. The text can be edited at once; the evaluator's
// results follow.
import { compare } from "./compare";
import { showStatus } from "./dom";
import { callEvaluator, connect, onEvaluatorSwitch } from "./evaluator";
import { firstExample } from "./examples";
import { claim, recent, resume, unpack } from "./background";
import type { Link } from "./link";
import { enableOffline } from "./offline";
import { showLoadError, showLoading } from "./progress";
import { currentEntry } from "./history";
import { Page, openedMessage, type Opened } from "./page";
import { token, tokenOf } from "./run/server-session";
import { fetchRun } from "./run/stored-run";
import type { State } from "./state";
import type { Resumed } from "./workspaces";

/** readLink returns the link in the address, or the case of a run that it names. Its errors go to the status line. */
async function readLink(): Promise<Link | undefined> {
  try {
    return (await fetchRun()) ?? (await unpack(location.hash.slice(1)));
  } catch (error) {
    showStatus(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** resumeStored returns a stored workspace, by id or the last one. */
const resumeStored = (id?: string): Promise<Resumed | undefined> => resume(id).catch((error: Error) => void showStatus(`Earlier work cannot be read: ${error.message}.`));

/** createWorkspace returns a new workspace. */
const createWorkspace = async (state: State): Promise<Opened> => ({ id: await claim().catch(() => ""), state, edited: false, copy: false });

/** resumeAddressed returns the workspace of the history entry, or that of the link in the address. An edited workspace takes precedence over its link; a run's file may have changed since an unedited one was stored. */
async function resumeAddressed(): Promise<Opened | undefined> {
  const { workspace: id } = currentEntry(), earlier = id ? await resumeStored(id) : undefined;
  if (earlier?.edited) return earlier;
  const link = await readLink();
  return link ? { ...(earlier ?? (await createWorkspace(link.state))), ...(link.run && { state: link.state }), link } : earlier;
}

document.documentElement.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
const opened = (await resumeAddressed()) ?? (await resumeStored()) ?? (await createWorkspace(structuredClone(firstExample)));
const opening = Page.open(opened);
onEvaluatorSwitch(() => void opening.then((page) => page.refresh()));
await load();
const { version } = await callEvaluator("version", {});
const page = await opening;
page.evaluator = version;
document.documentElement.dataset.ready = "yes";
addEventListener("popstate", () => void onNavigate());
void showOrigin(opened);
void enableOffline();

/** load loads the evaluator. It offers to try again until that succeeds. */
async function load(): Promise<void> {
  for (let failed = false; ; failed = true) {
    try {
      await connect();
      return void (failed && (await opening).refresh());
    } catch (error) {
      await opening;
      await new Promise<void>((retry) => showLoadError((error as Error).message, retry));
      showLoading();
    }
  }
}

/** showOrigin says where a workspace comes from and whether a link's results differ here. It offers a way back to earlier work. */
async function showOrigin(current: Opened): Promise<void> {
  const { id, copy, link } = current;
  if (copy && !page.undo) showStatus(openedMessage(current));
  if (!link) return;
  if (link.run) await page.showRun(link.run).catch((error: Error) => showStatus(error.message));
  const [lastWork] = (await recent().catch(() => [])).filter((other) => other.id !== id);
  const goBack = page.undo ?? (lastWork && { label: link.run ? "Bring back my work" : `Back to ${lastWork.names[0]}`, run: () => page.go(lastWork.id) });
  if ((goBack && !page.undo) || link.run) showStatus(openedMessage(current, page.undo ? undefined : lastWork?.names[0]), goBack);
  const difference = await compare(link, version, page.isUntouched).catch(() => ""); // the user may be elsewhere by now
  if (difference) showStatus(difference, goBack);
}

/** onNavigate shows what a history entry or a new address names: a view of a workspace, a link, or a restarted server. */
async function onNavigate(): Promise<void> {
  const { workspace: id, view } = currentEntry(), server = tokenOf(location.hash);
  if (id && id === page.id) return page.showView(view);
  if (server && server !== token) {
    page.recordView();
    await page.save();
    return location.reload();
  }
  const next = page.previous(id) ?? (await resumeAddressed());
  if (!next) return page.recordView();
  await page.enter(next);
  if (next.id === id) page.showView(view);
  await showOrigin(next);
}
