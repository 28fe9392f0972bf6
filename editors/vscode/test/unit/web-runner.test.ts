import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { open } from '../../../../wasm/npm/engine.js'
import type { Message } from '../../../../wasm/npm/lsp.js'
import { WebRunner } from '../../src/web-runner.ts'
import type { Draft, Plan, Progress, Report, TestItem } from '../../src/protocol.ts'

const uri = 'tmp:/refund.eval.yaml'
const text = readFileSync(new URL('../workbench/files/refund.eval.yaml', import.meta.url), 'utf8')
const module = await WebAssembly.compile(readFileSync(new URL('../../../../wasm/npm/dist/rubric.wasm', import.meta.url)))

/** Caller calls the evaluator's methods by name. */
type Caller = { call(method: string, params: object): Promise<any> }

/** editor is a client of a runner over the real evaluator. `ask` is its model. */
async function editor(ask: (question: { user: string }) => unknown, judge = 'editor', { settings = {}, project }: { settings?: object; project?: string } = {}) {
  const engine = await open(module)
  await engine.call('open', { document: uri, path: uri, version: 1, text })
  const answers = new Map<unknown, (message: Message) => void>()
  const progress: Progress[] = []
  const drafts: Draft[] = []
  const shown: string[] = []
  const refreshed: string[] = []
  let resolveEnd = () => {}
  const host: WebRunner = new WebRunner({
    call: (method, params) => engine.call(method, params),
    received: async () => {},
    send(message) {
      const { id, method, params } = message
      if (method === 'rubric/results') {
        progress.push(params as Progress)
        if ((params as Progress).state !== 'running') resolveEnd()
      } else if (method === 'workspace/configuration') {
        queueMicrotask(() => host.handle({ jsonrpc: '2.0', id, result: [{ judge, ...settings }] }))
      } else if (method === 'rubric/read') {
        const text = (params as { beside: string }).beside === '.rubric.yaml' ? project : '{"criteria": {"response_match_score": 0.8}}'
        queueMicrotask(() => host.handle({ jsonrpc: '2.0', id, result: { text } }))
      } else if (method === 'rubric/ask') {
        const text = ask(params as { user: string })
        if (text !== undefined) queueMicrotask(() => host.handle({ jsonrpc: '2.0', id, result: { text, model: 'm', usage: { input: 1, output: 1 } } }))
      } else if (method === 'rubric/preview') {
        drafts.push(params as Draft)
      } else if (method === 'window/showMessage') {
        shown.push((params as { message: string }).message)
      } else if (method?.endsWith('/refresh')) {
        refreshed.push(method)
      } else if (method === undefined) {
        answers.get(id)?.(message)
      }
    },
  })
  host.handle({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri } } })
  let last = 0
  const request = async (method: string, params: unknown) => {
    const id = ++last
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve))
    assert.ok(host.handle({ jsonrpc: '2.0', id, method, params }))
    const { result, error } = await answer
    if (error) throw new Error(error.message)
    return result
  }
  const execute = (command: string, argument: object) => request('workspace/executeCommand', { command, arguments: [argument] })
  const end = new Promise<void>((resolve) => (resolveEnd = resolve))
  return { engine: engine as unknown as Caller, host, request, execute, progress, drafts, shown, refreshed, end }
}

const reply = (days: boolean, label: boolean) => JSON.stringify({
  checks: [{ id: 'days', satisfied: days, reasoning: 'it does' }, { id: 'label', satisfied: label, reasoning: 'no label' }], overall_reasoning: '',
})

test('the editor’s model judges the expected output of a case, and the evaluator scores it', async () => {
  const e = await editor(({ user }) => (assert.match(user, /The refund window is 30 days\./), assert.doesNotMatch(user, /candidate_answer/), reply(true, false)))
  await e.execute('rubric.runCase', { uri, case: 'window' })
  await e.end
  const states = e.progress.flatMap((p) => p.results.map((r) => `${r.id.slice(uri.length + 1)} ${r.state}`))
  assert.deepEqual(states, ['window started', 'window/rubric/days pass', 'window/rubric/label fail', 'window fail'])
  assert.deepEqual([e.progress.at(-1)!.state, e.progress.at(-1)!.done, e.progress.at(-2)!.results.at(-1)!.score], ['done', 1, 0.5])
})

