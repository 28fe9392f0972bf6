import type { Methods } from "./api.js";

export * from "./api.js";

/** Source is rubric.wasm: compiled, as bytes, or as the response of a fetch. */
export type Source = WebAssembly.Module | BufferSource | Response;

type Args<P> = {} extends P ? [params?: P] : [params: P];

/** Engine answers the evaluator's methods: `await engine.check({ text })`. */
export type Engine = {
  [M in keyof Methods]: (...params: Args<Methods[M]["params"]>) => Promise<Methods[M]["result"]>;
} & {
  /** call answers a method by its name. */
  call<M extends keyof Methods>(method: M, ...params: Args<Methods[M]["params"]>): Promise<Methods[M]["result"]>;
  /** text is what `call` gives as JSON, for those who pass it on. */
  text<M extends keyof Methods>(method: M, ...params: Args<Methods[M]["params"]>): Promise<string>;
  /** answer gives the response to a request, both the bytes of a JSON object. */
  answer(request: Uint8Array): Promise<Uint8Array>;
  /** close ends the worker of a spawned evaluator, and the calls that wait for it. */
  close(): Promise<void>;
};

/**
 * open makes an evaluator in this thread, of this package's module unless another
 * is given. A call that crashes it fails with code `internal`; the next one works.
 */
export function open(source?: Source | Promise<Source>): Promise<Engine>;

/**
 * spawn makes an evaluator in a worker of its own, which is how a page should run
 * it. A call that takes longer than `timeout` milliseconds (default: any time)
 * fails with code `timeout`; the next one has a new worker.
 */
export function spawn(source?: Source | Promise<Source>, options?: { timeout?: number }): Promise<Engine>;

/** EvaluatorError is what an evaluator answers when it has no result. */
export class EvaluatorError extends Error {
  /** One of the evaluator's, as bad-params or not-open; or timeout, or closed. */
  readonly code: string;
  constructor(code: string, message: string);
}

/** ABI is the version of the module's interface that this package was written for. */
export const ABI: number;
