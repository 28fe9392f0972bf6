// Workspaces in this browser's storage. Each has an id and is open in one tab at a time.
import { parseState, findSecret, type State } from "./state";

/** Workspace is a set of files with what the user chose to see of them. */
export interface Workspace {
  id: string;
  state: State;
  /** edited is false while files and grades are those of an example, a link or another tab. */
  edited: boolean;
}

/** Resumed is a stored workspace. A copy has an id of its own, because another tab has the stored one open. */
export interface Resumed extends Workspace {
  copy: boolean;
}

/** Recent is an edited workspace in the list of them. */
export interface Recent {
  id: string;
  names: string[];
  saved: Date;
  /** open reports whether another tab has it open. */
  open: boolean;
}

/** Stored is a record in the database. Its edited is the time of the last save, absent for a workspace that is not edited. */
interface Stored {
  id: string;
  state: State;
  edited?: number;
}

const database = "rubric-playground";
const store = "workspaces";
const editedIndex = "edited"; // this index contains only edited workspaces

/** maxStored is the number of edited workspaces to store. */
const maxStored = 20;

/** lockTimeout is how long the tab's own workspace may stay locked, in milliseconds. The page that a reload replaces ends a little later. */
const lockTimeout = 1000;

/** newId returns random letters. randomUUID is not available over http. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");

const resultOf = <T>(request: IDBRequest<T>): Promise<T> => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** upgrade creates the store, and moves the one state of version 1 into it. */
function upgrade(db: IDBDatabase, transaction: IDBTransaction): void {
  const created = db.createObjectStore(store, { keyPath: "id" });
  created.createIndex(editedIndex, "edited");
  if (!db.objectStoreNames.contains("states")) return;
  const last = transaction.objectStore("states").get("last");
  last.onsuccess = () => {
    const state = parseState(last.result);
    if (state) created.put({ id: newId(), state, edited: Date.now() } satisfies Stored);
    db.deleteObjectStore("states");
  };
}

/** inTransaction runs a task in a transaction and waits for the commit. */
async function inTransaction<T>(mode: IDBTransactionMode, task: (s: IDBObjectStore) => Promise<T>): Promise<T> {
  const request = indexedDB.open(database, 2);
  request.onupgradeneeded = () => upgrade(request.result, request.transaction!);
  const db = await resultOf(request);
  try {
    const transaction = db.transaction(store, mode);
    const committed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    return (await Promise.all([task(transaction.objectStore(store)), committed]))[0];
  } finally {
    db.close();
  }
}

/** releases are the functions that release the workspaces of this tab. */
const releases = new Map<string, () => void>();

/** claim locks a workspace for this tab and returns its id. Without an id, or if another tab has the lock, the id is a new one. */
export async function claim(id = newId(), wait = 0): Promise<string> {
  if (releases.has(id) || !navigator.locks) return id; // over http, tabs cannot lock
  const lockedIds = await new Promise<boolean>((resolve) => {
    navigator.locks.request(id, wait ? { signal: AbortSignal.timeout(wait) } : { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise<void>((release) => releases.set(id, release));
    }).catch(({ name }: Error) => resolve(name !== "TimeoutError")); // a browser may refuse locks
  });
  return lockedIds ? id : claim();
}

/** release lets another tab open a workspace. */
export function release(id: string): void {
  releases.get(id)?.();
  releases.delete(id);
}

async function lockedIds(): Promise<Set<string | undefined>> {
  return new Set((await navigator.locks?.query().catch(() => undefined))?.held?.map(({ name }) => name));
}

/** resume claims and returns a stored workspace: by its id, or the one edited last. */
export async function resume(id?: string): Promise<Resumed | undefined> {
  const from = id ?? (await inTransaction("readonly", (s) => resultOf(s.index(editedIndex).openKeyCursor(null, "prev"))))?.primaryKey as string | undefined;
  if (from === undefined) return undefined;
  const ownId = await claim(from, id ? lockTimeout : 0), copy = ownId !== from;
  const found = await inTransaction<Stored | undefined>("readonly", (s) => resultOf(s.get(from))), state = parseState(found?.state);
  if (state) return { id: ownId, state, edited: !copy && found?.edited !== undefined, copy };
  release(ownId);
  return undefined;
}

const savedIds = new Set<string>();

/** save stores a workspace and returns why it failed, if it did. A workspace with a likely secret is not stored, and its earlier version stays. */
export const save = (workspace: Workspace): Promise<string | undefined> =>
  storeWorkspace(workspace).catch((error: Error) => `${error.message || error.name}; use Download for an archive of the files`);

async function storeWorkspace({ id, state, edited }: Workspace): Promise<string | undefined> {
  const secret = findSecret(state);
  if (secret) {
    const before = await inTransaction("readonly", (s) => resultOf(s.getKey(id)));
    return `${secret}; ${before === undefined ? "no version of this workspace is saved" : "the version saved before that is still there"}`;
  }
  await inTransaction("readwrite", (s) => resultOf(s.put({ id, state, ...(edited && { edited: Date.now() }) } satisfies Stored)));
  if (!savedIds.has(id)) await prune(savedIds.add(id));
  return undefined;
}

/** prune removes unedited workspaces and the oldest of many, except those that a tab has open. */
async function prune(ownId: Set<string>): Promise<void> {
  const open = await lockedIds();
  await inTransaction("readwrite", async (s) => {
    const edited = await resultOf(s.index(editedIndex).getAllKeys());
    const keepIds = new Set<IDBValidKey | undefined>([...ownId, ...open, ...edited.slice(-maxStored)]);
    for (const id of await resultOf(s.getAllKeys())) if (!keepIds.has(id)) s.delete(id);
  });
}

/** recent returns the edited workspaces, the last saved first. */
export async function recent(): Promise<Recent[]> {
  const open = await lockedIds();
  const all = await inTransaction<Stored[]>("readonly", (s) => resultOf(s.index(editedIndex).getAll()));
  return all.reverse().map(({ id, state, edited = 0 }) => ({ id, names: state.files.map(({ name }) => name), saved: new Date(edited), open: open.has(id) && !releases.has(id) }));
}

/** remove deletes a workspace and returns it. */
export async function remove(id: string): Promise<Workspace | undefined> {
  const found = await inTransaction("readwrite", async (s) => {
    const found = await resultOf<Stored | undefined>(s.get(id));
    await resultOf(s.delete(id));
    return found;
  });
  return found && { id, state: found.state, edited: true };
}
