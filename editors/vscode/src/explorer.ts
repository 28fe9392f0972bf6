// The test explorer: suites, their cases and criteria, as the server has them.
import * as vscode from 'vscode'
import { languages, runnable, selector } from './files.ts'
import type { Jobs } from './jobs.ts'
import type { ItemResult, Plan, Progress, Started, Target, TestItem } from './protocol.ts'
import type { Session } from './session.ts'

/** quiet is how long nobody may have typed before items are looked at again, in milliseconds. */
const quiet = 300

export class Explorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('rubric', 'Rubric')
  private readonly items = new Map<string, vscode.TestItem>() // all, by id
  private readonly known = new WeakMap<vscode.TestItem, TestItem>()
  private readonly others = new Set<string>() // files that have no cases, by their address
  private readonly ran = new Set<string>() // cases by id: their answers can be judged again
  private readonly pending = new Map<string, ReturnType<typeof setTimeout>>()
  private readonly disposables: vscode.Disposable[] = [this.controller]
  private readonly loaded = new vscode.EventEmitter<vscode.Uri>()

  /** onLoad tells of files whose items were looked at. */
  readonly onLoad = this.loaded.event

  constructor(private readonly session: Session, private readonly jobs: Jobs) {
    this.controller.resolveHandler = (item) => (item ? this.load(item.uri!) : this.discover())
    this.controller.refreshHandler = () => this.discover()
    jobs.adopt = (first) => this.adopt(first)
    this.profile('Run', true, (item) => this.run(item))
    this.profile('Dry Run', false, undefined)
    this.profile('Replay (Judge the Last Answers Again)', false, (item) => this.again(item))
    this.profile('Repeat N Times', false, async (item, request) => {
      const samples = await times(request)
      return samples ? this.run(item, { samples }) : undefined
    })
    this.disposables.push(
      this.loaded,
      vscode.workspace.onDidOpenTextDocument((d) => this.look(d)),
      vscode.workspace.onDidChangeTextDocument((e) => this.look(e.document)),
      session.onClient(() => vscode.workspace.textDocuments.forEach((d) => this.look(d))),
    )
  }

  /** isEval reports whether a document has cases, as far as that is known. */
  isEval(document: vscode.TextDocument) {
    return languages.includes(document.languageId) || this.items.has(document.uri.toString())
  }

  dispose() {
    this.pending.forEach(clearTimeout)
    this.disposables.forEach((d) => d.dispose())
  }

  /** casesOf are a document's cases as they are now. */
  async casesOf(uri: vscode.Uri): Promise<TestItem[]> {
    const root = await this.session.request<TestItem | null>('rubric/testItems', { textDocument: { uri: uri.toString() } })
    return root?.children ?? []
  }

  private async discover() {
    for (const pattern of runnable) {
      for (const uri of await vscode.workspace.findFiles(pattern, '**/node_modules/**')) {
        if (!this.others.has(uri.toString())) this.add(uri)
      }
    }
  }

  private add(uri: vscode.Uri) {
    const id = uri.toString()
    const existing = this.controller.items.get(id)
    if (existing) return existing
    const item = this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri)
    item.canResolveChildren = true
    this.controller.items.add(item)
    return item
  }

  private look(document: vscode.TextDocument) {
    if (this.session.state === 'stopped' || !vscode.languages.match(selector, document)) return
    const id = document.uri.toString()
    clearTimeout(this.pending.get(id))
    this.pending.set(id, setTimeout(() => {
      this.pending.delete(id)
      this.load(document.uri).catch((fault) => this.session.log.warn(String(fault)))
    }, quiet))
  }

  /** load gives a file the items that it has now; one without any is in no explorer. */
  private async load(uri: vscode.Uri) {
    await vscode.workspace.openTextDocument(uri) // so that the server has it
    const root = await this.session.request<TestItem | null>('rubric/testItems', { textDocument: { uri: uri.toString() } })
    const id = uri.toString()
    for (const known of this.items.keys()) if (known === id || known.startsWith(`${id}#`)) this.items.delete(known)
    if (root) {
      this.others.delete(id)
      this.fill(this.add(uri), root)
    } else {
      this.others.add(id)
      this.controller.items.delete(id)
    }
    this.loaded.fire(uri)
  }

  private fill(item: vscode.TestItem, from: TestItem) {
    this.items.set(from.id, item)
    this.known.set(item, from)
    if (from.range) item.range = toRange(from.range)
    item.children.replace(from.children.map((child, i) => {
      const made = this.controller.createTestItem(child.id, child.label, item.uri)
      made.sortText = String(i).padStart(6, '0')
      this.fill(made, child)
      return made
    }))
  }

  private profile(label: string, usual: boolean, order: Order | undefined) {
    this.controller.createRunProfile(label, vscode.TestRunProfileKind.Run, (request, token) => this.obey(request, token, order), usual)
  }

  /** obey runs what a person has chosen, one thing after the other; without an order it only says what would be run. */
  private async obey(request: vscode.TestRunRequest, token: vscode.CancellationToken, order?: Order) {
    if (!request.include) await this.discover()
    const run = this.controller.createTestRun(request)
    try {
      for (const item of this.chosen(request)) {
        if (token.isCancellationRequested) return
        if (item.canResolveChildren && !this.known.has(item)) await this.load(item.uri!)
        if (!this.known.has(item)) continue
        try {
          if (order) await this.follow(run, item, await order(item, request), token)
          else await this.plan(run, item)
        } catch (fault) {
          run.errored(item, new vscode.TestMessage(fault instanceof Error ? fault.message : String(fault)))
        }
      }
    } finally {
      run.end()
    }
  }

  private chosen(request: vscode.TestRunRequest) {
    const all = request.include ?? [...this.controller.items].map(([, item]) => item)
    return all.filter((item) => !request.exclude?.includes(item))
  }

  private run(item: vscode.TestItem, more = {}): Command | undefined {
    const { kind, target } = this.known.get(item)!
    if (kind === 'criterion' && this.ran.has(item.parent!.id)) return this.again(item)
    if (kind === 'suite') return { command: 'rubric.runFile', argument: { uri: target.uri, ...more } }
    return { command: 'rubric.runCase', argument: { uri: target.uri, case: target.case, ...more } }
  }

  private again(item: vscode.TestItem): Command {
    return { command: 'rubric.rejudge', argument: this.known.get(item)!.target }
  }

  private async follow(run: vscode.TestRun, item: vscode.TestItem, order: Command | undefined, token: vscode.CancellationToken) {
    if (!order) return
    const cases = this.known.get(item)!.kind === 'suite' ? [...item.children].map(([, one]) => one) : [item]
    cases.forEach((one) => run.enqueued(one))
    let listening: vscode.Disposable | undefined
    const end = await this.jobs.begin(
      () => this.session.execute<Started>(order.command, order.argument),
      (progress) => this.show(run, progress),
      (job) => {
        const cancel = () => this.session.execute('rubric.cancelRun', { job })
        listening = token.onCancellationRequested(cancel)
        if (token.isCancellationRequested) void cancel()
      },
    )
    listening?.dispose()
    if (end.state === 'failed') run.errored(item, new vscode.TestMessage(end.message ?? 'it could not be run'))
  }

  private async plan(run: vscode.TestRun, item: vscode.TestItem) {
    const { uri, case: id } = this.known.get(item)!.target
    const plan = await this.session.execute<Plan>('rubric.dryRun', { uri, case: id })
    run.appendOutput(planned(plan).map((line) => `${line}\r\n`).join(''), undefined, item)
    run.skipped(item)
  }

  private adopt(first: Progress) {
    const file = this.items.get(first.uri)
    if (!file) return () => {}
    const run = this.controller.createTestRun(new vscode.TestRunRequest([file]))
    return (progress: Progress) => {
      this.show(run, progress)
      if (progress.state !== 'running') run.end()
    }
  }

  private show(run: vscode.TestRun, { results, message }: Progress) {
    if (message) run.appendOutput(`${message}\r\n`)
    for (const result of results) {
      const item = this.items.get(result.id)
      if (item) this.tell(run, item, result)
    }
  }

  private tell(run: vscode.TestRun, item: vscode.TestItem, result: ItemResult) {
    const said = [result.state, score(result), result.message].filter(Boolean).join(', ')
    if (result.state !== 'started') run.appendOutput(`${item.label}: ${said.replaceAll('\n', '\r\n  ')}\r\n`, undefined, item)
    switch (result.state) {
      case 'started':
        run.started(item)
        return item.children.forEach((child) => run.started(child))
      case 'pass':
        run.passed(item)
        break
      case 'cancelled':
        return run.skipped(item)
      case 'ungraded':
        run.errored(item, new vscode.TestMessage(result.message ?? 'it could not be judged'))
        break
      default:
        run.failed(item, this.failure(item, result))
    }
    if (this.known.get(item)?.kind === 'case') this.ran.add(item.id)
  }

  private failure(item: vscode.TestItem, result: ItemResult) {
    const { kind, told } = this.known.get(item)!
    const criterion = kind === 'criterion'
    const actual = criterion ? (score(result) || 'not satisfied') : [result.state, score(result)].filter(Boolean).join(', ')
    const message = vscode.TestMessage.diff(result.message || actual, criterion ? item.label : 'pass', actual)
    const place = told ? toRange(told) : item.range
    if (place) message.location = new vscode.Location(item.uri!, place)
    return message
  }
}

