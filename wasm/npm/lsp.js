// A language server over an evaluator, in JavaScript: JSON-RPC messages in and
// out, as objects. It keeps order, documents and who is owed an answer; what the
// answers are, the evaluator says.
import { EvaluatorError } from "./engine.js";
import { Documents } from "./lsp-documents.js";
import { capabilities, requests } from "./lsp-requests.js";
import { Settings } from "./lsp-settings.js";
import { pause } from "./thread.js";

/** The codes of JSON-RPC's errors and of the protocol's. */
const INVALID_REQUEST = -32600, NO_METHOD = -32601, BAD_PARAMS = -32602, INTERNAL = -32603;
const NOT_INITIALIZED = -32002, CANCELLED = -32800, MODIFIED = -32801, FAILED = -32803;
const codes = { "bad-params": BAD_PARAMS, "not-open": MODIFIED, changed: MODIFIED, refused: FAILED, "unknown-case": FAILED, "unknown-method": NO_METHOD };

/** Refusal is an answer of ours that is an error. */
class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Later is the answer that `work` gives once something has come, in a turn of its own: others are not held up by that. */
class Later {
  constructor(coming, work) {
    this.coming = coming;
    this.work = work;
  }
}

/** changing are the notifications after which what was found before is stale. */
const changing = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"];

/** serve begins a session; lsp.d.ts says what it is given. */
export function serve(engine, options) {
  const session = new Session(engine, options);
  return { receive: (message) => session.receive(message), settled: () => session.settled() };
}

class Session {
  #engine;
  #options;
  #phase = "waiting"; // then serving, then stopping
  #turn = Promise.resolve(); // after which the next message is taken
  #cancelled = new Set(); // ids
  #owed = new Set(); // ids of requests without an answer
  #asked = new Map(); // what to do with the client's answers, by the ids of our requests
  #requests = 0;
  #settings;
  #arrived = new Map(); // how many changes of a document have come, by its URI
  #larger; // a promise of the larger evaluator, once a JSON Schema was named; null when it has taken over
  #missed = false; // it could not be loaded, and nothing was opened since
  #told; // why it could not be

  constructor(engine, options) {
    this.#engine = Promise.resolve(engine);
    this.#engine.catch(() => {}); // the answer to `initialize` tells
    this.#options = { commands: [], exit() {}, log() {}, ...options };
  }

