// The evaluator in this thread. `Caller` has one function for each method of the API, and spawn.js uses it too.
import { TooLarge, instantiate } from "./instance.js";
import { methods } from "./methods.js";

/** EvaluatorError is the error of a call that has no result. `code` is stable. */
export class EvaluatorError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "EvaluatorError";
    this.code = code;
  }
}

/** Caller has the API's methods. A subclass implements `answer`, from request to response. */
export class Caller {
  #id = 0;

  async call(method, params = {}) {
    const { result, error } = JSON.parse(await this.#exchange(++this.#id, method, params));
    if (error) throw new EvaluatorError(error.code, error.message);
    return result;
  }

  async text(method, params = {}) {
    const id = ++this.#id, response = await this.#exchange(id, method, params);
    const head = `{"id":${id},"result":`;
    if (response.startsWith(head)) return response.slice(head.length, -1);
    const { error } = JSON.parse(response);
    throw new EvaluatorError(error.code, error.message);
  }

  async #exchange(id, method, params) {
    return new TextDecoder().decode(await this.answer(new TextEncoder().encode(JSON.stringify({ id, method, params }))));
  }
}
for (const method of methods) {
  Caller.prototype[method] = function (params) {
    return this.call(method, params);
  };
}

/** LocalEngine runs in this thread. After a crash the next call gets a new instance. */
class LocalEngine extends Caller {
  #module;
  #instance;

  constructor(module, instance) {
    super();
    this.#module = module;
    this.#instance = Promise.resolve(instance);
  }

  async answer(request) {
    const answer = await this.#instance;
    try {
      return answer(request);
    } catch (error) {
      if (!(error instanceof TooLarge)) this.#instance = instantiate(this.#module);
      throw new EvaluatorError("internal", error.message);
    }
  }

  async close() {}
}

/** open creates an evaluator from a module, its bytes, or a response that contains them. */
export async function open(source) {
  const module = await compile(await source);
  return new LocalEngine(module, await instantiate(module));
}

/** compile compiles every kind of source that `open` accepts. */
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (!(typeof Response !== "undefined" && source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new Error(`the module could not be fetched: ${source.status} ${source.statusText}`);
  if (source.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}
