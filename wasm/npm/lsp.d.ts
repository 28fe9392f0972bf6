import type { Engine } from "./index.js";

/** Message is one of JSON-RPC's, as an object. */
export interface Message {
  jsonrpc: string;
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** Options are what a session is given. */
export interface Options {
  /** send takes a message to the client. */
  send(message: Message): void;
  /**
   * publish takes the parameters of a `textDocument/publishDiagnostics` as JSON instead of
   * `send`: a host that only passes on texts need not read a thousand findings and write them again.
   */
  publish?(params: string): void;
  /** commands are those of lenses that the client carries out; lenses with others are left out. */
  commands?: string[];
  /** together says that the documents that are open are all files that there are: what one refers to is looked for among the others. */
  together?: boolean;
  /**
   * larger gives an evaluator that applies the JSON Schemas of users, `rubric-schemas.wasm`. It is
   * asked for when one is named, and takes over as soon as it is there; without it none is applied. Where it
   * could not be had, it is asked for again by a run, or once something is opened.
   */
  larger?(): Promise<Engine>;
  /** exit is called when the client ends the session, with 0 if it shut it down before. */
  exit?(status: number): void;
  /** log takes faults that there is nobody to answer with. */
  log?(fault: string): void;
}

/** Session is a language server for one client. */
export interface Session {
  /** receive takes in a message of the client's. */
  receive(message: Message | Message[]): void;
  /** settled is when everything that has come is answered and told, but a run that waits for a larger evaluator. */
  settled(): Promise<void>;
}

/**
 * serve begins a session over an evaluator. It is for clients of version 3.17 on
 * that go through a completion's places, draw Markdown, show symbols as a tree, and
 * take edits for a version of a document. Besides the protocol's it answers
 * `rubric/score`, `{uri, case, grades}`, as `grade` does, and `rubric/call`,
 * `{method, params}`, as the evaluator does, whose documents are those that are open.
 */
export function serve(engine: Engine | Promise<Engine>, options: Options): Session;
