// The worker: a language server over the evaluator. Requests and what it says itself go
// as texts: the client wants them so, and a text is moved between threads the fastest.
import wasm from "@rubric-ls/wasm/rubric.wasm?url";
import { open } from "@rubric-ls/wasm";
import { serve } from "@rubric-ls/wasm/lsp";
import { method, outlined, type Outlined } from "./outlined";

type Symbols = Parameters<typeof outlined>[0];

/** outlines are what is made of the symbols that requests are answered with, by their ids. */
const outlines = new Map<unknown, (symbols: Symbols) => Outlined>();

function send(message: { id?: unknown; result?: unknown }): void {
  const make = outlines.get(message.id);
  outlines.delete(message.id);
  postMessage(JSON.stringify(make && "result" in message ? { ...message, result: make(message.result as Symbols) } : message));
}

/** publish sends findings, as they were written: a long file has a thousand, and a key waits for all of them. */
const publish = (params: string): void => postMessage(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":${params}}`);

const session = serve(open(fetch(wasm)), { together: true, commands: ["rubric.runCase", "rubric.runFile"], send, publish, log: (fault) => console.error(fault) });
onmessage = ({ data }: MessageEvent) => {
  const message = typeof data === "string" ? JSON.parse(data) : data;
  if (message.method === method) {
    outlines.set(message.id, (symbols) => outlined(symbols, message.params.words));
    message.method = "textDocument/documentSymbol";
  }
  session.receive(message);
};
