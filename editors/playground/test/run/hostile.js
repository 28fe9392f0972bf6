// Graders that mean no good, as small as they can be.
import { assemble, forever, growMemory, unreachable } from "../../../../wasm/npm/test/module.js";

export const infiniteLoop = Buffer.from(assemble({ _start: { code: forever } }));
export const memoryBomb = Buffer.from(assemble({ _start: { code: [...growMemory, ...unreachable] } }));

const text = (s) => [s.length, ...new TextEncoder().encode(s)];
const section = (id, body) => [id, body.length, ...body];

/** outputBomb prints 60,000 bytes again and again. */
export const outputBomb = Buffer.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, [2, 0x60, 0, 0, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f]),
  ...section(2, [1, ...text("wasi_snapshot_preview1"), ...text("fd_write"), 0, 1]),
  ...section(3, [1, 0]),
  ...section(5, [1, 0, 1]),
  ...section(7, [2, ...text("memory"), 2, 0, ...text("_start"), 0, 1]),
  ...section(10, [1, 34, 0,
    0x41, 0, 0x41, 16, 0x36, 2, 0, // where: 16
    0x41, 4, 0x41, 0xe0, 0xd4, 3, 0x36, 2, 0, // how much: 60,000
    0x03, 0x40, 0x41, 1, 0x41, 0, 0x41, 1, 0x41, 8, 0x10, 0, 0x1a, 0x0c, 0, 0x0b,
    0x0b]),
]);
