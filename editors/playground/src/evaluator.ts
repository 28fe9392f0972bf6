// The evaluator in its worker, as a language server: the page is one more client.
import { LSPClient, languageServerExtensions, type Transport, type WorkspaceFile } from "@codemirror/lsp-client";
import type { Methods } from "@rubric-ls/wasm";
import { colours } from "./colours";
import { enter } from "./enter";
import { findings } from "./findings";
import { folds } from "./folds";
import { hints } from "./hints";
import { lenses } from "./lenses";
import { plain } from "./plain";
import { wordsNow } from "./text";
import { thread } from "./thread";
import { told } from "./told";

type Heard = (message: string) => void;

/** worker is the transport to the language server in its thread. */
function worker(): Transport {
  const heard = new Set<Heard>();
  thread.onmessage = ({ data }) => {
    for (const hear of heard) hear(data);
  };
  return {
    send: (message) => thread.postMessage(message),
    subscribe: (hear) => void heard.add(hear),
    unsubscribe: (hear) => void heard.delete(hear),
  };
}

/** Client sends what it tells of, whole texts among it, as it is: to write a long one as JSON would hold the page up. */
class Client extends LSPClient {
  override notification<Params>(method: string, params: Params): void {
    if (this.connected) void this.initializing.then(() => thread.postMessage({ jsonrpc: "2.0", method, params }));
  }

  override didOpen({ uri, languageId, version, doc }: WorkspaceFile): void {
    this.notification("textDocument/didOpen", { textDocument: { uri, languageId, version, text: wordsNow(doc) } });
  }
}

/** client is the page's client of the language server. */
export const client = new Client({
  timeout: 120_000, // the evaluator answers in its turn, however long a text it has before it
  sanitizeHTML: plain,
  extensions: [findings, colours, hints, lenses, folds, enter, told, ...languageServerExtensions().filter((e) => !isDiagnostics(e))],
});

/** isDiagnostics finds the client's own view of findings, which knows no fixes: ours takes its place. */
function isDiagnostics(e: unknown): boolean {
  return typeof e === "object" && e !== null && "notificationHandlers" in e && "textDocument/publishDiagnostics" in (e.notificationHandlers as object);
}

/** connect starts the worker; the promise is for its first answer. */
export function connect(): Promise<unknown> {
  client.connect(worker());
  return client.initializing;
}

/** ask asks the evaluator about what is open, or what needs no document; an error says why there is no answer. */
export async function ask<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
  client.sync();
  return client.request<object, Methods[M]["result"]>("rubric/call", { method, params }).catch(({ message }: { message: string }) => {
    throw new Error(message); // the client fails with the answer's part that says so, which is none
  });
}
