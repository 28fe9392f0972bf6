// The evaluator's worker: a language server. It posts messages as text, because the client expects text and text
// moves fastest between threads.
import wasm from "@rubric-ls/wasm/rubric.wasm?url";
import larger from "@rubric-ls/wasm/rubric-schemas.wasm?url";
import { open } from "@rubric-ls/wasm";
import { serve } from "@rubric-ls/wasm/lsp";
import { method, casePositions } from "./case-positions";

/** positionRequests are the ids of pending requests for case positions. */
const positionRequests = new Set<unknown>();

function send(message: { id?: unknown; result?: unknown }): void {
  const outgoing = positionRequests.delete(message.id) && "result" in message ? { ...message, result: casePositions(message.result as Parameters<typeof casePositions>[0]) } : message;
  postMessage(JSON.stringify(outgoing));
}

/** publish posts diagnostics as the JSON text that the evaluator wrote. A long file has a thousand. */
const publish = (params: string): void => postMessage(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":${params}}`);

const session = serve(open(fetch(wasm)), {
  together: true, larger: () => open(fetch(larger)), commands: ["rubric.runCase", "rubric.runFile"], send, publish, log: (error) => console.error(error),
});
onmessage = ({ data }: MessageEvent) => {
  const message = typeof data === "string" ? JSON.parse(data) : data;
  if (message.method === method) {
    positionRequests.add(message.id);
    Object.assign(message, { method: "rubric/call", params: { method: "cases", params: message.params } });
  }
  session.receive(message);
};
