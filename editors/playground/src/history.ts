// The entries of the browser's history: a workspace, and what is shown of it. Back closes what was opened last.

/** View is what is shown of a workspace. Files and rows are numbers: a name may look like a secret, which is stored nowhere. */
export interface View {
  file: number;
  tab: string;
  /** isEditing reports whether a phone shows the editor. */
  isEditing: boolean;
  /** rows are the open rows of the results. */
  rows: number[];
  /** scroll is how far the pane is scrolled, in pixels. */
  scroll: number;
}

/** Entry is the state of a history entry. Reloads and duplicated tabs have one; new addresses have none. */
interface Entry {
  workspace: string;
  view?: View;
}

/** currentEntry returns the state of the current history entry. */
export const currentEntry = (): Partial<Entry> => (history.state as Entry | null) ?? {};

/** recordInHistory stores an entry in place of the current one. */
export const recordInHistory = (entry: Entry, address = location.href): void => history.replaceState(entry, "", address);

/** addToHistory adds an entry after the current one. */
export const addToHistory = (entry: Entry, address = location.href): void => history.pushState(entry, "", address);

/** addressWithoutLink returns the address without the fragment of a link, and without a case of a run in it. */
export function addressWithoutLink(): string {
  const { pathname, search, hash, href } = location, asked = new URLSearchParams(hash.slice(1));
  if (asked.has("run")) return `${pathname}${search}#live=${asked.get("live") ?? ""}`;
  return /^#\d+\./.test(hash) ? pathname + search : href;
}