/** Command is one of the server's, with its argument. */
interface Command {
  command: string
  argument: Target & { samples?: number }
}

type Order = (item: vscode.TestItem, request: vscode.TestRunRequest) => Command | undefined | Promise<Command | undefined>

const asked = new WeakMap<vscode.TestRunRequest, Promise<number | undefined>>()

/** times asks once for a request how often the judge is to be asked. */
function times(request: vscode.TestRunRequest) {
  const known = asked.get(request)
  if (known) return known
  const answer = Promise.resolve(vscode.window.showInputBox({
    title: 'Repeat N Times', prompt: 'How often the judge is asked for each judgement', value: '5',
    validateInput: (text) => (/^\d+$/.test(text) && +text >= 1 && +text <= 25 ? undefined : 'a number from 1 to 25'),
  })).then((text) => (text ? Number(text) : undefined))
  asked.set(request, answer)
  return answer
}

function score({ score }: ItemResult) {
  return score === undefined ? '' : `score ${Math.round(score * 1000) / 1000}`
}

function planned(plan: Plan) {
  return [
    `${plan.cases.length} cases would be answered by ${plan.target} and judged by ${plan.judge}: ${plan.questions} questions, ${plan.programs} programs`,
    ...plan.cases.map((c) => `  ${c.case}: ${c.graders.map((g) => (g.criteria ? `${g.name} (${g.criteria} criteria)` : g.name)).join(', ')}`),
    ...plan.errors,
    ...(plan.notes ?? []),
  ]
}

function toRange({ start, end }: NonNullable<TestItem['range']>) {
  return new vscode.Range(start.line, start.character, end.line, end.character)
}
