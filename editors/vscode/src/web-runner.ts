// Runs cases where no process may start. The offline judge or the editor's own model judges the file's expected
// output, and the evaluator scores it. lsp/README.md documents the messages.
import type { CaseHead, JudgeAnswer, CaseRecord, DraftResult, Question, ReportResult, RunPlan } from '../../../wasm/npm/api.js'
import { run as runCases } from '../../../wasm/npm/run.js'
import type { Message } from '../../../wasm/npm/lsp.js'
import type { Draft, ItemResult, Progress, Reply, Report, Started, Target, TestItem } from './protocol.ts'
import { planSummary } from './plan-lines.ts'
import { itemID, itemsOf } from './records.ts'

/** Call calls a method of the evaluator. */
type Call = <R>(method: string, params: object) => Promise<R>

/** Ports connect the runner to the evaluator and the client. */
export interface Ports {
  call: Call
  send(message: Message): void
  /** received waits until the evaluator has the edits that were received so far */
  received(): Promise<void>
}

/** commands are the commands that the runner implements. */
export const commands = ['rubric.runCase', 'rubric.runFile', 'rubric.rejudge', 'rubric.dryRun', 'rubric.cancelRun', 'rubric.generateRubrics']

/** Job is a running job. */
interface Job {
  name: string
  uri: string
  plan: RunPlan
  config?: string // the configuration next to an ADK evalset
  cancel: AbortController
}

export class WebRunner {
  private readonly responseHandlers = new Map<string, (answer: Message) => void>()
  private readonly jobs = new Map<string, Job>()
  private readonly versions = new Map<string, number>() // of open files, by URI
  private readonly labels = new Map<string, string>() // of target and judge, by URI
  private readonly records = new Map<string, Map<string, CaseRecord>>() // by URI and case id, of open files
  private last = 0
  private trusted = true

  private readonly handlers: Record<string, ((params: unknown) => Promise<unknown>) | undefined> = {
    'rubric/testItems': (params) => this.items(params),
    'rubric/report': (params) => this.report(uriOf(params)),
    'workspace/executeCommand': (params) => this.execute(params as ExecuteParams),
  }

  constructor(private readonly ports: Ports) {}

  /** withCommands adds the runner's commands to the server's capabilities. */
  withCommands(message: Message): Message {
    const result = message.result as { capabilities?: object } | null | undefined
    if (!result?.capabilities) return message
    return { ...message, result: { ...result, capabilities: { ...result.capabilities, executeCommandProvider: { commands } } } }
  }

  /** handle handles a client's message that is for the runner, and reports whether it was. */
  handle(message: Message): boolean {
    const { id, method, params } = message
    if (method === 'initialize') this.trusted = (params as { initializationOptions?: { trusted?: boolean } }).initializationOptions?.trusted !== false
    if (method === 'textDocument/didOpen' || method === 'textDocument/didChange') this.versions.set(uriOf(params), (params as { textDocument: { version: number } }).textDocument.version)
    if (method === 'textDocument/didOpen') this.records.set(uriOf(params), new Map())
    if (method === 'workspace/didChangeConfiguration') this.refresh() // the lenses name the target and the judge
    if (method === 'textDocument/didClose') this.records.delete(uriOf(params)) // the evaluator forgets them too
    if (method === undefined && typeof id === 'string' && this.responseHandlers.has(id)) {
      this.responseHandlers.get(id)!(message)
      this.responseHandlers.delete(id)
      return true
    }
    const answer = id !== undefined && this.handlers[method ?? '']
    if (!answer) return false
    this.ports.received().then(() => answer(params)).then(
      (result) => this.ports.send({ jsonrpc: '2.0', id, result }),
      (error) => this.ports.send({ jsonrpc: '2.0', id, error: { code: -32803, message: errorMessage(error) } }),
    )
    return true
  }

  private async execute({ command, arguments: [argument = {}] = [] }: ExecuteParams): Promise<unknown> {
    const target = argument as Target & { job?: string }
    switch (command) {
      case 'rubric.runCase':
      case 'rubric.runFile':
      case 'rubric.rejudge':
        return this.run(target)
      case 'rubric.dryRun':
        return this.preview(target)
      case 'rubric.cancelRun':
        return { jobs: this.cancel(target.job) }
      case 'rubric.generateRubrics':
        return this.generate(target)
      default:
        throw new Error(`there is no command \`${command}\``)
    }
  }

  /** items returns the tree of a file's cases, and whom a run would ask. */
  private async items(params: unknown): Promise<TestItem | null> {
    const { result: root } = await this.ports.call<{ result: TestItem | null }>('lsp', { method: 'rubric/testItems', params })
    if (!root) return null
    const planned = await this.plan({ uri: root.target.uri }).catch(() => undefined) // a run reports the error
    if (!planned) return root
    const { target, judge, label } = planned.plan
    if (this.labels.get(root.target.uri) !== label) this.refresh() // the lenses name them
    this.labels.set(root.target.uri, label)
    return { ...root, run: { target, judge, label } }
  }

  /** plan plans a run by the user's settings, the file and the project's settings. */
  private async plan({ uri, case: id, samples }: Target & { samples?: number }): Promise<Pick<Job, 'plan' | 'config'>> {
    const read = async (beside: string, above = false) => (await this.requestClient<{ text?: string }>('rubric/read', { uri, beside, above })).text
    const [[configured], project, config] = await Promise.all([
      this.requestClient<(object | null)[]>('workspace/configuration', { items: [{ section: 'rubric' }] }),
      read('.rubric.yaml', true),
      uri.endsWith('.evalset.json') ? read('test_config.json') : undefined,
    ])
    const settings = { ...configured, ...(samples && { samples }) }
    return { plan: await this.ports.call<RunPlan>('plan', { document: uri, case: id, settings, project, config, untrusted: !this.trusted }), config }
  }

