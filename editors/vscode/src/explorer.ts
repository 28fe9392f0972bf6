// The test explorer: suites, cases and criteria from the server.
import * as vscode from 'vscode'
import { isEvalName, runnable, selects } from './files.ts'
import type { Jobs } from './jobs.ts'
import { atOnce, Passes } from './passes.ts'
import { planLines } from './plan-lines.ts'
import type { ItemResult, Plan, Progress, RunNames, Started, Target, TestItem } from './protocol.ts'
import type { Session } from './session.ts'
import { Starts } from './starts.ts'
import { Tree } from './tree.ts'

/** reloadDelay is how long the text must be quiet before items reload, in milliseconds, with one more for each `itemsPerDelay` items. */
const reloadDelay = 300
const itemsPerDelay = 5

export class Explorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('rubric', 'Rubric')
  private readonly tree = new Tree((id, label, uri) => this.controller.createTestItem(id, label, uri), toRange)
  private readonly filesWithoutCases = new Set<string>() // by URI
  private readonly judgedCases = new Set<string>() // by id; their answers can be judged again
  private readonly reported = new Map<string, ItemResult>() // by id: the results that the editor shows
  private readonly staleItems = new Set<string>() // by id, that the editor shows as outdated
  private readonly gone = new Map<string, ItemResult>() // by id: the results of rows that are gone, and may come back
  private readonly again = new Set<string>() // by id: the results to show once more
  private discoveryTimer?: ReturnType<typeof setTimeout>
  private againTimer?: ReturnType<typeof setTimeout>
  private readonly pending = new Map<string, ReturnType<typeof setTimeout>>()
  private readonly disposables: vscode.Disposable[] = [this.controller]
  private readonly loadedEmitter = new vscode.EventEmitter<vscode.Uri>()

  /** onLoad fires with each file whose items were loaded. */
  readonly onLoad = this.loadedEmitter.event

  private discoveries = 0

  constructor(private readonly session: Session, private readonly jobs: Jobs) {
    this.controller.resolveHandler = (item) => (item ? this.resolve(item) : this.discover())
    this.controller.refreshHandler = () => this.discover()
    jobs.adopt = (first) => this.adoptJob(first)
    this.addProfile('Run', true, (item) => this.runCommand(item))
    this.addProfile('Dry Run', false, undefined)
    this.addProfile('Replay (Judge the Last Answers Again)', false, (item) => this.rejudgeCommand(item))
    this.addProfile('Repeat N Times', false, async (item, request) => {
      const samples = await askSamples(request)
      return samples ? this.runCommand(item, { samples }) : undefined
    })
    const onDisk = vscode.workspace.createFileSystemWatcher('**/*')
    this.disposables.push(
      this.loadedEmitter, onDisk,
      onDisk.onDidDelete((uri) => this.removeBelow(uri)), // of a deleted folder, the files are not named
      onDisk.onDidCreate((uri) => this.scheduleDiscovery(uri)),
      onDisk.onDidChange((uri) => (this.filesWithoutCases.delete(uri.toString()) || this.tree.get(uri.toString())) && this.loadSoon(uri)), // such as by a switch of the branch
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.discover()),
      vscode.workspace.onDidOpenTextDocument((d) => this.scheduleLoad(d)),
      vscode.workspace.onDidChangeTextDocument((e) => e.contentChanges.length > 0 && this.scheduleLoad(e.document)),
      session.onView((d) => jobs.progress.jobs === 0 && this.scheduleLoad(d)),
      session.onClient(() => vscode.workspace.textDocuments.forEach((d) => this.scheduleLoad(d))),
    )
  }

  /** isEval reports whether a document is known to have cases. */
  isEval(document: vscode.TextDocument) {
    return this.tree.get(document.uri.toString()) !== undefined || (document.languageId.startsWith('rubric-') && document.languageId !== 'rubric-config' && selects(document))
  }

  /** runNames returns whom a run of a file would ask, if its items are loaded. */
  runNames(uri: vscode.Uri): RunNames | undefined {
    const item = this.tree.get(uri.toString())
    return item && this.tree.of(item)?.run
  }

  dispose() {
    this.pending.forEach(clearTimeout)
    clearTimeout(this.againTimer)
    clearTimeout(this.discoveryTimer)
    this.disposables.forEach((d) => d.dispose())
  }

  /** casesOf returns the current cases of a document, or those with an id. */
  async casesOf(uri: vscode.Uri, id?: string): Promise<TestItem[]> {
    return (await this.request(uri, id))?.children ?? []
  }

  /** request requests the items of a file, or of one case with all its children. */
  private request(uri: vscode.Uri, id?: string) {
    return this.session.request<TestItem | null>('rubric/testItems', { textDocument: { uri: uri.toString() }, case: id })
  }

  /** discover lists the eval files of the workspace, and removes rows of files that are gone. */
  private async discover() {
    const call = ++this.discoveries
    const found = new Set<string>()
    for (const pattern of runnable) {
      for (const uri of await vscode.workspace.findFiles(pattern, '**/node_modules/**')) {
        found.add(uri.toString())
        if (!this.filesWithoutCases.has(uri.toString())) this.add(uri)
      }
    }
    if (call !== this.discoveries) return // a later call knows of newer files
    const open = new Set(vscode.workspace.textDocuments.map((d) => d.uri.toString()))
    for (const [id] of this.controller.items) if (!found.has(id) && !open.has(id)) this.remove(id)
  }

  /** scheduleDiscovery looks for eval files once those that are created together are there. Of a moved folder, the files are not named. */
  private scheduleDiscovery({ path }: vscode.Uri) {
    const mayBeFolder = !path.slice(path.lastIndexOf('/')).includes('.')
    if (this.controller.items.size === 0 || (!isEvalName(path) && !mayBeFolder)) return
    clearTimeout(this.discoveryTimer)
    this.discoveryTimer = setTimeout(() => void this.discover(), reloadDelay)
  }

  private add(uri: vscode.Uri) {
    const id = uri.toString()
    const label = vscode.workspace.asRelativePath(uri)
    const existing = this.controller.items.get(id)
    if (existing) {
      if (existing.label !== label) existing.label = label
      return existing
    }
    const item = this.controller.createTestItem(id, label, uri)
    item.canResolveChildren = true
    this.controller.items.add(item)
    return item
  }

  private remove(id: string) {
    const item = this.controller.items.get(id)
    if (item) this.tree.forget(item)
    this.controller.items.delete(id)
  }

  private removeBelow(gone: vscode.Uri) {
    this.filesWithoutCases.delete(gone.toString())
    for (const [id, { uri }] of this.controller.items) if (`${uri}/`.startsWith(`${gone}/`)) this.remove(id)
    this.scheduleAgain()
  }

  private scheduleLoad(document: vscode.TextDocument) {
    if (selects(document)) this.loadSoon(document.uri)
  }

  private loadSoon(uri: vscode.Uri) {
    if (this.session.state === 'stopped') return
    const id = uri.toString()
    clearTimeout(this.pending.get(id))
    this.pending.set(id, setTimeout(() => {
      this.pending.delete(id)
      this.load(uri).catch((error) => this.session.log.warn(String(error)))
    }, reloadDelay + (this.tree.get(id)?.children.size ?? 0) / itemsPerDelay))
  }

  /** resolve loads what is below an item that is unfolded. */
  private resolve(item: vscode.TestItem) {
    const of = this.tree.of(item)
    return of?.more ? this.loadCase(item, of.target.case!) : this.load(item.uri!)
  }

  private async loadCase(item: vscode.TestItem, id: string) {
    const whole = (await this.request(item.uri!, id))?.children.find((c) => c.id === item.id)
    if (whole) this.update(item, { ...whole, more: true })
  }

  /** load loads the items of a file, and removes a file without items. */
  private async load(uri: vscode.Uri) {
    await vscode.workspace.openTextDocument(uri) // opens it in the server too
    const root = await this.request(uri)
    const id = uri.toString()
    if (root) {
      this.filesWithoutCases.delete(id)
      this.update(this.add(uri), root)
    } else {
      this.filesWithoutCases.add(id)
      this.remove(id)
      this.scheduleAgain()
    }
    this.loadedEmitter.fire(uri)
  }

  /** restore shows results of an earlier session, which the server has kept. */
  private restore(root: vscode.TestItem) {
    const visit = (item: vscode.TestItem) => {
      const result = this.tree.of(item)?.result
      if (result && !this.reported.has(item.id)) {
        this.reported.set(item.id, { ...this.gone.get(item.id), id: item.id, state: result.state, message: result.message })
        this.again.add(item.id)
      }
      item.children.forEach(visit)
    }
    root.children.forEach(visit)
  }

  /** scheduleAgain shows results again once the files that change together are loaded. */
  private scheduleAgain() {
    clearTimeout(this.againTimer)
    this.againTimer = setTimeout(() => this.showAgain(), reloadDelay)
  }

  /** showAgain shows results again, or all of them if rows that did not pass are gone: the editor keeps what it shows of those, and counts them, until the next run. */
  private showAgain() {
    if (this.jobs.progress.jobs > 0) return // its end loads the items again
    const gone = [...this.reported].filter(([id]) => !this.tree.get(id))
    for (const [id, result] of gone) {
      this.reported.delete(id)
      this.gone.set(id, result)
    }
    const failed = gone.filter(([, { state }]) => state !== 'pass')
    const shown = [...this.reported.values()].filter(({ id }) => failed.length > 0 || this.again.has(id))
    this.again.clear()
    if (failed.length === 0 && shown.length === 0) return
    const run = this.controller.createTestRun(new vscode.TestRunRequest(), 'Last results', false)
    for (const id of new Set(failed.map(([id]) => id.slice(0, id.indexOf('#'))))) {
      const file = this.controller.items.get(id)
      if (file) run.enqueued(file) // at the end it has the state of what is below, or none
    }
    void this.show(run, shown, new Passes(editorIsReady)).rest().then(() => run.end())
  }

  /** update updates an item and those below it, and shows earlier results and which are stale. */
  private update(item: vscode.TestItem, serverItem: TestItem) {
    const outdated: vscode.TestItem[] = []
    const isIdle = this.jobs.progress.jobs === 0
    this.tree.update(item, serverItem, (one, { result, more, children, target }) => {
      if (more && children.length === 0 && one.children.size > 0) void this.loadCase(one, target.case!)
      if (result?.stale && !this.staleItems.has(one.id)) {
        this.staleItems.add(one.id)
        outdated.push(one)
      } else if (isIdle && result && !result.stale && this.staleItems.delete(one.id)) {
        this.again.add(one.id) // the edit was taken back; only a result that is shown again is no longer outdated
      }
    })
    if (serverItem.kind === 'suite') this.describe(item)
    if (isIdle) this.restore(item)
    this.scheduleAgain()
    if (outdated.length > 0) this.controller.invalidateTestResults(outdated)
  }

  /** describe says in the row of a file how many of its cases have passed, like the lens of the file. */
  private describe(file: vscode.TestItem) {
    const states = [...file.children].flatMap(([, item]) => this.tree.of(item)?.result?.state ?? [])
    const notRun = file.children.size - states.length
    const text = states.length > 0 ? `${states.filter((state) => state === 'pass').length} of ${states.length} passed${notRun > 0 ? `, ${notRun} not run` : ''}` : undefined
    if (file.description !== text) file.description = text
  }

  private addProfile(label: string, isDefault: boolean, makeCommand: MakeCommand | undefined) {
    this.controller.createRunProfile(label, vscode.TestRunProfileKind.Run, (request, token) => this.runRequest(request, token, makeCommand), isDefault)
  }

  /** runRequest runs the selected items one after the other. Without makeCommand it only shows the plan. */
  private async runRequest(request: vscode.TestRunRequest, token: vscode.CancellationToken, makeCommand?: MakeCommand) {
    if (!request.include) await this.discover()
    const run = this.controller.createTestRun(request, undefined, false) // the server keeps the results
    try {
      for (const item of this.selectedItems(request)) {
        if (token.isCancellationRequested) return
        if (item.canResolveChildren && !this.tree.of(item)) await this.load(item.uri!)
        if (!this.tree.of(item)) continue
        try {
          if (makeCommand) await this.followJob(run, item, await makeCommand(item, request), token)
          else await this.showPlan(run, item)
        } catch (error) {
          run.errored(item, new vscode.TestMessage(error instanceof Error ? error.message : String(error)))
        }
      }
    } finally {
      run.end()
    }
  }

  private selectedItems(request: vscode.TestRunRequest) {
    const all = request.include ?? [...this.controller.items].map(([, item]) => item)
    return all.filter((item) => !request.exclude?.includes(item))
  }

  private runCommand(item: vscode.TestItem, more = {}): Command | undefined {
    const { kind, target } = this.tree.of(item)!
    if (kind === 'criterion' && this.judgedCases.has(item.parent!.id)) return this.rejudgeCommand(item)
    if (kind === 'suite') return { command: 'rubric.runFile', argument: { uri: target.uri, ...more } }
    return { command: 'rubric.runCase', argument: { uri: target.uri, case: target.case, ...more } }
  }

  private rejudgeCommand(item: vscode.TestItem): Command {
    return { command: 'rubric.rejudge', argument: this.tree.of(item)!.target }
  }

  private async followJob(run: vscode.TestRun, item: vscode.TestItem, command: Command | undefined, token: vscode.CancellationToken) {
    if (!command) return
    const cases = this.tree.of(item)!.kind === 'suite' ? [...item.children].map(([, testCase]) => testCase) : [item]
    if (cases.length <= atOnce) cases.forEach((testCase) => run.enqueued(testCase))
    const { follow, rest } = this.follower(run)
    let cancelListener: vscode.Disposable | undefined
    const lastProgress = await this.jobs.follow(
      () => this.session.execute<Started>(command.command, command.argument),
      follow,
      (job) => {
        const cancel = () => this.session.execute('rubric.cancelRun', { job })
        cancelListener = token.onCancellationRequested(cancel)
        if (token.isCancellationRequested) void cancel()
      },
    )
    cancelListener?.dispose()
    await rest()
    if (lastProgress.state === 'failed') run.errored(item, new vscode.TestMessage(lastProgress.message ?? 'the run failed'))
  }

  private async showPlan(run: vscode.TestRun, item: vscode.TestItem) {
    const { uri, case: id } = this.tree.of(item)!.target
    const plan = await this.session.execute<Plan>('rubric.dryRun', { uri, case: id })
    run.appendOutput(planLines(plan).map((line) => `${line}\r\n`).join(''), undefined, item)
    run.skipped(item)
  }

  private adoptJob(first: Progress) {
    const file = this.tree.get(first.uri)
    if (!file) return () => {}
    const run = this.controller.createTestRun(new vscode.TestRunRequest([file]), undefined, false)
    const { follow, rest } = this.follower(run)
    return (progress: Progress) => {
      follow(progress)
      if (progress.state !== 'running') void rest().then(() => run.end())
    }
  }

  /** follower returns what shows the progress of a job in a run, and at its end the passes that wait. */
  private follower(run: vscode.TestRun) {
    const starts = new Starts()
    const passes = new Passes(editorIsReady)
    const follow = ({ uri, state, done, total, results, message }: Progress) => {
      const lines = message ? [message] : []
      const ended: ItemResult[] = []
      for (const result of results) {
        const item = this.tree.get(result.id)
        if (!item) continue
        const isStart = result.state === 'started'
        if (isStart && total > 1) {
          starts.add(item.id, () => this.report(run, item, result))
          continue
        }
        starts.end(item.id)
        this.staleItems.delete(item.id)
        ended.push(result)
        if (isStart) continue
        // Before any case is done, a run tells what does not run.
        if (done > 0 && result.state !== 'cancelled') this.tree.of(item)!.result = { state: result.state, text: result.state, message: result.message }
        lines.push(`${item.label}: ${[result.state, scoreText(this.tree.of(item)!.kind, result), result.message].filter(Boolean).join(', ')}`)
      }
      this.show(run, ended, passes)
      if (state !== 'running') {
        starts.clear()
        const file = this.tree.get(uri)
        if (file) this.describe(file)
      }
      if (lines.length > 0) run.appendOutput(lines.map((line) => `${line.replaceAll('\n', '\r\n  ')}\r\n`).join(''))
    }
    return { follow, rest: () => passes.rest() }
  }

  /** show shows results in a run, and leaves it to `passes` when passes are shown. */
  private show(run: vscode.TestRun, results: ItemResult[], passes: Passes) {
    const passed: (() => void)[] = []
    for (const result of results) {
      const item = this.tree.get(result.id)!
      this.reported.set(item.id, result)
      if (result.state !== 'pass' || this.staleItems.has(item.id)) this.report(run, item, result)
      else passed.push(() => this.showPass(run, item, result))
    }
    passes.add(passed)
    return passes
  }

  /** showPass shows a pass whose case may have been edited or removed meanwhile. */
  private showPass(run: vscode.TestRun, item: vscode.TestItem, result: ItemResult) {
    if (this.tree.get(item.id) !== item) return
    this.report(run, item, result)
    if (this.staleItems.has(item.id)) this.controller.invalidateTestResults(item)
  }

  private report(run: vscode.TestRun, item: vscode.TestItem, result: ItemResult) {
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
        run.errored(item, this.failure(item, result))
        break
      default:
        run.failed(item, item.children.size > 0 && this.tree.of(item)?.kind === 'case' ? [] : this.failure(item, result)) // its criteria say why
    }
    if (this.tree.of(item)?.kind === 'case') this.judgedCases.add(item.id)
  }

  /** failure explains a result: its first line stands in the editor, all of it in the peek. */
  private failure(item: vscode.TestItem, result: ItemResult) {
    const { kind, told } = this.tree.of(item)!
    const score = scoreText(kind, result)
    const grade = kind === 'criterion' ? (score && result.state === 'borderline' ? `borderline, ${score}` : score) || (result.state === 'ungraded' ? 'ungraded' : 'not satisfied') : [result.state, score].filter(Boolean).join(', ')
    const text = new vscode.MarkdownString()
    text.appendText([grade, result.message?.split('\n')[0]].filter(Boolean).join(': '))
    if (kind === 'criterion') text.appendMarkdown('\n\n**Criterion**\n\n').appendText(item.label)
    if (result.answer) text.appendMarkdown('\n\n**Judged answer**\n\n').appendCodeblock(result.answer, 'text')
    const message = new vscode.TestMessage(text)
    const range = told ? toRange(told) : kind === 'criterion' ? item.parent?.range : item.range // on a line without inlay hints
    if (range) message.location = new vscode.Location(item.uri!, range)
    return message
  }
}

