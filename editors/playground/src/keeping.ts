// What the keeper is asked, which goes through whole texts in a thread of its own.
import type { Asked, Done, Duties } from "./keeper";

const thread = new Worker(new URL("./keeper.ts", import.meta.url), { type: "module" });
const waiting = new Map<number, (done: Omit<Done, "number">) => void>();
let last = 0;
let lost: { fault: string } | undefined; // why nothing is done any more

thread.onmessage = ({ data }: MessageEvent<Done>) => {
  waiting.get(data.number)?.(data);
  waiting.delete(data.number);
};
thread.onerror = () => {
  lost = { fault: "a part of the page could not be loaded; reload it" };
  for (const end of waiting.values()) end(lost);
  waiting.clear();
};

/** duty is one of the keeper's, by its name. */
function duty<D extends keyof Duties>(name: D) {
  return (...given: Parameters<Duties[D]>): Promise<Awaited<ReturnType<Duties[D]>>> => new Promise((done, fail) => {
    const number = ++last, end = ({ result, fault }: Omit<Done, "number">) => (fault === undefined ? done(result as Awaited<ReturnType<Duties[D]>>) : fail(new Error(fault)));
    if (lost) return end(lost);
    waiting.set(number, end);
    thread.postMessage({ number, duty: name, given } satisfies Asked);
  });
}

export const archive = duty("archive");
export const claim = duty("claim");
export const pack = duty("pack");
export const recent = duty("recent");
export const recordedIn = duty("recordedIn");
export const release = duty("release");
export const remove = duty("remove");
export const resume = duty("resume");
export const save = duty("save");
export const secretOf = duty("secretOf");
export const unpack = duty("unpack");
