import type { Methods } from "./api.js";

export * from "./api.js";

/** Source is rubric.wasm: a compiled module, bytes, or the response of a fetch. */
export type Source = WebAssembly.Module | BufferSource | Response;

type Args<P> = {} extends P ? [params?: P] : [params: P];

/** Engine has the evaluator's methods: `await engine.check({ text })`. */
export type Engine = {
  [M in keyof Methods]: (...params: Args<Methods[M]["params"]>) => Promise<Methods[M]["result"]>;
} & {
  /** call calls a method by name. */
  call<M extends keyof Methods>(method: M, ...params: Args<Methods[M]["params"]>): Promise<Methods[M]["result"]>;
  /** text returns the result of `call` as JSON text, for callers that pass it on. */
  text<M extends keyof Methods>(method: M, ...params: Args<Methods[M]["params"]>): Promise<string>;
  /** answer returns the response to a request. Both are the bytes of a JSON object. */
  answer(request: Uint8Array): Promise<Uint8Array>;
  /** close stops the worker of a spawned evaluator. Pending calls fail. */
  close(): Promise<void>;
};

/**
 * open creates an evaluator in this thread. Without a source it uses the module of this package. A call that crashes
 * the module fails with code `internal`, and the next call works again.
 */
export function open(source?: Source | Promise<Source>): Promise<Engine>;

/**
 * spawn creates an evaluator in a worker; use it in pages. A call that takes longer than `timeout` milliseconds fails
 * with code `timeout`, and the next call gets a new worker. The default is no timeout.
 */
export function spawn(source?: Source | Promise<Source>, options?: { timeout?: number }): Promise<Engine>;

/** EvaluatorError is the error of a call that has no result. */
export class EvaluatorError extends Error {
  /** one of the evaluator's codes, such as bad-params and not-open, or timeout, or closed */
  readonly code: string;
  constructor(code: string, message: string);
}

/** ABI is the version of the module's interface that this package supports. */
export const ABI: number;
