// A session with the language server of `rubric playground` and `rubric view`, which runs cases with the judges and keys of the user's
// machine. The page sends it nothing before the user has seen which server it is.
import type { CaseRecord } from "@rubric-ls/wasm";
import type { File } from "../state";

/** Server describes the local server. */
export interface Server {
  host: string;
  version: string;
  /** the available judges, as `rubric run --judge` takes them */
  judges: string[];
}

/** ItemResult is the new state of a case or criterion. */
export interface ItemResult {
  id: string;
  state: string;
  score?: number;
  message?: string;
}

/** Progress is the state of a run. */
export interface Progress {
  job: string;
  state: "running" | "done" | "cancelled" | "failed";
  message?: string;
  done: number;
  total: number;
  results: ItemResult[];
}

interface IncomingMessage {
  id?: number;
  method?: string;
  params?: Progress;
  result?: unknown;
  error?: { message: string };
}

/** tokenOf returns the token in a fragment, after `#live=`. */
export const tokenOf = (hash: string): string => new URLSearchParams(hash.slice(1)).get("live") ?? "";

/** token is the token of the address at load time. No link contains it. */
export const token = tokenOf(location.hash);

/** hasServer reports whether `rubric` opened the page. */
export const hasServer = (): boolean => token !== "";

/** unreachableMessage says what to do without an answer. */
export const unreachableMessage = "the local server does not answer: it has ended, or the token in the address is wrong. Start `rubric playground` or `rubric view` again and open the address that it prints";

/** ServerSession is a session with the server. */
export class ServerSession {
  #socket: WebSocket;
  #number = 0;
  #pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #onProgress: (progress: Progress) => void = () => undefined;
  #onClose: (error: Error) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)) as IncomingMessage);
    socket.onclose = () => {
      for (const { reject } of this.#pending.values()) reject(new Error(unreachableMessage));
      this.#pending.clear();
      this.#onClose(new Error(unreachableMessage));
    };
  }

  /** open connects to the server. */
  static async open(): Promise<{ session: ServerSession; server: Server }> {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/lsp?token=${encodeURIComponent(token)}`);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error(unreachableMessage));
    });
    const session = new ServerSession(socket);
    try {
      const { serverInfo } = (await session.#request("initialize", { processId: null, rootUri: null, capabilities: {}, initializationOptions: { trusted: true } })) as { serverInfo: { version: string } };
      session.#notify("initialized", {});
      const { judges } = (await session.#request("rubric/judges", {})) as { judges: string[] };
      return { session, server: { host: location.host, version: serverInfo.version, judges } };
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  /** run runs a case of a file, or all, and reports progress. It returns the last progress and the records of the file's cases. The signal cancels the run. */
  async run(file: File, otherFiles: File[], caseId: string | undefined, settings: { target: string; judge: string }, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<{ progress: Progress; records: CaseRecord[] }> {
    if (signal.aborted) return { progress: { job: "", state: "cancelled", done: 0, total: 0, results: [] }, records: [] };
    const uriOf = ({ name }: File) => `untitled:${encodeURIComponent(name)}`;
    const open = (f: File) => this.#notify("textDocument/didOpen", { textDocument: { uri: uriOf(f), languageId: /\.jsonl?$/.test(f.name) ? "json" : "yaml", version: 1, text: f.text } });
    const uri = uriOf(file), recorded = otherFiles.find((f) => /\.evalset_result\.json$/.test(f.name))?.name ?? "";
    this.#notify("workspace/didChangeConfiguration", { settings: { rubric: { ...settings, recorded } } });
    for (const f of [...otherFiles, file]) open(f); // the file last, because it looks for the others when it opens
    const stop = () => this.#request("workspace/executeCommand", { command: "rubric.cancelRun", arguments: [{}] }).catch(() => undefined);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const ended = new Promise<Progress>((resolve, reject) => {
        this.#onClose = reject;
        this.#onProgress = (progress) => {
          onProgress(progress);
          if (progress.state !== "running") resolve(progress);
        };
      });
      ended.catch(() => undefined);
      await this.#request("workspace/executeCommand", { command: caseId === undefined ? "rubric.runFile" : "rubric.runCase", arguments: [{ uri, ...(caseId !== undefined && { case: caseId }) }] });
      if (signal.aborted) void stop(); // the server may have handled the first one before the run
      const progress = await ended;
      const { records } = (await this.#request("rubric/records", { textDocument: { uri } })) as { records: CaseRecord[] };
      return { progress, records };
    } finally {
      signal.removeEventListener("abort", stop);
      this.#onProgress = () => undefined;
      this.#onClose = () => undefined;
      for (const f of [file, ...otherFiles]) this.#notify("textDocument/didClose", { textDocument: { uri: uriOf(f) } });
    }
  }

  /** isOpen reports whether the connection is open. */
  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  #request(method: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error(unreachableMessage));
      const id = ++this.#number;
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #notify(method: string, params: unknown): void {
    if (this.isOpen) this.#send({ method, params });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #receive({ id, method, params, result, error }: IncomingMessage): void {
    if (method === "rubric/results" && params) return this.#onProgress(params);
    if (method !== undefined && id !== undefined) return this.#send({ id, result: null }); // the page supports no requests of the server
    const request = id === undefined ? undefined : this.#pending.get(id);
    if (!request) return;
    this.#pending.delete(id!);
    if (error) request.reject(new Error(error.message));
    else request.resolve(result);
  }
}
