// Runs in the evaluator's worker, as a language server. It posts messages as text, because the client expects text and text
// moves fastest between threads.
import small from "@rubric-ls/wasm/rubric-small.wasm?url";
import whole from "@rubric-ls/wasm/rubric.wasm?url";
import { open } from "@rubric-ls/wasm";
import { serve } from "@rubric-ls/wasm/lsp";
import { positionsMethod, casePositions, progressMethod, switchedMethod } from "./case-positions";

/** moduleSizes are the sizes of the modules in bytes. The build sets them. */
declare const moduleSizes: { small: number; whole: number };

/** slowLoad is how long a part of the evaluator may load before the page says so, in milliseconds. */
const slowLoad = 1000;

/** positionRequests are the ids of pending requests for case positions. */
const positionRequests = new Set<unknown>();

function send(message: { id?: unknown; result?: unknown }): void {
  const outgoing = positionRequests.delete(message.id) && "result" in message ? { ...message, result: casePositions(message.result as Parameters<typeof casePositions>[0]) } : message;
  postMessage(JSON.stringify(outgoing));
}

/** publish posts diagnostics as the JSON text that the evaluator wrote. A long file has a thousand. */
const publish = (params: string): void => postMessage(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":${params}}`);

/** fetchModule fetches a module and posts how much of it has arrived. */
async function fetchModule(url: string, size: number): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok || !response.body) return response;
  const started = performance.now();
  let loaded = 0, posted = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, to) {
      loaded += chunk.length;
      const share = Math.min(99, Math.floor((loaded / size) * 100));
      if (share > posted) postMessage(JSON.stringify({ jsonrpc: "2.0", method: progressMethod, params: { share: (posted = share), slow: performance.now() - started > slowLoad } }));
      to.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { headers: { "content-type": "application/wasm" } });
}

let hasFailed = false; // the module could not be had

function start(): ReturnType<typeof serve> {
  const engine = open(fetchModule(small, moduleSizes.small));
  engine.catch(() => (hasFailed = true));
  return serve(engine, {
    together: true, whole: () => open(fetchModule(whole, moduleSizes.whole)), switched: () => postMessage(JSON.stringify({ jsonrpc: "2.0", method: switchedMethod, params: {} })),
    commands: ["rubric.runCase", "rubric.runFile"], send, publish, log: (error) => console.error(error),
  });
}

let session = start();
onmessage = ({ data }: MessageEvent) => {
  const message = typeof data === "string" ? JSON.parse(data) : data;
  if (message.method === "initialize" && hasFailed) {
    hasFailed = false;
    session = start();
  }
  if (message.method === positionsMethod) {
    positionRequests.add(message.id);
    Object.assign(message, { method: "rubric/call", params: { method: "cases", params: message.params } });
  }
  session.receive(message);
};