/** Command is a command of the server with its argument. */
interface Command {
  command: string
  argument: Target & { samples?: number }
}

type MakeCommand = (item: vscode.TestItem, request: vscode.TestRunRequest) => Command | undefined | Promise<Command | undefined>

const sampleRequests = new WeakMap<vscode.TestRunRequest, Promise<number | undefined>>()

/** askSamples asks, once for each request, how many samples to take. */
function askSamples(request: vscode.TestRunRequest) {
  const pending = sampleRequests.get(request)
  if (pending) return pending
  const answer = Promise.resolve(vscode.window.showInputBox({
    title: 'Repeat N Times', prompt: 'Number of samples for each judgement', value: '5',
    validateInput: (text) => (/^[1-9]\d*$/.test(text) ? undefined : 'a whole number from 1'), // the server knows the highest
  })).then((text) => (text ? Number(text) : undefined))
  sampleRequests.set(request, answer)
  return answer
}

/** editorIsReady waits until the editor has handled what it was sent: it answers commands in order. */
function editorIsReady() {
  return vscode.commands.executeCommand('setContext', 'rubric.showsPasses', true)
}

/** scoreText returns a score in words: of a criterion it is out of ten. */
function scoreText(kind: TestItem['kind'], { score }: ItemResult) {
  if (score === undefined) return ''
  return kind === 'criterion' ? `${score} of 10` : `score ${Math.round(score * 1000) / 1000}`
}

function toRange({ start, end }: NonNullable<TestItem['range']>) {
  return new vscode.Range(start.line, start.character, end.line, end.character)
}
