import type { Engine } from "./index.js";

/** Message is a JSON-RPC message as an object. */
export interface Message {
  jsonrpc: string;
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** Options configure a session. */
export interface Options {
  /** send delivers a message to the client. */
  send(message: Message): void;
  /**
   * publish receives the parameters of `textDocument/publishDiagnostics` as JSON text, instead of `send`. A host that
   * only forwards text does not have to parse and encode a thousand findings.
   */
  publish?(params: string): void;
  /** commands are the lens commands that the client implements. Other lenses are left out. */
  commands?: string[];
  /** together says that the open documents are all files that exist. References between files are resolved among them. */
  together?: boolean;
  /**
   * whole loads `rubric.wasm` for a session that starts with `rubric-small.wasm`. The session calls it when a method
   * or an open file needs it, and switches to it once it has loaded. If loading fails, the next call or newly opened
   * document tries again.
   */
  whole?(): Promise<Engine>;
  /** switched is called when the whole evaluator answers from now on. Earlier answers about open files may be outdated. */
  switched?(): void;
  /** exit is called when the client ends the session. The status is 0 after a shutdown request. */
  exit?(status: number): void;
  /** log receives errors that no response can report. */
  log?(fault: string): void;
}

/** Session is a language server for one client. */
export interface Session {
  /** receive handles a message from the client. */
  receive(message: Message | Message[]): void;
  /** received resolves when the messages received so far are handled, whatever arrives later. */
  received(): Promise<void>;
  /** settled resolves when all received messages are answered. It does not wait for the whole evaluator. */
  settled(): Promise<void>;
}

/**
 * serve starts a session over an evaluator. The client must support LSP 3.17, completion snippets, Markdown,
 * hierarchical symbols and versioned edits. Beyond the protocol it answers `rubric/score`, `{uri, case, grades}`,
 * with the result of `grade`, and `rubric/call`, `{method, params}`, with any method of the evaluator about the open
 * documents.
 */
export function serve(engine: Engine | Promise<Engine>, options: Options): Session;
