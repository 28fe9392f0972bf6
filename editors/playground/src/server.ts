// The worker: a language server over the evaluator. Messages come and go as texts:
// the client wants them so, and a text is moved between threads the fastest.
import wasm from "@rubric-ls/wasm/rubric.wasm?url";
import { open } from "@rubric-ls/wasm";
import { serve } from "@rubric-ls/wasm/lsp";

const session = serve(open(fetch(wasm)), { together: true, commands: ["rubric.runCase", "rubric.runFile"], send: (message) => postMessage(JSON.stringify(message)), log: (fault) => console.error(fault) });
onmessage = ({ data }: MessageEvent<string>) => session.receive(JSON.parse(data));
