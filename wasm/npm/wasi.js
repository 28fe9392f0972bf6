// What a Go module that opens no file asks of WASI: a clock and random numbers
// that are the same in every run, three streams, and an end. Everything else is
// answered with "not here", so that a guest sees nothing of the machine.

const SUCCESS = 0, EBADF = 8, EIO = 29, ENOSYS = 52;

/** Exit ends a guest that asked for its end. */
export class Exit extends Error {
  constructor(code) {
    super(`exited with code ${code}`);
    this.code = code;
  }
}

/**
 * imports are the functions a module asks for. `memory` gives the guest's memory,
 * which is there only once it is instantiated.
 */
export function imports(module, memory, { args = [], stdin = new Uint8Array(), write = () => true } = {}) {
  const view = () => new DataView(memory().buffer);
  const bytes = (at, length) => new Uint8Array(memory().buffer, at, length);
  const encoded = args.map((arg) => new TextEncoder().encode(arg + "\0"));
  let passed = 0n, seed = 1, read = 0;

  const vectors = (at, count) => Array.from({ length: count }, (_, i) => {
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
    clock_time_get(id, _precision, at) { // 1 January 2026 and on, a microsecond a look
      passed += 1000n;
      view().setBigUint64(at, (id === 0 ? 1767225600000000000n : 0n) + passed, true);
      return SUCCESS;
    },
    random_get(at, length) {
      const slot = bytes(at, length);
      for (let i = 0; i < length; i++) {
        seed = Math.imul(seed, 1664525) + 1013904223 | 0;
        slot[i] = seed >>> 24;
      }
      return SUCCESS;
    },
    fd_write(fd, at, count, put) {
      if (fd !== 1 && fd !== 2) return EBADF;
      let total = 0;
      for (const part of vectors(at, count)) {
        if (!write(fd, part.slice())) return EIO;
        total += part.length;
      }
      view().setUint32(put, total, true);
      return SUCCESS;
    },
    fd_read(fd, at, count, got) {
      if (fd !== 0) return EBADF;
      let total = 0;
      for (const part of vectors(at, count)) {
        const next = stdin.subarray(read, read + part.length);
        part.set(next);
        read += next.length;
        total += next.length;
      }
      view().setUint32(got, total, true);
      return SUCCESS;
    },
    fd_fdstat_get(fd, at) { // a character device that may be read and written
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
    poll_oneoff(from, to, count, happened) { // a sleep takes no time
      for (let i = 0; i < count; i++) {
        const subscription = from + 48 * i, event = to + 32 * i, v = view();
        bytes(event, 32).fill(0);
        v.setBigUint64(event, v.getBigUint64(subscription, true), true);
        const kind = v.getUint8(subscription + 8);
        v.setUint8(event + 10, kind);
        if (kind === 0) passed += v.getBigUint64(subscription + 24, true);
      }
      view().setUint32(happened, count, true);
      return SUCCESS;
    },
    proc_exit(code) {
      throw new Exit(code);
    },
  };
  const provided = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (from !== "wasi_snapshot_preview1" || kind !== "function") {
      throw new Error(`is no WASI module: it wants \`${name}\` of \`${from}\``);
    }
    provided[name] = functions[name] ?? (() => ENOSYS);
  }
  return { wasi_snapshot_preview1: provided };
}
