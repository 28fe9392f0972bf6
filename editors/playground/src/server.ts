// The worker: a language server over the evaluator. Requests and what it says itself go
// as texts: the client wants them so, and a text is moved between threads the fastest.
import wasm from "@rubric-ls/wasm/rubric.wasm?url";
import larger from "@rubric-ls/wasm/rubric-schemas.wasm?url";
import { open } from "@rubric-ls/wasm";
import { serve } from "@rubric-ls/wasm/lsp";
import { method, places } from "./places";

/** placing are the requests that are answered with places of cases, by their ids. */
const placing = new Set<unknown>();

function send(message: { id?: unknown; result?: unknown }): void {
  const made = placing.delete(message.id) && "result" in message ? { ...message, result: places(message.result as Parameters<typeof places>[0]) } : message;
  postMessage(JSON.stringify(made));
}

/** publish sends findings, as they were written: a long file has a thousand, and a key waits for all of them. */
const publish = (params: string): void => postMessage(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":${params}}`);

const session = serve(open(fetch(wasm)), {
  together: true, larger: () => open(fetch(larger)), commands: ["rubric.runCase", "rubric.runFile"], send, publish, log: (fault) => console.error(fault),
});
onmessage = ({ data }: MessageEvent) => {
  const message = typeof data === "string" ? JSON.parse(data) : data;
  if (message.method === method) {
    placing.add(message.id);
    Object.assign(message, { method: "rubric/call", params: { method: "cases", params: message.params } });
  }
  session.receive(message);
};
