// The evaluator in a worker, which keeps a page responsive.
import { Caller, EvaluatorError, compile } from "./engine.js";
import { start } from "./thread.js";

/** WorkerEngine is an evaluator in a worker. */
class WorkerEngine extends Caller {
  #module;
  #timeout;
  #worker; // a promise; undefined before the first call and after a stop
  #pending = new Map();
  #lastNumber = 0;
  #closed = false;

  constructor(module, timeout) {
    super();
    this.#module = module;
    this.#timeout = timeout;
  }

  async answer(request) {
    if (this.#closed) throw new EvaluatorError("closed", "the evaluator is closed");
    const started = (this.#worker ??= this.#start());
    const thread = await started;
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber;
      const onTimeout = () => this.#stop(started, "timeout", `no answer within ${this.#timeout} ms`);
      this.#pending.set(number, { resolve, reject, timer: this.#timeout && setTimeout(onTimeout, this.#timeout) });
      thread.busy(true);
      thread.post({ number, request });
    });
  }

  #start() {
    const started = start(
      (Thread) => new Thread(new URL("./worker.js", import.meta.url), { type: "module" }),
      ({ number, response, error }) => this.#settle(number, response, error && new EvaluatorError("internal", error)),
      (message) => this.#stop(started, "internal", `the worker stopped: ${message}`),
    );
    started.then((thread) => thread.post({ module: this.#module }));
    return started;
  }

  async #settle(number, response, error) {
    const call = this.#pending.get(number);
    if (!call) return;
    clearTimeout(call.timer);
    this.#pending.delete(number);
    if (this.#pending.size === 0) (await this.#worker)?.busy(false);
    if (error) call.reject(error);
    else call.resolve(response);
  }

  /** #stop terminates a worker and rejects its pending calls. The next call starts another worker. */
  async #stop(started, code, message) {
    if (started !== this.#worker) return;
    this.#worker = undefined;
    for (const number of [...this.#pending.keys()]) this.#settle(number, undefined, new EvaluatorError(code, message));
    (await started).end();
  }

  async close() {
    this.#closed = true;
    if (this.#worker) await this.#stop(this.#worker, "closed", "the evaluator is closed");
  }
}

/**
 * spawn creates an evaluator in a worker. A call that takes longer than `timeout` milliseconds terminates the worker,
 * and the next call starts another one.
 */
export async function spawn(source, { timeout = 0 } = {}) {
  return new WorkerEngine(await compile(await source), timeout);
}
