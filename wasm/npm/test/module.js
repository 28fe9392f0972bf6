// Assembles small WebAssembly modules that no compiler produces.
const vector = (bytes) => [...number(bytes.length), ...bytes];
const text = (s) => vector([...new TextEncoder().encode(s)]);
const section = (id, items) => [id, ...vector([...number(items.length), ...items.flat()])];

function number(n) {
  const bytes = [];
  for (; n > 127; n >>>= 7) bytes.push((n & 127) | 128);
  return [...bytes, n];
}

export const I32 = 0x7f, I64 = 0x7e;
export const unreachable = [0x00];
export const forever = [0x03, 0x40, 0x0c, 0x00, 0x0b];
/** growMemory is code that allocates memory until none is left. */
export const growMemory = [0x03, 0x40, 0x41, 0x01, 0x40, 0x00, 0x41, 0x7f, 0x47, 0x0d, 0x00, 0x0b];

/** assemble returns a module with exported functions and one page of memory. */
export function assemble(functions, imported = []) {
  const names = Object.keys(functions).filter((name) => functions[name]);
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [[0x60, 0, 0], ...names.map((n) => [0x60, ...vector(functions[n].takes ?? []), ...vector(functions[n].gives ?? [])])]),
    ...section(2, imported.map(([from, name]) => [...text(from), ...text(name), 0, 0])),
    ...section(3, names.map((_, i) => number(i + 1))),
    ...section(5, [[0, 1]]),
    ...section(7, [[...text("memory"), 2, 0], ...names.map((n, i) => [...text(n), 0, ...number(imported.length + i)])]),
    ...section(10, names.map((n) => vector([0, ...(functions[n].code ?? []), 0x0b]))),
  ]);
}

/** fakeModule returns a module with the evaluator's interface whose functions do nothing, except those in `changed`. */
export const fakeModule = (changed = {}) => assemble({
  _initialize: {},
  abi_version: { gives: [I32], code: [0x41, 1] },
  alloc: { takes: [I32], gives: [I32], code: [0x41, 8] },
  free: { takes: [I32] },
  call: { takes: [I32, I32], gives: [I64], code: [0x42, 0] },
  ...changed,
});
