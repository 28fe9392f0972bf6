// The page's side of the background worker.
import type { TaskRequest, TaskResponse, Tasks } from "./background-worker";

const worker = new Worker(new URL("./background-worker.ts", import.meta.url), { type: "module" });
const pending = new Map<number, (resolve: Omit<TaskResponse, "number">) => void>();
let lastNumber = 0;
let failure: { error: string } | undefined; // set once the worker cannot be loaded

worker.onmessage = ({ data }: MessageEvent<TaskResponse>) => {
  pending.get(data.number)?.(data);
  pending.delete(data.number);
};
worker.onerror = () => {
  failure = { error: "a part of the page could not be loaded; reload it" };
  for (const settle of pending.values()) settle(failure);
  pending.clear();
};

/** task returns a function that runs a task in the worker. */
function task<D extends keyof Tasks>(name: D) {
  return (...args: Parameters<Tasks[D]>): Promise<Awaited<ReturnType<Tasks[D]>>> => new Promise((resolve, reject) => {
    const number = ++lastNumber, settle = ({ result, error }: Omit<TaskResponse, "number">) => (error === undefined ? resolve(result as Awaited<ReturnType<Tasks[D]>>) : reject(new Error(error)));
    if (failure) return settle(failure);
    pending.set(number, settle);
    worker.postMessage({ number, task: name, args } satisfies TaskRequest);
  });
}

export const zipFiles = task("zipFiles");
export const claim = task("claim");
export const pack = task("pack");
export const recent = task("recent");
export const readRecordedCases = task("readRecordedCases");
export const release = task("release");
export const remove = task("remove");
export const resume = task("resume");
export const save = task("save");
export const findSecret = task("findSecret");
export const unpack = task("unpack");
