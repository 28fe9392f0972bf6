// Workspaces in this browser's storage. Each has an id and is open in one tab at a time.
import { proper, secretOf, type State } from "./state";

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
const byTime = "edited"; // an index: it has the edited workspaces alone

/** most is how many edited workspaces stay stored. */
const most = 20;

/** patience is how long the tab's own workspace may be locked, in milliseconds: the page that a reload replaces ends a little later. */
const patience = 1000;

/** newId returns random letters; randomUUID is missing where the page comes over http. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");

const settled = <T>(request: IDBRequest<T>): Promise<T> => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

/** upgrade makes the store, with the one state that version 1 had. */
function upgrade(db: IDBDatabase, transaction: IDBTransaction): void {
  const made = db.createObjectStore(store, { keyPath: "id" });
  made.createIndex(byTime, "edited");
  if (!db.objectStoreNames.contains("states")) return;
  const last = transaction.objectStore("states").get("last");
  last.onsuccess = () => {
    const state = proper(last.result);
    if (state) made.put({ id: newId(), state, edited: Date.now() } satisfies Stored);
    db.deleteObjectStore("states");
  };
}

/** within does work in a transaction, and waits until that is committed. */
async function within<T>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => Promise<T>): Promise<T> {
  const request = indexedDB.open(database, 2);
  request.onupgradeneeded = () => upgrade(request.result, request.transaction!);
  const db = await settled(request);
  try {
    const transaction = db.transaction(store, mode);
    const committed = new Promise<void>((done, fail) => {
      transaction.oncomplete = () => done();
      transaction.onabort = () => fail(transaction.error);
    });
    return (await Promise.all([work(transaction.objectStore(store)), committed]))[0];
  } finally {
    db.close();
  }
}

/** locks are how to release the workspaces that this tab has open. */
const locks = new Map<string, () => void>();

/** claim locks a workspace for this tab and returns its id. Without an id, or if another tab has the lock, the id is a new one. */
export async function claim(id = newId(), wait = 0): Promise<string> {
  if (locks.has(id) || !navigator.locks) return id; // where the page comes over http, tabs cannot know of each other
  const locked = await new Promise<boolean>((done) => {
    navigator.locks.request(id, wait ? { signal: AbortSignal.timeout(wait) } : { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock && new Promise<void>((release) => locks.set(id, release));
    }).catch(({ name }: Error) => done(name !== "TimeoutError")); // a browser may refuse locks
  });
  return locked ? id : claim();
}

/** release lets another tab open a workspace. */
export function release(id: string): void {
  locks.get(id)?.();
  locks.delete(id);
}

async function locked(): Promise<Set<string | undefined>> {
  return new Set((await navigator.locks?.query().catch(() => undefined))?.held?.map(({ name }) => name));
}

/** resume claims and returns a stored workspace: by its id, or else the one that was edited last. */
export async function resume(id?: string): Promise<Resumed | undefined> {
  const from = id ?? (await within("readonly", (s) => settled(s.index(byTime).openKeyCursor(null, "prev"))))?.primaryKey as string | undefined;
  if (from === undefined) return undefined;
  const own = await claim(from, id ? patience : 0), copy = own !== from;
  const found = await within<Stored | undefined>("readonly", (s) => settled(s.get(from))), state = proper(found?.state);
  if (state) return { id: own, state, edited: !copy && found?.edited !== undefined, copy };
  release(own);
  return undefined;
}

const saved = new Set<string>();

/** save stores a workspace, or returns why it does not. What looks like a secret is not stored: the version before stays. */
export const save = (workspace: Workspace): Promise<string | undefined> =>
  put(workspace).catch((fault: Error) => `${fault.message || fault.name}; Download has the files in an archive`);

async function put({ id, state, edited }: Workspace): Promise<string | undefined> {
  const secret = secretOf(state);
  if (secret) {
    const before = await within("readonly", (s) => settled(s.getKey(id)));
    return `${secret}; ${before === undefined ? "no version of this workspace is saved" : "the version saved before that is still there"}`;
  }
  await within("readwrite", (s) => settled(s.put({ id, state, ...(edited && { edited: Date.now() }) } satisfies Stored)));
  if (!saved.has(id)) await prune(saved.add(id));
  return undefined;
}

/** prune removes workspaces that are not edited and the oldest of many, except those that a tab has open. */
async function prune(own: Set<string>): Promise<void> {
  const open = await locked();
  await within("readwrite", async (s) => {
    const edited = await settled(s.index(byTime).getAllKeys());
    const stay = new Set<IDBValidKey | undefined>([...own, ...open, ...edited.slice(-most)]);
    for (const id of await settled(s.getAllKeys())) if (!stay.has(id)) s.delete(id);
  });
}

/** recent returns the edited workspaces, the last saved first. */
export async function recent(): Promise<Recent[]> {
  const open = await locked();
  const all = await within<Stored[]>("readonly", (s) => settled(s.index(byTime).getAll()));
  return all.reverse().map(({ id, state, edited = 0 }) => ({ id, names: state.files.map(({ name }) => name), saved: new Date(edited), open: open.has(id) && !locks.has(id) }));
}

/** remove deletes a workspace and returns it. */
export async function remove(id: string): Promise<Workspace | undefined> {
  const found = await within("readwrite", async (s) => {
    const found = await settled<Stored | undefined>(s.get(id));
    await settled(s.delete(id));
    return found;
  });
  return found && { id, state: found.state, edited: true };
}
