// A worker, the browser's or Node's, under one roof.
const inNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/**
 * start starts a module of this package in a thread, which `make` makes of the kind
 * of worker that there is. `receive` gets its messages, `fail` its end if nobody asked
 * for it. In Node a thread that is not `busy` does not keep the program alive.
 */
export async function start(make, receive, fail) {
  if (!inNode) {
    const worker = make(Worker);
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => fail(event.message ?? "it could not be started");
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

/** serve is the other side: `receive` gets the messages, and what it is given posts back. */
export async function serve(receive) {
  if (!inNode) {
    globalThis.onmessage = ({ data }) => receive(data, (...message) => globalThis.postMessage(...message));
    return;
  }
  const { parentPort } = await import("node:worker_threads");
  parentPort.on("message", (data) => receive(data, (...message) => parentPort.postMessage(...message)));
}

/** pause lets what has come be taken first: a timer would make those who pause often wait. */
export const pause = globalThis.setImmediate ? () => new Promise((go) => setImmediate(go)) : posted();

function posted() {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () => new Promise((go) => {
    waiting.push(go);
    port2.postMessage(null);
  });
}

/** end ends the thread that calls it. */
export function end() {
  if (inNode) process.exit();
  globalThis.close();
}
