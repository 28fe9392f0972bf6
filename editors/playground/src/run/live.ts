// The language server of `rubric playground`, beside the page: it runs cases with the
// judges and keys of the person whose machine it is on. Nothing is asked of it before
// they have seen whom the page talks to.
import type { CaseRecord } from "@rubric-ls/wasm";
import type { File } from "../state";

/** Server is who answers at the other end. */
export interface Server {
  host: string;
  version: string;
  /** judges are those that could be asked, as `rubric run --judge` takes them */
  judges: string[];
}

/** Item is what is new of a case or a criterion. */
export interface Item {
  id: string;
  state: string;
  score?: number;
  message?: string;
}

/** News is how far a run is. */
export interface News {
  job: string;
  state: "running" | "done" | "cancelled" | "failed";
  message?: string;
  done: number;
  total: number;
  results: Item[];
}

interface Reply {
  id?: number;
  method?: string;
  params?: News;
  result?: unknown;
  error?: { message: string };
}

/** tokenOf returns what an address has after `#live=`. */
export const tokenOf = (hash: string): string => new URLSearchParams(hash.slice(1)).get("live") ?? "";

/** token is that of the address when the page was loaded; no link keeps it. */
export const token = tokenOf(location.hash);

/** given reports whether the page was opened by `rubric playground`. */
export const given = (): boolean => token !== "";

const gone = "the local server does not answer: it has ended, or it does not take this address's token. Start `rubric playground` again and open the address that it prints";

/** Live is a session with the server. */
export class Live {
  #socket: WebSocket;
  #number = 0;
  #asked = new Map<number, { done: (result: unknown) => void; fail: (why: Error) => void }>();
  #hear: (news: News) => void = () => undefined;
  #lost: (why: Error) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Reply);
    socket.onclose = () => {
      for (const { fail } of this.#asked.values()) fail(new Error(gone));
      this.#asked.clear();
      this.#lost(new Error(gone));
    };
  }

  /** open connects, and gives the session with who is there. */
  static async open(): Promise<{ live: Live; server: Server }> {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/lsp?token=${encodeURIComponent(token)}`);
    await new Promise<void>((done, fail) => {
      socket.onopen = () => done();
      socket.onerror = () => fail(new Error(gone));
    });
    const live = new Live(socket);
    try {
      const { serverInfo } = (await live.#ask("initialize", { processId: null, rootUri: null, capabilities: {}, initializationOptions: { trusted: true } })) as { serverInfo: { version: string } };
      live.#tell("initialized", {});
      const { judges } = (await live.#ask("rubric/judges", {})) as { judges: string[] };
      return { live, server: { host: location.host, version: serverInfo.version, judges } };
    } catch (why) {
      socket.close();
      throw why;
    }
  }

  /** run runs a case of a file, or all, and tells of what is new until it ends, with what the file's cases have come to by then; a signal cancels it. */
  async run(file: File, beside: File[], about: string | undefined, judge: string, signal: AbortSignal, tell: (news: News) => void): Promise<{ news: News; records: CaseRecord[] }> {
    const named = ({ name }: File) => `untitled:${encodeURIComponent(name)}`;
    const open = (f: File) => this.#tell("textDocument/didOpen", { textDocument: { uri: named(f), languageId: /\.jsonl?$/.test(f.name) ? "json" : "yaml", version: 1, text: f.text } });
    const uri = named(file), recorded = beside.find((f) => /\.evalset_result\.json$/.test(f.name))?.name ?? "";
    this.#tell("workspace/didChangeConfiguration", { settings: { rubric: { judge, recorded } } });
    for (const f of [...beside, file]) open(f); // the file last: it looks for the others when it is opened
    const stop = () => this.#ask("workspace/executeCommand", { command: "rubric.cancelRun", arguments: [{}] }).catch(() => undefined);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const ended = new Promise<News>((done, fail) => {
        this.#lost = fail;
        this.#hear = (news) => {
          tell(news);
          if (news.state !== "running") done(news);
        };
      });
      ended.catch(() => undefined);
      await this.#ask("workspace/executeCommand", { command: about === undefined ? "rubric.runFile" : "rubric.runCase", arguments: [{ uri, ...(about !== undefined && { case: about }) }] });
      const news = await ended;
      const { records } = (await this.#ask("rubric/records", { textDocument: { uri } })) as { records: CaseRecord[] };
      return { news, records };
    } finally {
      signal.removeEventListener("abort", stop);
      this.#hear = () => undefined;
      this.#lost = () => undefined;
      for (const f of [file, ...beside]) this.#tell("textDocument/didClose", { textDocument: { uri: named(f) } });
    }
  }

  /** there reports whether the server still is. */
  get there(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    return new Promise((done, fail) => {
      if (!this.there) return fail(new Error(gone));
      const id = ++this.#number;
      this.#asked.set(id, { done, fail });
      this.#send({ id, method, params });
    });
  }

  #tell(method: string, params: unknown): void {
    if (this.there) this.#send({ method, params });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #take({ id, method, params, result, error }: Reply): void {
    if (method === "rubric/results" && params) return this.#hear(params);
    if (method !== undefined && id !== undefined) return this.#send({ id, result: null }); // it asks for what the page does not have
    const asked = id === undefined ? undefined : this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id!);
    if (error) asked.fail(new Error(error.message));
    else asked.done(result);
  }
}
