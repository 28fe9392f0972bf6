// A language server over an evaluator. It exchanges JSON-RPC messages as objects. It handles order, documents,
// cancellation and pending requests; the evaluator produces the results.
import { EvaluatorError } from "./engine.js";
import { Documents } from "./lsp-documents.js";
import { Settings } from "./lsp-settings.js";
import { pause } from "./thread.js";

/** Error codes of JSON-RPC and LSP. */
const INVALID_REQUEST = -32600, METHOD_NOT_FOUND = -32601, INVALID_PARAMS = -32602, INTERNAL_ERROR = -32603;
const SERVER_NOT_INITIALIZED = -32002, REQUEST_CANCELLED = -32800, CONTENT_MODIFIED = -32801, REQUEST_FAILED = -32803;
const errorCodes = { "bad-params": INVALID_PARAMS, "not-open": CONTENT_MODIFIED, changed: CONTENT_MODIFIED, refused: REQUEST_FAILED, "unknown-case": REQUEST_FAILED, "unknown-method": METHOD_NOT_FOUND };

/** RequestError is an error response. */
class RequestError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Deferred is a result that waits for a promise. Other messages are handled meanwhile. */
class Deferred {
  constructor(promise, respond) {
    this.promise = promise;
    this.respond = respond;
  }
}

/** documentChanges are the notifications that make earlier diagnostics stale. */
const documentChanges = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"];

/** serve starts a session; see lsp.d.ts. */
export function serve(engine, options) {
  const session = new Session(engine, options);
  return { receive: (message) => session.receive(message), received: () => session.received(), settled: () => session.settled() };
}

class Session {
  #engine;
  #options;
  #phase = "waiting"; // then "serving", then "stopping"
  #queue = Promise.resolve(); // resolves when the next message can be handled
  #cancelledIds = new Set();
  #pendingIds = new Set(); // ids of requests without a response
  #responseHandlers = new Map(); // by the id of the server's own request
  #requestCount = 0;
  #settings;
  #clientName;
  #changeCounts = new Map(); // the number of received changes, by URI
  #wholeEngine; // a promise once it is needed; null after the switch
  #loadFailed = false; // loading failed and no document was opened since
  #lastLoadError; // the message of that failure

  constructor(engine, options) {
    this.#engine = Promise.resolve(engine);
    this.#engine.catch(() => {}); // the response to `initialize` reports it
    this.#options = { commands: [], exit() {}, log() {}, ...options };
  }

  /** received resolves when the messages received so far are handled. */
  async received() {
    await this.#queue;
  }

