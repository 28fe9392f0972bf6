// The evaluator's thread, which is started before anything else: its module takes
// the longest to be ready.

/** thread runs server.ts. */
export const thread = new Worker(new URL("./server.ts", import.meta.url), { type: "module" });
