// The page's side of the evaluator's worker. The page starts it first, because its module takes longest to load.

/** evaluatorWorker runs language-server.ts. */
export const evaluatorWorker = new Worker(new URL("./language-server.ts", import.meta.url), { type: "module" });