  /** settled is when everything that has come is answered and told. */
  async settled() {
    for (let turn; turn !== this.#turn; await turn) turn = this.#turn;
  }

  receive(message) {
    if (Array.isArray(message) && message.length > 0) return message.forEach((m) => this.receive(m));
    const { id, method, params } = message ?? {};
    const proper = message?.jsonrpc === "2.0" && (id === undefined || typeof id === "string" || typeof id === "number");
    if (!proper || (method !== undefined && typeof method !== "string") || (method === undefined && id === undefined)) {
      return this.#fail(proper ? (id ?? null) : null, new Refusal(INVALID_REQUEST, "the message is no request, no notification and no answer"));
    }
    if (method === undefined) return this.#answered(id, message.result);
    if (method === "$/cancelRequest") {
      if (this.#owed.has(params?.id)) this.#cancelled.add(params.id);
      return;
    }
    if (id !== undefined) {
      this.#owed.add(id);
      return this.#then(() => this.#answer(id, () => this.#result(method, params)));
    }
    const uri = params?.textDocument?.uri, number = (this.#arrived.get(uri) ?? 0) + (changing.includes(method) ? 1 : 0);
    if (number > 0) this.#arrived.set(uri, number);
    this.#then(() => this.#hear(method, params, number));
  }

  #then(work) {
    this.#turn = this.#turn.then(work).catch((fault) => this.#options.log(String(fault?.stack ?? fault)));
  }

  async #answer(id, work) {
    try {
      await pause(); // a cancel overtakes what it is about
      if (this.#cancelled.has(id)) throw new Refusal(CANCELLED, "cancelled");
      const result = await work();
      if (this.#cancelled.has(id)) throw new Refusal(CANCELLED, "cancelled");
      if (result instanceof Later) return void result.coming.then((come) => this.#then(() => this.#answer(id, () => result.work(come))));
      this.#options.send({ jsonrpc: "2.0", id, result });
    } catch (fault) {
      this.#fail(id, fault);
    }
    this.#owed.delete(id);
    this.#cancelled.delete(id);
  }

  async #result(method, params) {
    const first = method === "initialize";
    if (this.#phase === "waiting" && !first) throw new Refusal(NOT_INITIALIZED, "the session has not been initialized");
    if (this.#phase === "serving" && first) throw new Refusal(INVALID_REQUEST, "the session has been initialized already");
    if (this.#phase === "stopping") throw new Refusal(INVALID_REQUEST, "the session has been shut down");
    if (first) return this.#initialize(params);
    if (method === "shutdown") {
      this.#phase = "stopping";
      return null;
    }
    const answer = Object.hasOwn(requests, method) && requests[method];
    if (!answer) throw new Refusal(NO_METHOD, `there is no request \`${method}\``);
    if (typeof params !== "object" || params === null) throw new Refusal(BAD_PARAMS, "the parameters are missing");
    return answer(this, params);
  }

  async #initialize(params) {
    const engine = await this.#engine;
    this.documents = new Documents(engine, this.#options);
    const [can, { version }] = await Promise.all([engine.capabilities(), engine.version()]);
    this.retriggers = String(params?.clientInfo?.name ?? "").startsWith("Visual Studio Code");
    this.#settings = new Settings(this, params?.capabilities);
    this.#phase = "serving";
    this.#engine = undefined; // the documents have the one that answers
    return { capabilities: capabilities(can, params?.capabilities), serverInfo: { name: "rubric", version } };
  }

  /** commands are those of lenses that the client or the host carries out. */
  get commands() {
    return this.#options.commands;
  }

  notify(method, params) {
    this.#options.send({ jsonrpc: "2.0", method, params });
  }

  /** publish tells the findings in a document, as JSON. */
  #publish(of, found) {
    const { publish } = this.#options;
    if (publish) return publish(`${JSON.stringify(of).slice(0, -1)},"diagnostics":${found}}`);
    this.notify("textDocument/publishDiagnostics", { ...of, diagnostics: JSON.parse(found) });
  }

  /** request asks the client for something, whose answer, undefined for an error, is taken in its turn. */
  request(method, params, take) {
    const id = `rubric-${++this.#requests}`;
    this.#asked.set(id, take);
    this.#options.send({ jsonrpc: "2.0", id, method, params });
  }

  #answered(id, result) {
    const take = this.#asked.get(id);
    this.#asked.delete(id);
    if (take) this.#then(() => take(result));
  }

  /** settle has rules have other severities from now on. */
  async settle(rules) {
    const { again, problems } = await this.documents.settle(rules);
    for (const problem of problems) this.notify("window/logMessage", { type: 2, message: `rubric.rules: ${problem}` });
    this.#again(again);
  }

  /** call asks the evaluator anything; a run that wants a JSON Schema applied waits for who applies it. */
  async call(method, params) {
    const result = await this.documents.call(method, params);
    if (method !== "run" || !(await this.#wanting())) return result;
    return new Later(this.#load(), async (larger) => {
      if (!larger) return result;
      await this.#move(larger);
      return this.documents.call(method, params);
    });
  }

  /** wanting is whether a larger evaluator could apply what this one was named. */
  async #wanting() {
    return Boolean(this.#options.larger) && this.#larger !== null && this.documents.wanting();
  }

  /** load gives the larger evaluator; undefined if it cannot be had, which is told, and tried again by a run or once something is opened. */
  #load() {
    return (this.#larger ??= this.#options.larger().catch((fault) => {
      this.#larger = undefined;
      this.#missed = true;
      if (fault.message === this.#told) return;
      this.#told = fault.message;
      this.notify("window/showMessage", { type: 2, message: `rubric: JSON Schemas are not applied, as the evaluator that does could not be loaded: ${fault.message}` });
    }));
  }

  /** move has the larger evaluator answer from now on. */
  async #move(engine) {
    if (!engine || this.#larger === null) return;
    this.#larger = null;
    this.#again(await this.documents.move(engine));
  }

  #fail(id, fault) {
    let code = fault instanceof Refusal ? fault.code : INTERNAL;
    if (fault instanceof EvaluatorError) code = codes[fault.code] ?? INTERNAL;
    if (fault instanceof TypeError) code = BAD_PARAMS; // something that parameters do not have was looked into
    const message = code === BAD_PARAMS && fault instanceof TypeError ? "the parameters do not fit this method" : fault.message;
    this.#options.send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  /** hear takes in a notification; there is nobody to answer, whatever is wrong with it. */
  async #hear(method, params, number) {
    if (method === "exit") return this.#options.exit(this.#phase === "stopping" ? 0 : 1);
    if (this.#phase !== "serving") return;
    const { uri } = params?.textDocument ?? {};
    switch (method) {
      case "initialized":
        return this.#settings.begin();
      case "workspace/didChangeConfiguration":
        return this.#settings.changed(params);
      case "textDocument/didOpen":
        this.#missed = false;
        this.#again(await this.documents.open(params.textDocument));
        return void this.#then(() => this.#tell(uri, number)); // once those are known that are opened with it
      case "textDocument/didChange":
        try {
          this.#again(await this.documents.change(params.textDocument, params.contentChanges));
        } finally {
          await this.#tell(uri, number); // one that cannot be made leaves the document as it was
        }
        return;
      case "textDocument/didClose":
        this.#again(await this.documents.close(uri));
        if (number === this.#arrived.get(uri)) this.#arrived.delete(uri);
        return this.notify("textDocument/publishDiagnostics", { uri, diagnostics: [] });
    }
  }

  /** again has the findings in documents told anew, in their turn. */
  #again(uris = []) {
    for (const uri of uris) {
      const number = this.#arrived.get(uri);
      this.#then(() => this.#tell(uri, number));
    }
  }

  /**
   * tell tells the findings in a document, unless something newer of it has come by then. Those
   * of a change are told in its own turn: somebody who types waits for nothing that was asked since.
   */
  async #tell(uri, number) {
    await pause();
    const stale = () => number !== this.#arrived.get(uri);
    if (stale() || this.#phase !== "serving" || !this.documents.has(uri)) return;
    const found = await this.documents.findings(uri);
    if (!stale()) this.#publish({ uri, version: this.documents.version(uri) }, found);
    if (!this.#missed && (await this.#wanting())) this.#load().then((larger) => this.#then(() => this.#move(larger)));
  }
}
