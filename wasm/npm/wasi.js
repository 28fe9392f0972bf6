// The part of WASI that a Go module without files needs: a deterministic clock, deterministic random numbers, three
// streams and an exit. Every other function returns ENOSYS, so that the guest learns nothing about the machine.

const SUCCESS = 0, EBADF = 8, EIO = 29, ENOSYS = 52;

/** ExitError is thrown when the guest calls exit. */
export class ExitError extends Error {
  constructor(code) {
    super(`exited with code ${code}`);
    this.code = code;
  }
}

/** imports returns the functions that a module imports. `memory` returns the guest's memory, which exists only after instantiation. */
export function imports(module, memory, { args = [], stdin = new Uint8Array(), write = () => true } = {}) {
  const view = () => new DataView(memory().buffer);
  const bytes = (at, length) => new Uint8Array(memory().buffer, at, length);
  const encoded = args.map((arg) => new TextEncoder().encode(arg + "\0"));
  let elapsed = 0n, seed = 1, consumed = 0;

  const ioVectors = (at, count) => Array.from({ length: count }, (_, i) => {
    const v = view();
    return bytes(v.getUint32(at + 8 * i, true), v.getUint32(at + 8 * i + 4, true));
  });
  const functions = {
    args_sizes_get(count, size) {
      view().setUint32(count, encoded.length, true);
      view().setUint32(size, encoded.reduce((n, arg) => n + arg.length, 0), true);
      return SUCCESS;
    },
    args_get(list, at) {
      encoded.forEach((arg, i) => {
        view().setUint32(list + 4 * i, at, true);
        bytes(at, arg.length).set(arg);
        at += arg.length;
      });
      return SUCCESS;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    clock_time_get(id, _precision, at) { // starts at 1 January 2026 and advances a microsecond with each call
      elapsed += 1000n;
      view().setBigUint64(at, (id === 0 ? 1767225600000000000n : 0n) + elapsed, true);
      return SUCCESS;
    },
    random_get(at, length) {
      const target = bytes(at, length);
      for (let i = 0; i < length; i++) {
        seed = Math.imul(seed, 1664525) + 1013904223 | 0;
        target[i] = seed >>> 24;
      }
      return SUCCESS;
    },
    fd_write(fd, at, count, writtenAt) {
      if (fd !== 1 && fd !== 2) return EBADF;
      let total = 0;
      for (const chunk of ioVectors(at, count)) {
        if (!write(fd, chunk.slice())) return EIO;
        total += chunk.length;
      }
      view().setUint32(writtenAt, total, true);
      return SUCCESS;
    },
    fd_read(fd, at, count, readAt) {
      if (fd !== 0) return EBADF;
      let total = 0;
      for (const chunk of ioVectors(at, count)) {
        const next = stdin.subarray(consumed, consumed + chunk.length);
        chunk.set(next);
        consumed += next.length;
        total += next.length;
      }
      view().setUint32(readAt, total, true);
      return SUCCESS;
    },
    fd_fdstat_get(fd, at) { // a character device with read and write access
      if (fd > 2) return EBADF;
      bytes(at, 24).fill(0);
      view().setUint8(at, 2);
      view().setBigUint64(at + 8, 0x42n, true);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_prestat_get: () => EBADF,
    fd_prestat_dir_name: () => EBADF,
    fd_close: () => EBADF,
    path_open: () => EBADF,
    sched_yield: () => SUCCESS,
    poll_oneoff(from, to, count, eventCountAt) { // sleeping takes no time
      for (let i = 0; i < count; i++) {
        const subscription = from + 48 * i, event = to + 32 * i, v = view();
        bytes(event, 32).fill(0);
        v.setBigUint64(event, v.getBigUint64(subscription, true), true);
        const kind = v.getUint8(subscription + 8);
        v.setUint8(event + 10, kind);
        if (kind === 0) elapsed += v.getBigUint64(subscription + 24, true);
      }
      view().setUint32(eventCountAt, count, true);
      return SUCCESS;
    },
    proc_exit(code) {
      throw new ExitError(code);
    },
  };
  const provided = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (from !== "wasi_snapshot_preview1" || kind !== "function") {
      throw new Error(`is not a WASI module: it imports \`${name}\` from \`${from}\``);
    }
    provided[name] = functions[name] ?? (() => ENOSYS);
  }
  return { wasi_snapshot_preview1: provided };
}
