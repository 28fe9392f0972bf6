// One interface for workers of browsers and of Node.
const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/**
 * start starts a worker. `make` creates it with the constructor of this environment, `receive` gets its messages, and
 * `fail` its unexpected end. In Node a worker that is not `busy` does not keep the process alive.
 */
export async function start(make, receive, fail) {
  if (!isNode) {
    const worker = make(Worker);
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => fail(event.message ?? "it did not start");
    return { post: (...message) => worker.postMessage(...message), end: () => worker.terminate(), busy() {} };
  }
  const { Worker: Thread } = await import("node:worker_threads");
  const thread = make(Thread);
  thread.unref();
  thread.on("message", receive).on("error", (fault) => fail(fault.message));
  return {
    post: (...message) => thread.postMessage(...message),
    end: () => thread.terminate(),
    busy: (yes) => (yes ? thread.ref() : thread.unref()),
  };
}

/** serve runs in the worker. `receive` gets each message and a function that posts back. */
export async function serve(receive) {
  if (!isNode) {
    globalThis.onmessage = ({ data }) => receive(data, (...message) => globalThis.postMessage(...message));
    return;
  }
  const { parentPort } = await import("node:worker_threads");
  parentPort.on("message", (data) => receive(data, (...message) => parentPort.postMessage(...message)));
}

/** pause resolves after all messages that have arrived. It uses no timer, because browsers delay repeated timers. */
export const pause = globalThis.setImmediate ? () => new Promise((resolve) => setImmediate(resolve)) : createPause();

function createPause() {
  const { port1, port2 } = new MessageChannel();
  const resolvers = [];
  port1.onmessage = () => resolvers.shift()();
  return () => new Promise((resolve) => {
    resolvers.push(resolve);
    port2.postMessage(null);
  });
}

/** end terminates the current worker. */
export function end() {
  if (isNode) process.exit();
  globalThis.close();
}
