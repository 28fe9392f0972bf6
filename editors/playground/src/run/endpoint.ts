// A judge that asks a model server. A worker connects to it, under its own content security policy, and ends with the
// run. The key stays in memory.
import type { JudgeAnswer, RequestParams, WireResponse } from "@rubric-ls/wasm";
import { callEvaluator } from "../evaluator";
import type { Job, EndpointResponse } from "./endpoint-worker";
import { unreachable, wait, type Judge } from "./judge";

/** Endpoint is a model server with a model and a key. */
export interface Endpoint {
  provider: string;
  /** the base URL of the provider's API */
  address: string;
  model: string;
  key: string;
}

/** The retries of requests that may succeed later: their number, the first delay, and the longest delay that a server may ask for, in milliseconds. */
const maxRetries = 3, firstDelay = 1000, maxDelay = 5 * 60_000;

/** addressProblem says why an address is not allowed. */
export function addressProblem(address: string): string | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return "The address is not a URL; an example is http://localhost:11434.";
  }
  if (url.username || url.password) return "Remove the password from the address and enter the key in its own field.";
  if (url.protocol === "https:" || (url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname))) return undefined;
  return "The address must start with https:, or be on this machine: http://localhost or http://127.0.0.1.";
}

/** keyProblem says why a key cannot be sent, without showing it. */
export function keyProblem(key: string): string | undefined {
  const url = [...key].findIndex((c) => c < " " || c === "\x7f" || c > "\xff");
  return url < 0 ? undefined : `The key cannot be sent: character ${url + 1} is not allowed in a request header. Copied keys may contain a curly quote, a long dash or an invisible character.`;
}

/** redactKey replaces all forms of the key in a text. Servers quote keys in errors. */
export function redactKey(text: string, key: string): string {
  if (key.length < 4) return text;
  for (const form of new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), btoa(unescape(encodeURIComponent(key)))])) text = text.replaceAll(form, "[key]");
  return text;
}

/** endpointJudge returns a judge that asks the model. */
export function endpointJudge(endpoint: Endpoint): Judge {
  const worker = new Worker(new URL("./endpoint-worker.ts", import.meta.url), { type: "module" });
  const pending = new Map<number, (response: EndpointResponse) => void>();
  const without: RequestParams["without"] = [];
  const name = `${endpoint.provider}:${endpoint.model}`;
  const notStarted = "the browser did not start the worker";
  let number = 0, finalError: JudgeAnswer | undefined, hasFailed = false;
  worker.onmessage = ({ data }: MessageEvent<EndpointResponse>) => {
    pending.get(data.number)?.(data);
    pending.delete(data.number);
  };
  worker.onerror = () => {
    hasFailed = true;
    for (const settle of pending.values()) settle({ number: 0, unreachable: notStarted });
  };
  const exchange = (path: string, body: string, signal: AbortSignal): Promise<EndpointResponse> => new Promise((done) => {
    const job: Job = { number: ++number, address: endpoint.address, path, body, key: endpoint.key };
    const fail = (away: string) => done({ number: job.number, unreachable: away });
    if (hasFailed) return fail(notStarted);
    if (signal.aborted) return fail("the run was cancelled"); // cancelled while the request was prepared
    pending.set(job.number, done);
    signal.addEventListener("abort", () => fail("the run was cancelled"), { once: true });
    worker.postMessage(job);
  });
  const read = async (response: EndpointResponse): Promise<WireResponse> => {
    if (response.unreachable !== undefined) return { text: "", model: "", usage: {}, fault: { message: `it could not be reached: ${response.unreachable}`, unreachable: true, passing: false, after: 0 } };
    const answer = await callEvaluator("response", { provider: endpoint.provider, status: response.status, headers: response.headers, body: redactKey(response.body, endpoint.key) });
    return { ...answer, text: redactKey(answer.text, endpoint.key) };
  };
  return {
    name,
    end: () => worker.terminate(),
    async answer(q, signal) {
      for (let retries = 0; !signal.aborted;) {
        if (finalError) return finalError;
        const omitted = [...without];
        const { path, body } = await callEvaluator("request", { provider: endpoint.provider, model: endpoint.model, system: q.system, user: q.user, schema: q.schema ?? undefined, sample: q.sample, without: omitted });
        const { text, model, usage, fault: failure } = await read(await exchange(path, body, signal));
        if (!failure) return { text, model, usage };
        if (failure.feature && !omitted.includes(failure.feature)) {
          without.push(failure.feature); // once for the whole run
          continue;
        }
        const failed = { text: "", error: `${name}: ${retries ? `tried ${retries + 1} times: ` : ""}${redactKey(failure.message, endpoint.key)}`, unreachable: failure.unreachable };
        if (!failure.passing || retries === maxRetries || failure.after * 1000 > maxDelay) {
          if (failure.unreachable && !failure.passing) finalError = failed;
          return failed;
        }
        await wait(failure.after ? failure.after * 1000 : firstDelay * 2 ** retries, signal);
        retries++;
      }
      return unreachable("the run was cancelled");
    },
  };
}
