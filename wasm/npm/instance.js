// One running module and its binary interface, which README.md in the folder
// above documents. Requests and responses are bytes of JSON.
import { imports } from "./wasi.js";

/** ABI is the version of the interface that this package was written for. */
export const ABI = 1;

/** TooLarge is of a request that the module has no room for; it goes on. */
export class TooLarge extends Error {}

/** instantiate starts a module, and refuses one of another interface. */
export async function instantiate(module) {
  let said = "", exports;
  const text = new TextDecoder();
  const write = (_fd, bytes) => {
    said = (said + text.decode(bytes, { stream: true })).slice(-2000);
    return true;
  };
  ({ exports } = await WebAssembly.instantiate(module, imports(module, () => exports.memory, { write })));
  for (const name of ["_initialize", "abi_version", "alloc", "free", "call"]) {
    if (typeof exports[name] !== "function") throw new Error(`the module exports no \`${name}\``);
  }
  exports._initialize();
  const version = exports.abi_version();
  if (version !== ABI) throw new Error(`the module speaks version ${version} of the interface, not ${ABI}`);

  /** answer gives the response to a request. What it throws, but TooLarge, is the instance's end. */
  return function answer(request) {
    try {
      return exchange(exports, request);
    } catch (fault) {
      if (fault instanceof TooLarge) throw fault;
      throw new Error(`the module stopped: ${fault.message}${said && "\n" + said}`);
    }
  };
}

function exchange({ memory, alloc, free, call }, request) {
  const p = alloc(request.length) >>> 0;
  if (p === 0) throw new TooLarge(`a request of ${request.length >> 20} MiB is too large`);
  new Uint8Array(memory.buffer, p, request.length).set(request);
  const packed = BigInt.asUintN(64, call(p, request.length));
  const at = Number(packed >> 32n), length = Number(packed & 0xffffffffn);
  if (at === 0) throw new Error("it gave no response");
  const response = new Uint8Array(memory.buffer, at, length).slice();
  free(p);
  free(at);
  return response;
}
