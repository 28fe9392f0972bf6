// The worker that asks a model: the one part of the page that may connect to
// elsewhere, and only to the address in its job.

/** Job is a request to POST to a path below an address. */
export interface Job {
  number: number;
  address: string;
  path: string;
  body: string;
  key: string;
}

/** Said is what came back, or why nothing did. */
export type Said = { number: number } & ({ away: string } | { away?: undefined; status: number; headers: Record<string, string>; body: string });

/** The longest that a server may take, in milliseconds, and the most that it may say, in bytes. */
const patience = 120_000, most = 8 << 20;

onmessage = async ({ data }: MessageEvent<Job>) => postMessage(await send(data));

async function send({ number, address, path, body, key }: Job): Promise<Said> {
  try {
    const response = await fetch(`${address.replace(/\/+$/, "")}/${path}`, {
      method: "POST", body, signal: AbortSignal.timeout(patience),
      headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", cache: "no-store", mode: "cors",
    });
    return { number, status: response.status, headers: Object.fromEntries(response.headers), body: await text(response) };
  } catch (fault) {
    const late = fault instanceof DOMException && fault.name === "TimeoutError";
    const large = fault instanceof RangeError;
    // Which of these it was the browser tells nobody, so as to tell no page of networks.
    return { number, away: late ? `no answer within ${patience / 1000} s` : large ? fault.message : "nothing answers there, it redirects, or it does not let pages of this address ask (CORS)" };
  }
}

async function text(response: Response): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const reader = response.body?.getReader(); reader;) {
    const { done, value } = await reader.read();
    if (done) break;
    if ((size += value.length) > most) throw new RangeError(`its reply has more than ${most >> 20} MiB`);
    parts.push(value);
  }
  return new Blob(parts).text();
}
