// The page's LSP client. The evaluator is a language server in a worker.
import { LSPClient, languageServerExtensions, type LSPClientExtension, type Transport, type WorkspaceFile } from "@codemirror/lsp-client";
import type * as lsp from "vscode-languageserver-protocol";
import type { Methods } from "@rubric-ls/wasm";
import { semanticTokens } from "./semantic-tokens";
import { indentOnEnter } from "./indent-on-enter";
import { findingsExtension } from "./findings";
import { folding } from "./folding";
import { inlayHints } from "./inlay-hints";
import { codeLenses } from "./code-lenses";
import { sanitize } from "./sanitize";
import { joinLinesNow } from "./text";
import { evaluatorWorker } from "./evaluator-worker";
import { progressMethod, switchedMethod } from "./case-positions";
import { showProgress, type Progress } from "./progress";
import { showMessages } from "./show-message";

type Listener = (message: string) => void;

/** createTransport connects the client to the worker. */
function createTransport(): Transport {
  const listeners = new Set<Listener>();
  evaluatorWorker.onmessage = ({ data }) => {
    for (const listener of listeners) listener(data);
  };
  return {
    send: (message) => evaluatorWorker.postMessage(message),
    subscribe: (listener) => void listeners.add(listener),
    unsubscribe: (listener) => void listeners.delete(listener),
  };
}

/**
 * Client posts notifications as objects, because encoding a long text as JSON would block the page. CodeMirror indents
 * the further lines of a snippet like its first line, so it takes that much off those of the evaluator.
 */
class Client extends LSPClient {
  override notification<Params>(method: string, params: Params): void {
    if (this.connected) void this.initializing.then(() => evaluatorWorker.postMessage({ jsonrpc: "2.0", method, params }), () => undefined);
  }

  override async request<Params, Result>(method: string, params: Params): Promise<Result> {
    if (method === "textDocument/hover") return this.#hover<Params, Result>(params);
    if (method !== "textDocument/completion") return super.request<Params, Result>(method, params);
    const { textDocument, position } = params as lsp.CompletionParams;
    const indent = /^ */.exec(this.workspace.getFile(textDocument.uri)?.doc.line(position.line + 1).text ?? "")![0];
    const list = await super.request<Params, Result & (lsp.CompletionList | null)>(method, params);
    for (const { insertTextFormat, textEdit } of list?.items ?? []) {
      if (insertTextFormat === 2 && textEdit) textEdit.newText = textEdit.newText.replaceAll(`\n${indent}`, "\n");
    }
    return list;
  }

  /** hover drops an answer about an earlier text: the library looks for its place in the text as it is by then. */
  async #hover<Params, Result>(params: Params): Promise<Result> {
    const view = this.workspace.getFile((params as lsp.HoverParams).textDocument.uri)?.getView(), doc = view?.state.doc;
    const answer = await super.request<Params, Result>("textDocument/hover", params);
    return view?.state.doc === doc ? answer : (null as Result);
  }

  override didOpen({ uri, languageId, version, doc }: WorkspaceFile): void {
    this.notification("textDocument/didOpen", { textDocument: { uri, languageId, version, text: joinLinesNow(doc) } });
  }
}

/** showLoadProgress shows how much of the module has been loaded. */
const showLoadProgress: LSPClientExtension = {
  notificationHandlers: { [progressMethod]: (_, progress: Progress) => (showProgress(progress), true) },
};

const onSwitch: (() => void)[] = [];

/** onEvaluatorSwitch adds what happens when another evaluator answers from now on. */
export const onEvaluatorSwitch = (handle: () => void): void => void onSwitch.push(handle);

const noticeSwitch: LSPClientExtension = { notificationHandlers: { [switchedMethod]: () => (onSwitch.forEach((handle) => handle()), true) } };

/** client is the page's LSP client. */
export const client = new Client({
  timeout: 120_000, // a long text takes a while
  sanitizeHTML: sanitize,
  extensions: [findingsExtension, semanticTokens, inlayHints, codeLenses, folding, indentOnEnter, showMessages, showLoadProgress, noticeSwitch, ...languageServerExtensions().filter((e) => !isDiagnostics(e))],
});

/** isDiagnostics finds the library's own view of diagnostics. Ours replaces it, because it shows fixes. */
function isDiagnostics(e: unknown): boolean {
  return typeof e === "object" && e !== null && "notificationHandlers" in e && "textDocument/publishDiagnostics" in (e.notificationHandlers as object);
}

/** connect starts the client, also again after a failure. It resolves when the evaluator is ready, and rejects with the reason if it cannot be loaded. */
export async function connect(): Promise<void> {
  if (client.connected) client.disconnect();
  client.connect(createTransport());
  const workerFailure = new Promise<never>((_, reject) => (evaluatorWorker.onerror = () => reject(new Error("its worker could not be loaded; reload the page"))));
  await Promise.race([client.initializing, workerFailure]).catch(({ message }: { message: string }) => {
    throw new Error(message); // the client rejects with a plain object
  });
}

/** callEvaluator calls a method of the evaluator. */
export async function callEvaluator<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
  client.sync();
  return client.request<object, Methods[M]["result"]>("rubric/call", { method, params }).catch(({ message }: { message: string }) => {
    throw new Error(message); // the client rejects with a plain object
  });
}
