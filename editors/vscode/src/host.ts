// Runs cases where there is no process, as lsp/README.md has it: the offline judge or
// the editor's own model judges what the file itself expects, and the evaluator says
// what that is worth.
import type { JudgeAnswer, CaseRecord, DraftResult, ProgramOutput, ReportResult, RunResult } from '../../../wasm/npm/api.js'
import type { Message } from '../../../wasm/npm/lsp.js'
import type { ItemResult, Plan, Progress, Reply, Report, Started, Target } from './protocol.ts'
import { type Call, Outline } from './outline.ts'
import { itemID, itemsOf } from './records.ts'

/** Ports are the evaluator, and the way to the client. */
export interface Ports {
  call: Call
  send(message: Message): void
}

/** commands are those that a host carries out. */
export const commands = ['rubric.runCase', 'rubric.runFile', 'rubric.rejudge', 'rubric.dryRun', 'rubric.cancelRun', 'rubric.generateRubrics']

/** Cancelled is why a job that somebody stopped has ended. */
class Cancelled extends Error {}

/** Job is a run that is under way. */
interface Job {
  name: string
  uri: string
  judge: string
  samples: number
  config?: string // beside an evalset of ADK's
  cancelled: boolean
  stop: () => void // what it waits for
}

/** Settings are those of ours that a run goes by. */
interface Settings {
  judge: string
  samples: number
}

const usual: Settings = { judge: 'offline', samples: 1 }

export class Host {
  private readonly owed = new Map<string, (answer: Message) => void>()
  private readonly jobs = new Map<string, Job>()
  private readonly records = new Map<string, Map<string, CaseRecord>>() // of open files' cases, by their ids
  private last = 0
  private trusted = true

  private readonly answers: Record<string, ((params: unknown) => Promise<unknown>) | undefined> = {
    'rubric/testItems': (params) => this.outline.items(uriOf(params)),
    'rubric/report': (params) => this.report(uriOf(params)),
    'workspace/executeCommand': (params) => this.execute(params as Executed),
  }

  private readonly outline: Outline

  constructor(private readonly ports: Ports) {
    this.outline = new Outline(ports.call)
  }

  /** offered is a message of the server's, with what is done here offered too. */
  offered(message: Message): Message {
    const result = message.result as { capabilities?: object } | null | undefined
    if (!result?.capabilities) return message
    return { ...message, result: { ...result, capabilities: { ...result.capabilities, executeCommandProvider: { commands } } } }
  }

  /** take takes a message of the client's that is for this host, and says whether it was. */
  take(message: Message): boolean {
    const { id, method, params } = message
    if (method === 'initialize') this.trusted = (params as { initializationOptions?: { trusted?: boolean } }).initializationOptions?.trusted !== false
    if (method === 'textDocument/didOpen') this.records.set(uriOf(params), new Map())
    if (method === 'textDocument/didClose') this.records.delete(uriOf(params)) // and so does the evaluator
    if (method === undefined && typeof id === 'string' && this.owed.has(id)) {
      this.owed.get(id)!(message)
      this.owed.delete(id)
      return true
    }
    const answer = id !== undefined && this.answers[method ?? '']
    if (!answer) return false
    answer(params).then(
      (result) => this.ports.send({ jsonrpc: '2.0', id, result }),
      (fault) => this.ports.send({ jsonrpc: '2.0', id, error: { code: -32803, message: said(fault) } }),
    )
    return true
  }

  private async execute({ command, arguments: [argument = {}] = [] }: Executed): Promise<unknown> {
    const target = argument as Target & { job?: string }
    switch (command) {
      case 'rubric.runCase':
      case 'rubric.runFile':
      case 'rubric.rejudge':
        return this.run(target)
      case 'rubric.dryRun':
        return this.plan(target)
      case 'rubric.cancelRun':
        return { jobs: this.cancel(target.job) }
      case 'rubric.generateRubrics':
        return this.generate(target)
      default:
        throw new Error(`there is no command \`${command}\``)
    }
  }

  private async settings(): Promise<Settings> {
    const [set] = await this.ask<(Settings | null)[]>('workspace/configuration', { items: [{ section: 'rubric' }] })
    return { ...usual, ...set }
  }

  private async run({ uri, case: id, samples: often }: Target & { samples?: number }): Promise<Started> {
    if (!this.trusted) throw new Error('nothing is run: this workspace is not trusted')
    const { judge, samples } = await this.settings()
    if (judge !== 'offline' && judge !== 'editor') throw new Error(`the judge \`${judge}\` is not to be had in a browser; choose \`offline\`, or \`editor\`, the editor's own model`)
    const cases = (await this.outline.runnable(uri, id)).map((c) => c.id)
    if (cases.length === 0) throw new Error('there is no case to run')
    const job: Job = { name: `rubric-job-${++this.last}`, uri, judge, samples: often ?? samples, cancelled: false, stop: () => {} }
    this.jobs.set(job.name, job)
    void this.work(job, cases)
    return { job: job.name }
  }

