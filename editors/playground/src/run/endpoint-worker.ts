// The worker that asks a model. Only this part of the page may connect to other hosts, and only to the address in its
// job.

/** Job is a POST request to a path below an address. */
export interface Job {
  number: number;
  address: string;
  path: string;
  body: string;
  key: string;
}

/** EndpointResponse is the response, or why there is none. */
export type EndpointResponse = { number: number } & ({ unreachable: string } | { unreachable?: undefined; status: number; headers: Record<string, string>; body: string });

/** Limits of a request: milliseconds and bytes. */
const timeout = 120_000, maxReplySize = 8 << 20;

onmessage = async ({ data }: MessageEvent<Job>) => postMessage(await send(data));

async function send({ number, address, path, body, key }: Job): Promise<EndpointResponse> {
  try {
    const response = await fetch(`${address.replace(/\/+$/, "")}/${path}`, {
      method: "POST", body, signal: AbortSignal.timeout(timeout),
      headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", cache: "no-store", mode: "cors",
    });
    return { number, status: response.status, headers: Object.fromEntries(response.headers), body: await readBody(response) };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    const isTooLarge = error instanceof RangeError;
    // Browsers do not tell a page which of these it was.
    return { number, unreachable: isTimeout ? `no answer within ${timeout / 1000} s` : isTooLarge ? error.message : "the server does not answer, redirects, or does not allow requests from this page (CORS)" };
  }
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const reader = response.body?.getReader(); reader;) {
    const { done, value } = await reader.read();
    if (done) break;
    if ((size += value.length) > maxReplySize) throw new RangeError(`its reply has more than ${maxReplySize >> 20} MiB`);
    chunks.push(value);
  }
  return new Blob(chunks).text();
}
