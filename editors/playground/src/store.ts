// What somebody had before them last, kept in this browser alone.
import { proper, secretOf, type State } from "./state";

const database = "rubric-playground";
const version = 1;
const store = "states";
const last = "last";

function open(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const asked = indexedDB.open(database, version);
    asked.onupgradeneeded = () => asked.result.createObjectStore(store);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
  });
}

async function within<T>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  try {
    return await new Promise<T>((done, fail) => {
      const asked = work(db.transaction(store, mode).objectStore(store));
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => fail(asked.error);
    });
  } finally {
    db.close();
  }
}

/** keep keeps a state, and says what kept it from that. Where the browser keeps nothing, nothing is kept. */
export async function keep(state: State): Promise<string | undefined> {
  const why = secretOf(state);
  await within("readwrite", (s): IDBRequest => (why ? s.delete(last) : s.put(state, last))).catch(() => undefined);
  return why;
}

/** kept is the state that was kept last. */
export const kept = async (): Promise<State | undefined> => proper(await within("readonly", (s) => s.get(last)).catch(() => undefined));