test('a criterion that got 0 of 10 fails, and one without a grade is ungraded', async () => {
  const e = await editor(() => '{"checks":[{"id":"order","score":0,"reasoning":"no"},{"id":"tone","score":7,"reasoning":"so so"},{"id":"link","score":"n/a","reasoning":""}],"overall_reasoning":""}')
  const ranges = ['order', 'tone', 'link'].map((id) => `      - { id: ${id}, score_ranges: { 0: Bad, 5: Good } }\n`).join('')
  const scored = `evalcases:\n  - id: steps\n    expected_outcome: Gives steps\n    input: How?\n    expected_output: So.\n    rubrics:\n${ranges}`
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: scored }] })
  await e.execute('rubric.runFile', { uri })
  await e.end
  const states = e.progress.flatMap((p) => p.results.map((r) => `${r.id.slice(uri.length + 1)} ${r.state} ${r.score ?? '-'}`))
  assert.deepEqual(states.slice(1, 4), ['steps/rubric/order fail 0', 'steps/rubric/tone borderline 7', 'steps/rubric/link ungraded -'])
})

test('an invalid reply is requested again, and then there is no verdict', async () => {
  let calls = 0
  const e = await editor(() => (calls++, 'I like it.'))
  await e.execute('rubric.runCase', { uri, case: 'window' })
  await e.end
  assert.equal(e.progress.at(-2)!.results.at(-1)!.state, 'ungraded')
  assert.equal(calls, 3)
})

test('each judgement takes the requested number of samples', async () => {
  let calls = 0
  const e = await editor(() => (calls++, reply(true, true)))
  await e.execute('rubric.runCase', { uri, case: 'window', samples: 3 })
  await e.end
  assert.equal(calls, 3)
})

test('the offline judge’s grades appear in lenses, hints and the report', async () => {
  const e = await editor(() => assert.fail('a model was asked'), 'offline')
  await assert.rejects(e.request('rubric/report', { textDocument: { uri } }), /no case of `refund.eval.yaml` has been run/)
  await e.execute('rubric.runFile', { uri })
  await e.end
  assert.deepEqual(e.progress.flatMap((p) => p.results.filter((r) => !r.id.includes('/rubric/') && r.state !== 'started').map((r) => `${r.id.slice(uri.length + 1)} ${r.state}`)), ['window fail', 'greeting pass'])
  const titles = (await e.engine.call('lens', { document: uri })).map((l: { command: { title: string } }) => l.command.title)
  assert.deepEqual(titles.filter((t: string) => /pass|fail/.test(t)), ['1 of 2 passed', 'fail, score 0.5', 'pass, score 1'])
  const hints = (await e.engine.call('inlay', { document: uri })).map((h: { label: string }) => h.label)
  assert.deepEqual(hints.filter((h: string) => /satisfied/.test(h)), ['satisfied', 'not satisfied', 'satisfied'])
  const { html, cases, stale, spent } = await e.request('rubric/report', { textDocument: { uri } }) as Report
  assert.match(html, /<h1>1 of 2 passed<\/h1>/)
  assert.deepEqual([cases, stale, spent], [2, 0, { input: 0, output: 0 }])
})

test('the results of a file are dropped when it is closed', async () => {
  const e = await editor(() => '', 'offline')
  await e.execute('rubric.runFile', { uri })
  await e.end
  e.host.handle({ jsonrpc: '2.0', method: 'textDocument/didClose', params: { textDocument: { uri } } })
  e.host.handle({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri } } })
  await assert.rejects(e.request('rubric/report', { textDocument: { uri } }), /no case of `refund.eval.yaml` has been run/)
})