  private async work(job: Job, cases: string[]) {
    let done = 0
    const tell = (state: Progress['state'], results: ItemResult[] = [], message?: string) =>
      this.ports.send({ jsonrpc: '2.0', method: 'rubric/results', params: { job: job.name, uri: job.uri, state, message, done, total: cases.length, results } satisfies Progress })
    try {
      if (job.uri.endsWith('.evalset.json')) job.config = (await this.ask<{ text?: string }>('rubric/read', { uri: job.uri, beside: 'test_config.json' })).text
      for (const id of cases) {
        if (job.cancelled) throw new Cancelled()
        tell('running', [{ id: itemID(job.uri, id), state: 'started' }])
        const results = await this.judge(job, id)
        done++
        tell('running', results)
        this.refresh()
      }
      tell('done')
    } catch (fault) {
      if (fault instanceof Cancelled) tell('cancelled', cases.slice(done).map((id) => ({ id: itemID(job.uri, id), state: 'cancelled' })))
      else tell('failed', [], said(fault))
    } finally {
      this.jobs.delete(job.name)
    }
  }

  /** judge is what a case comes to; what the evaluator asks of a model, the editor's is asked. */
  private async judge(job: Job, id: string): Promise<ItemResult[]> {
    const answers: Record<string, JudgeAnswer> = {}
    const printed: Record<string, ProgramOutput> = {}
    for (;;) {
      const { record, items, questions, programs } = await this.ports.call<RunResult>('run', {
        document: job.uri, case: id, judge: job.judge, samples: job.samples, config: job.config, answers, printed,
      })
      if (questions.length + programs.length === 0) {
        this.records.get(job.uri)?.set(id, record)
        return itemsOf(job.uri, items)
      }
      for (const { key } of programs) printed[key] = { stdout: '', stderr: '', code: -1, error: 'programs are run by the desktop alone' }
      for (const { key, ...question } of questions) answers[key] = await this.answer(question, job)
    }
  }

  private async answer(question: object, job: Job): Promise<JudgeAnswer> {
    if (job.cancelled) throw new Cancelled() // while nobody was being asked
    try {
      return await this.ask<Reply>('rubric/ask', question, job)
    } catch (fault) {
      if (fault instanceof Cancelled) throw fault
      return { text: '', error: said(fault) }
    }
  }

  /** report is the page of what a file's cases last came to, in the order of the text. */
  private async report(uri: string): Promise<Report> {
    const kept = this.records.get(uri)
    const name = uri.split('/').pop()!
    const records = (await this.outline.runnable(uri)).flatMap(({ id }) => kept?.get(id) ?? [])
    if (records.length === 0) throw new Error(`no case of \`${name}\` has been run`)
    const { html, stale, totals: { judges_spent: { input_tokens: input, output_tokens: output } } } = await this.ports.call<ReportResult>('report', { document: uri, name, records })
    return { html, cases: records.length, stale, spent: { input, output } }
  }

  private cancel(name?: string) {
    const stopped = [...this.jobs.values()].filter((job) => (!name || job.name === name) && !job.cancelled)
    for (const job of stopped) {
      job.cancelled = true
      job.stop()
    }
    return stopped.map((job) => job.name)
  }

  private async plan({ uri, case: id }: Target): Promise<Plan> {
    const { judge } = await this.settings()
    const known = new Map((await this.outline.cases(uri)).map((c) => [c.id, c.evaluators]))
    const cases = (await this.outline.runnable(uri, id)).map((one) => ({
      case: one.id, graders: (known.get(one.id) ?? []).map(({ name, type, rubrics }) => ({ name, type, criteria: rubrics?.length })),
    }))
    return { target: 'self', judge, trusted: this.trusted, cases, questions: judge === 'offline' ? 0 : cases.length, programs: 0, errors: [] }
  }

  /** generate has the criteria inserted that follow from the file's own words. */
  private async generate({ uri, case: id }: Target): Promise<Started> {
    const { edits, problems } = await this.ports.call<DraftResult>('draft', { document: uri, case: id })
    if (edits.length === 0) throw new Error(problems[0] ?? 'nothing was found to draft criteria from')
    void this.ask('workspace/applyEdit', { label: 'Generate rubrics', edit: { changes: { [uri]: edits } } }).catch(() => {})
    return { job: `rubric-job-${++this.last}` }
  }

  /** refresh has the client ask anew for what shows results. */
  private refresh() {
    for (const shown of ['codeLens', 'inlayHint']) void this.ask(`workspace/${shown}/refresh`, undefined).catch(() => {})
  }

  /** ask asks the client; a job that is stopped does not wait for the answer. */
  private ask<R>(method: string, params: unknown, job?: Job): Promise<R> {
    const id = `host-${++this.last}`
    return new Promise((resolve, reject) => {
      if (job) {
        job.stop = () => {
          this.ports.send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } })
          reject(new Cancelled())
        }
      }
      this.owed.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as R)))
      this.ports.send({ jsonrpc: '2.0', id, method, params })
    })
  }
}

interface Executed {
  command: string
  arguments?: object[]
}

function uriOf(params: unknown) {
  return (params as { textDocument: { uri: string } }).textDocument.uri
}

function said(fault: unknown) {
  return fault instanceof Error ? fault.message : String(fault)
}
