// One running module and its binary interface, which ../README.md documents. Requests and responses are the bytes of
// JSON objects.
import { imports } from "./wasi.js";

/** ABI is the version of the interface that this package supports. */
export const ABI = 1;

/** TooLarge is the error of a request that does not fit into the module's memory. The instance stays usable. */
export class TooLarge extends Error {}

/** instantiate starts a module. It rejects a module with another version of the interface. */
export async function instantiate(module) {
  let stderr = "", exports;
  const decoder = new TextDecoder();
  const write = (_fd, bytes) => {
    stderr = (stderr + decoder.decode(bytes, { stream: true })).slice(-2000);
    return true;
  };
  ({ exports } = await WebAssembly.instantiate(module, imports(module, () => exports.memory, { write })));
  for (const name of ["_initialize", "abi_version", "alloc", "free", "call"]) {
    if (typeof exports[name] !== "function") throw new Error(`the module exports no \`${name}\``);
  }
  exports._initialize();
  const version = exports.abi_version();
  if (version !== ABI) throw new Error(`the module has version ${version} of the interface; version ${ABI} is needed`);

  /** answer returns the response to a request. After any error but TooLarge the instance is unusable. */
  return function answer(request) {
    try {
      return exchange(exports, request);
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      throw new Error(`the module stopped: ${error.message}${stderr && "\n" + stderr}`);
    }
  };
}

function exchange({ memory, alloc, free, call }, request) {
  const requestAt = alloc(request.length) >>> 0;
  if (requestAt === 0) throw new TooLarge(`a request of ${request.length >> 20} MiB is too large`);
  new Uint8Array(memory.buffer, requestAt, request.length).set(request);
  const packed = BigInt.asUintN(64, call(requestAt, request.length));
  const responseAt = Number(packed >> 32n), length = Number(packed & 0xffffffffn);
  if (responseAt === 0) throw new Error("it returned no response");
  const response = new Uint8Array(memory.buffer, responseAt, length).slice();
  free(requestAt);
  free(responseAt);
  return response;
}