  /** preview plans a run, and says what it would do. */
  private async preview(target: Target) {
    const { plan } = await this.plan(target)
    this.show(3, plan.refused || planSummary(plan))
    return plan
  }

  /** show shows a message of a type of the protocol. */
  private show(type: 1 | 3, message: string) {
    this.ports.send({ jsonrpc: '2.0', method: 'window/showMessage', params: { type, message } })
  }

  private async run(target: Target & { samples?: number }): Promise<Started> {
    const planned = await this.plan(target)
    if (planned.plan.refused) throw new Error(planned.plan.refused)
    const job: Job = { name: `rubric-job-${++this.last}`, uri: target.uri, ...planned, cancel: new AbortController() }
    this.jobs.set(job.name, job)
    void this.runJob(job, planned.plan.cases.map((c) => c.case))
    return { job: job.name }
  }

  private async runJob(job: Job, cases: string[]) {
    let done = 0
    const notify = (state: Progress['state'], results: ItemResult[] = [], message?: string) =>
      this.ports.send({ jsonrpc: '2.0', method: 'rubric/results', params: { job: job.name, uri: job.uri, state, message, done, total: cases.length, results } satisfies Progress })
    try {
      const { uri, config, plan: { settings, skipped = [] }, cancel: { signal } } = job
      if (skipped.length > 0) notify('running', skipped.map((c) => ({ id: itemID(uri, c.case), state: 'ungraded', message: `not run: ${c.reason}` })))
      const host = {
        answer: (question: Question) => this.answer(question, signal), signal, workers: 1, // an editor's model answers one question at a time
        runProgram: async () => ({ stdout: '', stderr: '', code: -1, error: 'programs run only in the desktop extension' }),
      }
      for await (const { stage, case: id, result } of runCases(this.ports, cases.map((id) => ({ document: uri, case: id, config, ...settings })), host)) {
        if (signal.aborted) break
        if (stage === 'started') notify('running', [{ id: itemID(uri, id), state: 'started' }])
        if (stage !== 'done') continue
        this.records.get(uri)?.set(id, result.record)
        done++
        notify('running', itemsOf(uri, result.items, result.record.candidate_answer))
        this.refresh()
      }
      if (signal.aborted) notify('cancelled', cases.slice(done).map((id) => ({ id: itemID(uri, id), state: 'cancelled' })))
      else notify('done')
    } catch (error) {
      notify('failed', [], errorMessage(error))
      this.show(1, errorMessage(error))
    } finally {
      this.jobs.delete(job.name)
    }
  }

  /** answer asks the editor's model. */
  private async answer({ key: _, ...question }: Question, signal: AbortSignal): Promise<JudgeAnswer> {
    try {
      return await this.requestClient<Reply>('rubric/ask', question, signal)
    } catch (error) {
      return { text: '', error: errorMessage(error) }
    }
  }

  /** report returns the report of a file's last results, in the order of the text. */
  private async report(uri: string): Promise<Report> {
    const fileRecords = this.records.get(uri)
    const name = uri.split('/').pop()!
    const cases = await this.ports.call<CaseHead[]>('cases', { document: uri })
    const records = cases.flatMap(({ id }) => fileRecords?.get(id) ?? [])
    if (records.length === 0) throw new Error(`no case of \`${name}\` has been run`)
    const { html, stale, totals: { judges_spent: { input_tokens: input, output_tokens: output } } } = await this.ports.call<ReportResult>('report', { document: uri, name, records })
    return { html, cases: records.length, stale, spent: { input, output } }
  }

  private cancel(name?: string) {
    const cancelledJobs = [...this.jobs.values()].filter((job) => (!name || job.name === name) && !job.cancel.signal.aborted)
    for (const job of cancelledJobs) job.cancel.abort()
    return cancelledJobs.map((job) => job.name)
  }

  /** generate drafts criteria that follow from the file's own text. */
  private async generate({ uri, case: id }: Target): Promise<Started> {
    const { edits, problems } = await this.ports.call<DraftResult>('draft', { document: uri, case: id })
    if (edits.length === 0) throw new Error(problems[0] ?? 'nothing was found to draft criteria from')
    const draft: Draft = { uri, case: id!, version: this.versions.get(uri)!, origin: 'derived from what the file expects; no model was asked', edits }
    this.ports.send({ jsonrpc: '2.0', method: 'rubric/preview', params: draft })
    return { job: `rubric-job-${++this.last}` }
  }

  /** refresh makes the client refresh lenses and hints. */
  private refresh() {
    for (const feature of ['codeLens', 'inlayHint']) void this.requestClient(`workspace/${feature}/refresh`, undefined).catch(() => {})
  }

  /** requestClient sends a request to the client. It does not wait for the response after the signal. */
  private requestClient<R>(method: string, params: unknown, signal?: AbortSignal): Promise<R> {
    const id = `host-${++this.last}`
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        if (!this.responseHandlers.delete(id)) return
        this.ports.send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } })
        reject(new Error('cancelled'))
      }, { once: true })
      this.responseHandlers.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as R)))
      this.ports.send({ jsonrpc: '2.0', id, method, params })
    })
  }
}

interface ExecuteParams {
  command: string
  arguments?: object[]
}

function uriOf(params: unknown) {
  return (params as { textDocument: { uri: string } }).textDocument.uri
}

function errorMessage(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}
