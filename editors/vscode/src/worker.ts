// The server without a process, in a browser's worker or a thread of Node's: the
// evaluator's own language server, and beside it what that leaves to a host,
// running cases.
import { open } from '../../../wasm/npm/engine.js'
import type { Engine } from '../../../wasm/npm/index.js'
import { serve, type Message, type Session } from '../../../wasm/npm/lsp.js'
import { commands, Host } from './host.ts'

/** Begin is the first message: the evaluator's module. */
interface Begin {
  module: Uint8Array<ArrayBuffer>
}

/** Caller calls the evaluator's methods by their names. */
type Caller = { call<R>(method: string, params: object): Promise<R> }

let session: Session
let host: Host

function receive(data: Message | Begin, send: (message: Message) => void, end: () => void) {
  if (!('module' in data)) {
    if (!host.take(data)) session.receive(data)
    return
  }
  const engine = open(data.module) as Promise<unknown>
  session = serve(engine as Promise<Engine>, { send: (message) => send(host.offered(message)), commands, exit: end })
  host = new Host({ call: async (method, params) => ((await engine) as Caller).call(method, params), send })
}

if (typeof process === 'object' && process.versions?.node && typeof require === 'function') {
  const { parentPort } = require('node:worker_threads') as typeof import('node:worker_threads')
  parentPort!.on('message', (data) => receive(data, (message) => parentPort!.postMessage(message), () => process.exit()))
} else {
  globalThis.onmessage = ({ data }) => receive(data, (message) => globalThis.postMessage(message), () => globalThis.close())
}