test('graders that are programs are ungraded', async () => {
  const e = await editor(() => '', 'offline')
  const program = `${text}    evaluators:\n      - { name: length, type: code_judge, script: [./length.sh] }\n`
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: program }] })
  await e.execute('rubric.runCase', { uri, case: 'greeting' })
  await e.end
  const { state, message } = e.progress.at(-2)!.results.at(-1)!
  assert.equal(state, 'ungraded')
  assert.match(message!, /`length`: /)
})

test('a case of an ADK evalset is measured with the configuration in its folder', async () => {
  const e = await editor(() => assert.fail('a model was asked'), 'offline')
  const evalset = 'tmp:/shop.evalset.json'
  const turn = { user_content: { parts: [{ text: 'When?' }] }, final_response: { parts: [{ text: 'Within 30 days' }] } }
  await e.engine.call('open', { document: evalset, path: evalset, version: 1, text: JSON.stringify({ eval_set_id: 'shop', eval_cases: [{ eval_id: 'window', conversation: [turn] }] }) })
  await e.execute('rubric.runFile', { uri: evalset })
  await e.end
  assert.deepEqual(e.progress.flatMap((p) => p.results.map((r) => `${r.id.slice(evalset.length + 1)} ${r.state}`)), ['window started', 'window/response_match_score ungraded', 'window ungraded'])
  const root = await e.request('rubric/testItems', { textDocument: { uri: evalset } }) as TestItem
  assert.deepEqual(root.children.map((c) => c.label), ['window'])
})

test('a run can be cancelled while the model answers', async () => {
  const e = await editor(() => undefined)
  const { job } = await e.execute('rubric.runFile', { uri }) as { job: string }
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(await e.execute('rubric.cancelRun', { job }), { jobs: [job] })
  await e.end
  assert.equal(e.progress.at(-1)!.state, 'cancelled')
  assert.deepEqual(await e.execute('rubric.cancelRun', {}), { jobs: [] })
})

test('a run can be cancelled while the evaluator works, and the model is not asked again', async () => {
  const e = await editor(() => assert.fail('a model was asked'))
  const call = e.engine.call.bind(e.engine)
  e.engine.call = async (method, params) => {
    const result = await call(method, params)
    if (method === 'run') await e.execute('rubric.cancelRun', {})
    return result
  }
  await e.execute('rubric.runFile', { uri })
  await e.end
  assert.deepEqual(e.progress.at(-1)!.results.map((r) => r.state), ['cancelled', 'cancelled'])
})

test('a draft is shown, and not inserted', async () => {
  const e = await editor(() => '')
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: 'evalcases:\n  - id: a\n    expected_outcome: Mentions "30 days" and "a label"\n    input: Hi\n' }] })
  e.host.handle({ jsonrpc: '2.0', method: 'textDocument/didChange', params: { textDocument: { uri, version: 2 } } })
  await e.execute('rubric.generateRubrics', { uri, case: 'a' })
  const [draft] = e.drafts
  assert.deepEqual([e.drafts.length, draft!.uri, draft!.case, draft!.version], [1, uri, 'a', 2])
  assert.match(draft!.edits[0]!.newText, /rubrics:\n/)
})

test('another judge is rejected', async () => {
  const e = await editor(() => '', 'openai:gpt')
  await assert.rejects(e.execute('rubric.runFile', { uri }), /`openai:gpt` is not available in the browser; choose `offline`, or `editor`/)
})

const named = `execution: { target: prod }\n${text}`

test('a target that the file names is not replaced', async () => {
  const e = await editor(() => '', '')
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: named }] })
  const expected = /refund.eval.yaml names the target `prod`: no target is available in the browser; choose another with rubric.target, such as `self`/
  await assert.rejects(e.execute('rubric.runFile', { uri }), expected)
  const plan = await e.execute('rubric.dryRun', { uri }) as Plan
  assert.deepEqual([plan.target, plan.judge], ['prod', 'offline'])
  assert.match(plan.errors[0]!, expected)
  const root = await e.request('rubric/testItems', { textDocument: { uri } }) as TestItem
  assert.deepEqual(root.run, { target: 'prod', judge: 'offline', label: 'prod · offline judge' })
})

