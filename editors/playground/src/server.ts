// The worker: a language server over the evaluator.
import wasm from "@rubric-ls/wasm/rubric.wasm?url";
import { open } from "@rubric-ls/wasm";
import { serve, type Message } from "@rubric-ls/wasm/lsp";

const session = serve(open(fetch(wasm)), { send: (message) => postMessage(message), log: (fault) => console.error(fault) });
onmessage = ({ data }: MessageEvent<Message>) => session.receive(data);
