// Runs cases where there is no process, as lsp/README.md has it: the editor's own
// model judges what the file itself expects, and the evaluator says what that is
// worth.
import type { DocumentSymbol, DraftResult, PromptResult, ScoreResult, SuiteResult } from '../../../wasm/npm/api.js'
import type { Message } from '../../../wasm/npm/lsp.js'
import type { ItemResult, Plan, Progress, Reply, Started, Target, TestItem } from './protocol.ts'

type Case = SuiteResult['cases'][number]

/** Ports are the evaluator, and the way to the client. */
export interface Ports {
  call<R>(method: string, params: object): Promise<R>
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
  cancelled: boolean
  stop: () => void // what it waits for
}

export class Host {
  private readonly owed = new Map<string, (answer: Message) => void>()
  private readonly jobs = new Map<string, Job>()
  private last = 0
  private trusted = true

  private readonly answers: Record<string, ((params: unknown) => Promise<unknown>) | undefined> = {
    'rubric/testItems': (params) => this.items(uriOf(params)),
    'rubric/report': async () => {
      throw new Error('here the results are in the Testing view; a page of them only the program writes')
    },
    'workspace/executeCommand': (params) => this.execute(params as Executed),
  }

  constructor(private readonly ports: Ports) {}

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

  /** items are a document's cases and criteria, null if it has none. */
  private async items(uri: string): Promise<TestItem | null> {
    const cases = await this.cases(uri).catch(() => [])
    if (cases.length === 0) return null
    const symbols = await this.ports.call<DocumentSymbol[]>('symbols', { document: uri })
    const start = { line: 0, character: 0 }
    return {
      id: uri, kind: 'suite', label: uri.split('/').pop()!, range: { start, end: start }, target: { uri },
      children: cases.map((c) => {
        const shown = find(symbols, c.id)
        return {
          id: itemID(uri, c.id), kind: 'case', label: c.id, range: shown?.selectionRange, target: { uri, case: c.id },
          children: criteria(c).map(({ grader, criterion }) => ({
            id: itemID(uri, c.id, grader, criterion.id), kind: 'criterion', label: criterion.expected_outcome,
            range: find(shown?.children ?? [], criterion.id)?.selectionRange, target: { uri, case: c.id, grader, criterion: criterion.id }, children: [],
          })),
        }
      }),
    }
  }

  private async cases(uri: string, id?: string) {
    const { cases } = await this.ports.call<SuiteResult>('suite', { document: uri })
    const chosen = id ? cases.filter((c) => c.id === id) : cases
    if (id && chosen.length === 0) throw new Error(`there is no case \`${id}\``)
    return chosen
  }

  private async run({ uri, case: id }: Target): Promise<Started> {
    if (!this.trusted) throw new Error('nothing is run: this workspace is not trusted')
    const [{ judge = 'offline' } = {}] = await this.ask<{ judge?: string }[]>('workspace/configuration', { items: [{ section: 'rubric' }] })
    if (judge !== 'editor') throw new Error(`the judge \`${judge}\` is not to be had in a browser; choose \`editor\`, the editor's own model`)
    const cases = await this.cases(uri, id)
    if (cases.length === 0) throw new Error('there is no case to run')
    const job: Job = { name: `rubric-job-${++this.last}`, uri, cancelled: false, stop: () => {} }
    this.jobs.set(job.name, job)
    void this.work(job, cases)
    return { job: job.name }
  }

  private async work(job: Job, cases: Case[]) {
    let done = 0
    const tell = (state: Progress['state'], results: ItemResult[] = [], message?: string) =>
      this.ports.send({ jsonrpc: '2.0', method: 'rubric/results', params: { job: job.name, uri: job.uri, state, message, done, total: cases.length, results } satisfies Progress })
    try {
      for (const c of cases) {
        if (job.cancelled) throw new Cancelled()
        tell('running', [{ id: itemID(job.uri, c.id), state: 'started' }])
        const results = await this.judge(job, c)
        done++
        tell('running', results)
      }
      tell('done')
    } catch (fault) {
      if (fault instanceof Cancelled) tell('cancelled', cases.slice(done).map((c) => ({ id: itemID(job.uri, c.id), state: 'cancelled' })))
      else tell('failed', [], said(fault))
    } finally {
      this.jobs.delete(job.name)
    }
  }

  /** judge is what a case comes to by the editor's model. */
  private async judge(job: Job, c: Case): Promise<ItemResult[]> {
    const id = itemID(job.uri, c.id)
    if (!c.reference_answer) return [{ id, state: 'unknown', message: 'the file has no expected output to answer with' }]
    const question = await this.ports.call<PromptResult>('prompt', { document: job.uri, case: c.id })
    const reply = await this.ask<Reply>('rubric/ask', { ...question, user: question.user.replace('{{ candidate_answer }}', () => c.reference_answer) }, job)
    const scored = await this.ports.call<ScoreResult>('score', { document: job.uri, case: c.id, reply: reply.text })
    const names = new Map(criteria(c).map(({ grader, criterion }) => [criterion.id, grader]))
    const graded = scored.grades.map((g): ItemResult => ({
      id: itemID(job.uri, c.id, names.get(g.id) ?? '', g.id), score: g.score ?? undefined, message: g.reasoning,
      state: g.satisfied === false || scored.gates.some((gate) => gate.id === g.id && !gate.met) ? 'fail' : 'pass',
    }))
    const unusable = scored.problems[0]
    return [...graded, { id, state: unusable ? 'unknown' : scored.verdict, score: scored.score, message: unusable ?? scored.misses[0] }]
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
    const cases = (await this.cases(uri, id)).map((c) => ({
      case: c.id, graders: c.evaluators.map(({ name, type, rubrics }) => ({ name, type, criteria: rubrics?.length })),
    }))
    return { target: 'self', judge: 'editor', trusted: this.trusted, cases, questions: cases.length, programs: 0, errors: [] }
  }

  /** generate has the criteria inserted that follow from the file's own words. */
  private async generate({ uri, case: id }: Target): Promise<Started> {
    const { edits, problems } = await this.ports.call<DraftResult>('draft', { document: uri, case: id })
    if (edits.length === 0) throw new Error(problems[0] ?? 'nothing was found to draft criteria from')
    void this.ask('workspace/applyEdit', { label: 'Generate rubrics', edit: { changes: { [uri]: edits } } }).catch(() => {})
    return { job: `rubric-job-${++this.last}` }
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

function itemID(uri: string, ...path: string[]) {
  return `${uri}#${path.map(encodeURIComponent).join('/')}`
}

function criteria(c: Case) {
  return c.evaluators.flatMap(({ name, rubrics }) => (rubrics ?? []).map((criterion) => ({ grader: name, criterion })))
}

/** find finds a symbol by its name, the nearest to the root. */
function find(symbols: DocumentSymbol[], name: string): DocumentSymbol | undefined {
  return symbols.find((s) => s.name === name) ?? symbols.map((s) => find(s.children ?? [], name)).find(Boolean)
}