  /** settled resolves when all received messages are answered. */
  async settled() {
    for (let turn; turn !== this.#queue; await turn) turn = this.#queue;
  }

  receive(message) {
    if (Array.isArray(message) && message.length > 0) return message.forEach((m) => this.receive(m));
    const { id, method, params } = message ?? {};
    const isValid = message?.jsonrpc === "2.0" && (id === undefined || typeof id === "string" || typeof id === "number");
    if (!isValid || (method !== undefined && typeof method !== "string") || (method === undefined && id === undefined)) {
      return this.#respondError(isValid ? (id ?? null) : null, new RequestError(INVALID_REQUEST, "the message is neither a request nor a notification nor a response"));
    }
    if (method === undefined) return this.#handleResponse(id, message.result);
    if (method === "$/cancelRequest") {
      if (this.#pendingIds.has(params?.id)) this.#cancelledIds.add(params.id);
      return;
    }
    if (id !== undefined) {
      this.#pendingIds.add(id);
      return this.#enqueue(() => this.#respond(id, () => this.#dispatch(method, params)));
    }
    const uri = params?.textDocument?.uri, count = (this.#changeCounts.get(uri) ?? 0) + (documentChanges.includes(method) ? 1 : 0);
    if (count > 0) this.#changeCounts.set(uri, count);
    this.#enqueue(() => this.#handleNotification(method, params, count));
  }

  #enqueue(task) {
    this.#queue = this.#queue.then(task).catch((error) => this.#options.log(String(error?.stack ?? error)));
  }

  async #respond(id, handle) {
    try {
      await pause(); // lets a cancel request overtake the request that it cancels
      if (this.#cancelledIds.has(id)) throw new RequestError(REQUEST_CANCELLED, "cancelled");
      const result = await handle();
      if (this.#cancelledIds.has(id)) throw new RequestError(REQUEST_CANCELLED, "cancelled");
      if (result instanceof Deferred) return void result.promise.then((value) => this.#enqueue(() => this.#respond(id, () => result.respond(value))));
      this.#options.send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      this.#respondError(id, error);
    }
    this.#pendingIds.delete(id);
    this.#cancelledIds.delete(id);
  }

  async #dispatch(method, params) {
    const isInitialize = method === "initialize";
    if (this.#phase === "waiting" && !isInitialize) throw new RequestError(SERVER_NOT_INITIALIZED, "the session has not been initialized");
    if (this.#phase === "serving" && isInitialize) throw new RequestError(INVALID_REQUEST, "the session has been initialized already");
    if (this.#phase === "stopping") throw new RequestError(INVALID_REQUEST, "the session has been shut down");
    if (isInitialize) return this.#initialize(params);
    if (method === "shutdown") {
      this.#phase = "stopping";
      return null;
    }
    if (method === "rubric/call") return this.call(params.method, params.params ?? {});
    return this.#answer(method, params);
  }

  /** answer asks the evaluator, which routes all requests about documents. */
  async #answer(method, params) {
    const { result, messages = [] } = await this.documents.answer({ method, params, client: this.#clientName, commands: this.#options.commands });
    for (const message of messages) this.notify("window/showMessage", { type: 3, message });
    return result;
  }

  async #initialize(params) {
    const engine = await this.#engine.catch((error) => {
      throw new Error(error.message, { cause: error }); // a TypeError would be one of the parameters
    });
    this.documents = new Documents(engine, this.#options);
    this.#clientName = params?.clientInfo?.name;
    const result = await this.#answer("initialize", params);
    this.#settings = new Settings(this, params?.capabilities);
    this.#phase = "serving";
    this.#engine = undefined; // the documents hold the engine from now on
    return result;
  }

  notify(method, params) {
    this.#options.send({ jsonrpc: "2.0", method, params });
  }

  /** sendDiagnostics sends the diagnostics of a document, given as JSON text. */
  #sendDiagnostics(document, diagnostics) {
    const { publish } = this.#options;
    if (publish) return publish(`${JSON.stringify(document).slice(0, -1)},"diagnostics":${diagnostics}}`);
    this.notify("textDocument/publishDiagnostics", { ...document, diagnostics: JSON.parse(diagnostics) });
  }

  /** request sends a request to the client. `handle` gets the result in message order, undefined after an error. */
  request(method, params, handle) {
    const id = `rubric-${++this.#requestCount}`;
    this.#responseHandlers.set(id, handle);
    this.#options.send({ jsonrpc: "2.0", id, method, params });
  }

  #handleResponse(id, result) {
    const handle = this.#responseHandlers.get(id);
    this.#responseHandlers.delete(id);
    if (handle) this.#enqueue(() => handle(result));
  }

  /** applyRules changes the severities of rules. */
  async applyRules(rules) {
    const { affected, problems } = await this.documents.applyRules(rules);
    for (const problem of problems) this.notify("window/showMessage", { type: 2, message: `rubric.rules: ${problem}` });
    this.#republish(affected);
  }

  /** call calls a method of the evaluator. One that rubric-small.wasm lacks waits for the whole evaluator. */
  async call(method, params) {
    try {
      return await this.documents.call(method, params);
    } catch (error) {
      if (error.code !== "not-included" || !this.#options.whole) throw error;
    }
    return new Deferred(this.#loadWhole().catch((error) => error), async (loaded) => {
      if (loaded instanceof Error) throw new RequestError(REQUEST_FAILED, `the part of the evaluator for this could not be loaded: ${loaded.message}; try again when there is a network`);
      await this.#switchToWhole(loaded);
      return this.documents.call(method, params);
    });
  }

  /** loadWhole loads the whole evaluator. After a failure the next call tries again. */
  #loadWhole() {
    return (this.#wholeEngine ??= this.#options.whole().catch((error) => {
      this.#wholeEngine = undefined;
      throw error;
    }));
  }