test('changed settings refresh lenses and hints, which name the judge', async () => {
  const e = await editor(() => '')
  assert.equal(e.host.handle({ jsonrpc: '2.0', method: 'workspace/didChangeConfiguration', params: { settings: null } }), false)
  assert.deepEqual(e.refreshed, ['workspace/codeLens/refresh', 'workspace/inlayHint/refresh'])
})

test('a target in the settings counts before the file', async () => {
  const e = await editor(() => '', '', { settings: { target: 'self', samples: null } })
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: named }] })
  await e.execute('rubric.runFile', { uri })
  await e.end
  assert.equal(e.progress.at(-1)!.state, 'done')
})

test('the project says who judges, how often and from which score a case passes', async () => {
  let asked = 0
  const e = await editor(() => (asked++, reply(true, false)), '', { project: 'judge: editor\nsamples: 2\nthreshold: 0.5\n' })
  const optional = text.replace(/^( *)(- id: (?:days|label))$/gm, '$1$2\n$1  required: false')
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: optional }] })
  const plan = await e.execute('rubric.dryRun', { uri, case: 'window' }) as Plan
  assert.deepEqual([plan.judge, plan.questions, asked], ['editor', 2, 0])
  assert.deepEqual(e.shown, ['1 case would be answered by self (expected output) and judged by editor: 2 questions, 0 programs'])
  await e.execute('rubric.runCase', { uri, case: 'window' })
  await e.end
  assert.equal(asked, 2)
  assert.deepEqual(e.progress.at(-2)!.results.map((r) => [r.state, r.score]).at(-1), ['pass', 0.5])
})

test('an untrusted workspace says what the file names, and runs nothing', async () => {
  const e = await editor(() => assert.fail('a model was asked'), '')
  e.host.handle({ jsonrpc: '2.0', method: 'initialize', params: { initializationOptions: { trusted: false } } })
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: named }] })
  for (const command of ['rubric.runFile', 'rubric.rejudge']) {
    await assert.rejects(e.execute(command, { uri }), /nothing is run: this workspace is not trusted, and refund.eval.yaml names the target `prod`; trust the workspace in your editor first/)
  }
  assert.deepEqual(e.progress, [])
})

test('a case with an error is ungraded, and the others run', async () => {
  const e = await editor(() => '', 'offline')
  await e.engine.call('edit', { document: uri, version: 2, changes: [{ text: text.replace('expected_outcome: Mentions 30 days', 'outcom: Mentions 30 days') }] })
  await e.execute('rubric.runFile', { uri })
  await e.end
  const [skipped] = e.progress[0]!.results
  assert.deepEqual([skipped!.id, skipped!.state], [`${uri}#window`, 'ungraded'])
  assert.match(skipped!.message!, /^not run: /)
  assert.equal(e.progress.at(-1)!.done, 1)
})

test('cases and criteria have ranges', async () => {
  const e = await editor(() => '')
  const root = await e.request('rubric/testItems', { textDocument: { uri } }) as TestItem
  assert.deepEqual(root.children.map((c) => [c.label, c.range!.start.line, c.children.map((k) => k.range!.start.line)]), [['window', 1, [6, 8]], ['greeting', 10, [15]]])
  assert.equal(await e.request('rubric/testItems', { textDocument: { uri: 'tmp:/other.yaml' } }), null)
})

test('its commands are in the capabilities', async () => {
  const e = await editor(() => '')
  const { result } = e.host.withCommands({ jsonrpc: '2.0', id: 1, result: { capabilities: { hoverProvider: true } } }) as { result: { capabilities: { executeCommandProvider: { commands: string[] } } } }
  assert.ok(result.capabilities.executeCommandProvider.commands.includes('rubric.runCase'))
  assert.equal(e.host.handle({ jsonrpc: '2.0', id: 2, method: 'textDocument/hover', params: {} }), false)
})
