// A model at an address that somebody has named. The page itself connects nowhere:
// a worker does, which is served with a policy of its own, knows one address, and
// ends with the run. The key is in memory, there and here.
import type { JudgeAnswer, RequestParams, WireResponse } from "@rubric-ls/wasm";
import { ask } from "../evaluator";
import type { Job, Said } from "./asker";
import { fault, wait, type Judge } from "./judge";

/** Endpoint is whom to ask. */
export interface Endpoint {
  provider: string;
  /** address is a URL, below which the provider's interface is. */
  address: string;
  model: string;
  key: string;
}

/** The patience of a run: how often a request is repeated that may well be answered later, after how long, and the most that a server may ask to wait. */
const repeats = 3, first = 1000, longest = 5 * 60_000;

/** refused is why an address is not asked; undefined if it may be. */
export function refused(address: string): string | undefined {
  let at: URL;
  try {
    at = new URL(address);
  } catch {
    return "The address is no URL, such as http://localhost:11434.";
  }
  if (at.username || at.password) return "The address has a password in it; the key has a field of its own.";
  if (at.protocol === "https:" || (at.protocol === "http:" && ["localhost", "127.0.0.1"].includes(at.hostname))) return undefined;
  return "The address has to begin with https:, or be on this machine: http://localhost or http://127.0.0.1.";
}

/** unsendable is why a key cannot be sent, without showing it; undefined if it can be. */
export function unsendable(key: string): string | undefined {
  const at = [...key].findIndex((c) => c < " " || c === "\x7f" || c > "\xff");
  return at < 0 ? undefined : `The key cannot be sent: letter ${at + 1} of it is none that a request's header can hold. Copied keys may have a curly quote, a long dash or an invisible character in them.`;
}

/** hidden has a key's forms in a text replaced: servers quote keys in errors. */
export function hidden(text: string, key: string): string {
  if (key.length < 4) return text;
  for (const form of new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), btoa(unescape(encodeURIComponent(key)))])) text = text.replaceAll(form, "[key]");
  return text;
}

/** endpoint is a judge that asks a model there. */
export function endpoint(to: Endpoint): Judge {
  const thread = new Worker(new URL("./asker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, (said: Said) => void>();
  const without: RequestParams["without"] = [];
  const name = `${to.provider}:${to.model}`;
  const unstarted = "the browser did not start what asks";
  let number = 0, ended: JudgeAnswer | undefined, broken = false;
  thread.onmessage = ({ data }: MessageEvent<Said>) => {
    waiting.get(data.number)?.(data);
    waiting.delete(data.number);
  };
  thread.onerror = () => {
    broken = true;
    for (const settle of waiting.values()) settle({ number: 0, away: unstarted });
  };
  const exchange = (path: string, body: string, signal: AbortSignal): Promise<Said> => new Promise((done) => {
    const job: Job = { number: ++number, address: to.address, path, body, key: to.key };
    const nothing = (away: string) => done({ number: job.number, away });
    if (broken) return nothing(unstarted);
    if (signal.aborted) return nothing("the run was cancelled"); // while the request was written
    waiting.set(job.number, done);
    signal.addEventListener("abort", () => nothing("the run was cancelled"), { once: true });
    thread.postMessage(job);
  });
  const read = async (said: Said): Promise<WireResponse> => {
    if (said.away !== undefined) return { text: "", model: "", usage: {}, fault: { message: `it could not be reached: ${said.away}`, unreachable: true, passing: false, after: 0 } };
    const response = await ask("response", { provider: to.provider, status: said.status, headers: said.headers, body: hidden(said.body, to.key) });
    return { ...response, text: hidden(response.text, to.key) };
  };
  return {
    name,
    end: () => thread.terminate(),
    async answer(q, signal) {
      for (let tries = 0; !signal.aborted;) {
        if (ended) return ended;
        const lacking = [...without];
        const { path, body } = await ask("request", { provider: to.provider, model: to.model, system: q.system, user: q.user, schema: q.schema ?? undefined, sample: q.sample, without: lacking });
        const { text, model, usage, fault: why } = await read(await exchange(path, body, signal));
        if (!why) return { text, model, usage };
        if (why.feature && !lacking.includes(why.feature)) {
          without.push(why.feature); // which is learned once for the run
          continue;
        }
        const said = { text: "", error: `${name}: ${tries ? `tried ${tries + 1} times: ` : ""}${hidden(why.message, to.key)}`, unreachable: why.unreachable };
        if (!why.passing || tries === repeats || why.after * 1000 > longest) {
          if (why.unreachable && !why.passing) ended = said;
          return said;
        }
        await wait(why.after ? why.after * 1000 : first * 2 ** tries, signal);
        tries++;
      }
      return fault("the run was cancelled");
    },
  };
}