  /** switchToWhole makes the whole evaluator answer from now on. */
  async #switchToWhole(engine) {
    if (this.#wholeEngine === null) return;
    this.#wholeEngine = null;
    this.#republish(await this.documents.switchEngine(engine));
    this.#options.switched?.();
  }

  /** satisfyFiles loads the whole evaluator if open files need it. If that fails, it shows a message once; a newly opened document tries again. */
  async #satisfyFiles() {
    if (!this.#options.whole || this.#wholeEngine === null || this.#loadFailed) return;
    const wanted = await this.documents.wholeWanted();
    if (!wanted) return;
    this.#loadWhole().then((engine) => this.#enqueue(() => this.#switchToWhole(engine)), ({ message }) => {
      this.#loadFailed = true;
      if (message === this.#lastLoadError) return;
      this.#lastLoadError = message;
      this.notify("window/showMessage", { type: 2, message: `rubric: ${wanted} are ignored: the part of the evaluator for them could not be loaded: ${message}` });
    });
  }

  #respondError(id, error) {
    let code = error instanceof RequestError ? error.code : INTERNAL_ERROR;
    if (error instanceof EvaluatorError) code = errorCodes[error.code] ?? INTERNAL_ERROR;
    if (error instanceof TypeError) code = INVALID_PARAMS; // the parameters lack a property
    const message = code === INVALID_PARAMS && error instanceof TypeError ? "the parameters are invalid for this method" : error.message;
    this.#options.send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  /** handleNotification handles a notification. It has no response, so errors are only logged. */
  async #handleNotification(method, params, count) {
    if (method === "exit") return this.#options.exit(this.#phase === "stopping" ? 0 : 1);
    if (this.#phase !== "serving") return;
    const { uri } = params?.textDocument ?? {};
    switch (method) {
      case "initialized":
        return this.#settings.start();
      case "workspace/didChangeConfiguration":
        return this.#settings.update(params);
      case "textDocument/didOpen":
        this.#loadFailed = false;
        this.#republish(await this.documents.open(params.textDocument));
        return void this.#enqueue(() => this.#publishFindings(uri, count)); // after the documents that the client opens together
      case "textDocument/didChange":
        try {
          this.#republish(await this.documents.change(params.textDocument, params.contentChanges));
        } finally {
          await this.#publishFindings(uri, count); // an invalid change leaves the document as it was
        }
        return;
      case "textDocument/didClose":
        this.#republish(await this.documents.close(uri));
        if (count === this.#changeCounts.get(uri)) this.#changeCounts.delete(uri);
        return this.notify("textDocument/publishDiagnostics", { uri, diagnostics: [] });
    }
  }

  /** republish queues new diagnostics for documents. */
  #republish(uris = []) {
    for (const uri of uris) {
      const count = this.#changeCounts.get(uri);
      this.#enqueue(() => this.#publishFindings(uri, count));
    }
  }

  /**
   * publishFindings sends the diagnostics of a document, unless a newer change has arrived. After a change they are
   * sent before later requests are answered, so that typing does not wait.
   */
  async #publishFindings(uri, count) {
    await pause();
    const isStale = () => count !== this.#changeCounts.get(uri);
    if (isStale() || this.#phase !== "serving" || !this.documents.has(uri)) return;
    const diagnostics = await this.documents.findings(uri);
    if (!isStale()) this.#sendDiagnostics({ uri, version: this.documents.version(uri) }, diagnostics);
    await this.#satisfyFiles();
  }
}
