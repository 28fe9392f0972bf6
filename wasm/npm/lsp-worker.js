// The language server as a worker, a browser's module worker or Node's: JSON-RPC
// messages by postMessage. A message before them, `{ module, commands }`, may
// bring another rubric.wasm, and the commands of lenses that the client carries out.
import { open } from "./index.js";
import { serve as server } from "./lsp.js";
import { end, serve } from "./thread.js";

let session;

await serve((message, send) => {
  const settings = message?.jsonrpc === undefined ? message : undefined;
  session ??= server(settings?.module ? open(settings.module) : open(), { send, commands: settings?.commands ?? [], exit: end });
  if (!settings) session.receive(message);
});
