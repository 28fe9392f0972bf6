import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Progress } from '../../src/protocol.ts'

const uri = 'tmp:/refund.eval.yaml'
const text = readFileSync(new URL('../workbench/files/refund.eval.yaml', import.meta.url), 'utf8')
const module = readFileSync(new URL('../../../../wasm/npm/dist/rubric.wasm', import.meta.url))

interface Message {
  id?: number | string
  method?: string
  params?: unknown
  error?: { message: string }
}

test('a run grades the text that was sent before it', async () => {
  const worker = globalThis as unknown as { postMessage(message: Message): void; onmessage(event: { data: object }): void }
  const send = (message: object) => worker.onmessage({ data: { jsonrpc: '2.0', ...message } })
  let initialized = () => {}
  let ended = (_: Progress) => {}
  let refused = (_: unknown) => {}
  worker.postMessage = ({ id, method, params, error }) => {
    if (id === 1) initialized()
    else if (error) refused(new Error(error.message))
    else if (method === 'rubric/results' && (params as Progress).results.length > 0) ended(params as Progress)
    else if (method !== undefined && id !== undefined) queueMicrotask(() => send({ id, result: method === 'workspace/configuration' ? [{ judge: 'offline' }] : {} }))
  }
  await import('../../src/worker.ts')
  worker.onmessage({ data: { module } })
  const isInitialized = new Promise<void>((resolve) => (initialized = resolve))
  send({ id: 1, method: 'initialize', params: { capabilities: {} } })
  await isInitialized
  const results = new Promise<Progress>((resolve, reject) => {
    ended = (progress) => progress.done > 0 && resolve(progress)
    refused = reject
  })
  send({ method: 'initialized', params: {} })
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'rubric-eval', version: 1, text } } })
  send({ method: 'textDocument/didChange', params: { textDocument: { uri, version: 2 }, contentChanges: [{ text: text.replace('id: window', 'id: renamed') }] } })
  send({ id: 2, method: 'workspace/executeCommand', params: { command: 'rubric.runCase', arguments: [{ uri, case: 'renamed' }] } })
  assert.equal((await results).results.at(-1)!.id, `${uri}#renamed`)
})
