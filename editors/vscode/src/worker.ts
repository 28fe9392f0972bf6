// The server without a process, in a browser's worker or a thread of Node. It combines the evaluator's language
// server with the runner of cases.
import { open } from '../../../wasm/npm/engine.js'
import type { Engine } from '../../../wasm/npm/index.js'
import { serve, type Message, type Session } from '../../../wasm/npm/lsp.js'
import { commands, WebRunner } from './web-runner.ts'

/** StartMessage is the first message. It has the evaluator's module. */
interface StartMessage {
  module: Uint8Array<ArrayBuffer>
}

/** EvaluatorCall calls a method of the evaluator by name. */
type EvaluatorCall = { call<R>(method: string, params: object): Promise<R> }

let session: Session
let runner: WebRunner

function receive(data: Message | StartMessage, send: (message: Message) => void, end: () => void) {
  if (!('module' in data)) {
    if (!runner.handle(data)) session.receive(data)
    return
  }
  const engine = open(data.module) as Promise<unknown>
  session = serve(engine as Promise<Engine>, { send: (message) => send(runner.withCommands(message)), commands: [...commands, 'rubric.target.choose', 'rubric.results', 'rubric.case'], exit: end })
  runner = new WebRunner({ call: async (method, params) => ((await engine) as EvaluatorCall).call(method, params), send, received: () => session.received() })
}

if (typeof process === 'object' && process.versions?.node && typeof require === 'function') {
  const { parentPort } = require('node:worker_threads') as typeof import('node:worker_threads')
  parentPort!.on('message', (data) => receive(data, (message) => parentPort!.postMessage(message), () => process.exit()))
} else {
  globalThis.onmessage = ({ data }) => receive(data, (message) => globalThis.postMessage(message), () => globalThis.close())
}
