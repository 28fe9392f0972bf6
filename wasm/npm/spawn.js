// The evaluator in a worker, so that a page stays quick while it thinks.
import { Caller, EvaluatorError, compile } from "./engine.js";
import { start } from "./thread.js";

/** Remote is an evaluator in a worker. */
class Remote extends Caller {
  #module;
  #timeout;
  #thread; // a promise; undefined until the first call, and after an end
  #waiting = new Map();
  #number = 0;
  #closed = false;

  constructor(module, timeout) {
    super();
    this.#module = module;
    this.#timeout = timeout;
  }

  async answer(request) {
    if (this.#closed) throw new EvaluatorError("closed", "the evaluator is closed");
    const begun = (this.#thread ??= this.#begin());
    const thread = await begun;
    return new Promise((resolve, reject) => {
      const number = ++this.#number;
      const late = () => this.#end(begun, "timeout", `no answer within ${this.#timeout} ms`);
      this.#waiting.set(number, { resolve, reject, timer: this.#timeout && setTimeout(late, this.#timeout) });
      thread.busy(true);
      thread.post({ number, request });
    });
  }

  #begin() {
    const begun = start(
      (Thread) => new Thread(new URL("./worker.js", import.meta.url), { type: "module" }),
      ({ number, response, fault }) => this.#settle(number, response, fault && new EvaluatorError("internal", fault)),
      (message) => this.#end(begun, "internal", `the worker stopped: ${message}`),
    );
    begun.then((thread) => thread.post({ module: this.#module }));
    return begun;
  }

  async #settle(number, response, fault) {
    const call = this.#waiting.get(number);
    if (!call) return;
    clearTimeout(call.timer);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) (await this.#thread)?.busy(false);
    if (fault) call.reject(fault);
    else call.resolve(response);
  }

  /** #end ends a worker and the calls that wait for it; the next call starts another. */
  async #end(begun, code, message) {
    if (begun !== this.#thread) return;
    this.#thread = undefined;
    for (const number of [...this.#waiting.keys()]) this.#settle(number, undefined, new EvaluatorError(code, message));
    (await begun).end();
  }

  async close() {
    this.#closed = true;
    if (this.#thread) await this.#end(this.#thread, "closed", "the evaluator is closed");
  }
}

/**
 * spawn makes an evaluator in a worker of its own. A call that takes longer than
 * `timeout` milliseconds ends the worker, and the next starts another.
 */
export async function spawn(source, { timeout = 0 } = {}) {
  return new Remote(await compile(await source), timeout);
}
