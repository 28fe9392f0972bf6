// The language server as a worker, in browsers and in Node, for users of this package. The playground has a worker of its
// own. It exchanges JSON-RPC messages by postMessage. An
// optional first message, `{ module, commands }`, provides another rubric.wasm and the lens commands that the client
// implements.
import { open } from "./index.js";
import { serve as serveClient } from "./lsp.js";
import { end, serve } from "./thread.js";

let session;

await serve((message, send) => {
  const setup = message?.jsonrpc === undefined ? message : undefined;
  session ??= serveClient(setup?.module ? open(setup.module) : open(), { send, commands: setup?.commands ?? [], exit: end });
  if (!setup) session.receive(message);
});
