// The commands of the palette.
import * as vscode from 'vscode'
import { activeEditor } from './active-editor.ts'
import { doctor } from './doctor.ts'
import type { CasePanel } from './case-panel.ts'
import type { Drafts } from './drafts.ts'
import type { Explorer } from './explorer.ts'
import type { Jobs } from './jobs.ts'
import type { Keys } from './keys.ts'
import type { Model } from './model.ts'
import type { Comparison, Plan, GradeResult, Started, Target, TargetChoice, TestItem } from './protocol.ts'
import type { Results } from './results.ts'
import type { Session } from './session.ts'

/** Services are the objects that commands use. */
export interface Services {
  context: vscode.ExtensionContext
  session: Session
  jobs: Jobs
  explorer: Explorer
  results: Results
  drafts: Drafts
  casePanel: CasePanel
  keys: Keys
  model: Model
}

/** commands registers all commands. A command that fails shows its error. */
export function commands(services: Services): vscode.Disposable[] {
  const { context, session, jobs, explorer, results, drafts, keys, model } = services
  const all: Record<string, (argument?: unknown) => unknown> = {
    'rubric.run.case': async () => session.execute<Started>('rubric.runCase', (await caseAtCursor(explorer)).target),
    'rubric.run.file': () => session.execute<Started>('rubric.runFile', activeFile()),
    'rubric.run.again': () => session.execute<Started>('rubric.rejudge', activeFile()),
    'rubric.run.dry': () => session.execute<Plan>('rubric.dryRun', activeFile()),
    'rubric.run.cancel': () => session.execute('rubric.cancelRun', {}),
    'rubric.generate': async () => session.execute('rubric.generateRubrics', (await caseAtCursor(explorer)).target),
    'rubric.case': (target) => showCase(services, target as Target | undefined),
    'rubric.draft.keep': () => drafts.keep(),
    'rubric.draft.discard': () => drafts.discard(),
    'rubric.draft.regenerate': async () => session.execute('rubric.generateRubrics', await drafts.regenerate()),
    'rubric.grade': (grades) => gradeCase(services, Array.isArray(grades) ? grades : undefined),
    'rubric.results': () => results.show(activeDocument().uri),
    'rubric.results.compare': () => compare(session, activeDocument()),
    'rubric.target.choose': (target) => chooseGrading(services, (target as Target | undefined)?.uri ?? activeFile().uri),
    'rubric.judge.choose': async () => setJudge(await vscode.window.showQuickPick(judges(context), { title: 'Choose a Judge' }), model),
    'rubric.model.choose': () => model.choose(),
    'rubric.key.set': () => keys.set(),
    'rubric.key.forget': () => keys.remove(),
    'rubric.sample': () => openSample(context),
    'rubric.restart': () => session.restart(),
    'rubric.output': () => session.log.show(),
    'rubric.doctor': async () => {
      const lines = await doctor(context, session, keys, model)
      for (const line of lines) session.log.info(line)
      session.log.show()
      return lines
    },
    'rubric.menu': () => showMenu(context, jobs),
  }
  return Object.entries(all).map(([name, run]) => vscode.commands.registerCommand(name, async (argument?: unknown) => {
    try {
      return await run(argument)
    } catch (error) {
      session.showError(error)
      return undefined
    }
  }))
}

function activeDocument() {
  const editor = activeEditor()
  if (!editor) throw new Error('no eval file is open')
  return editor.document
}

/** activeFile returns the open file as a command's argument. */
function activeFile(): Target {
  return { uri: activeDocument().uri.toString() }
}

/** caseAtCursor returns the last case that starts at or before the cursor, or the first case. */
async function caseAtCursor(explorer: Explorer): Promise<TestItem> {
  const { uri } = activeDocument()
  const line = activeEditor()!.selection.active.line
  const cases = await explorer.casesOf(uri)
  const found = cases.findLast((c) => (c.range?.start.line ?? 0) <= line) ?? cases[0]
  if (!found) throw new Error('this file has no cases')
  return found
}

/** showCase shows the case at the cursor, which moves to a case that is named. */
async function showCase({ explorer, casePanel }: Services, target?: Target) {
  const range = target?.case === undefined ? undefined : (await explorer.casesOf(activeDocument().uri, target.case))[0]?.range
  if (range) activeEditor()!.selection = new vscode.Selection(range.start.line, range.start.character, range.start.line, range.start.character)
  await casePanel.show()
}

/** Grade is the user's grade of a criterion. */
interface Grade {
  id: string
  satisfied: boolean
}

/** gradeCase scores a case with the user's grades, without a judge. */
async function gradeCase({ session, explorer }: Services, preset?: Grade[]) {
  const { target: { uri, case: id }, children } = await caseAtCursor(explorer)
  const grades = preset ?? (await pickSatisfied(`Grade ${id}: Which Criteria Are Satisfied?`, children))
  if (!grades) return undefined
  const result = await session.request<GradeResult>('rubric/score', { uri, case: id, grades })
  const message = result.gates.find((gate) => !gate.met)?.reason
  if (!preset) session.show(`${id}: ${result.verdict}${result.score === null ? '' : `, score ${Math.round(result.score * 1000) / 1000}`}${message ? `; ${message}` : ''}`, 3)
  return result
}

async function pickSatisfied(title: string, criteria: TestItem[]): Promise<Grade[] | undefined> {
  const all = criteria.map(({ label, target }) => ({ label, id: target.criterion! }))
  const picked = await vscode.window.showQuickPick(all, { title, canPickMany: true })
  return picked && all.map(({ id }) => ({ id, satisfied: picked.some((p) => p.id === id) }))
}

/** compare lists what has changed since an earlier run of a file, and shows what the user picks. */
async function compare(session: Session, document: vscode.TextDocument) {
  const uri = document.uri.toString()
  const { runs } = await session.request<Comparison>('rubric/compare', { uri })
  if (runs.length === 0) throw new Error('there is no earlier run of this file; run it once more')
  const earlier = runs.map(({ id, time, label }) => ({ label: new Date(time).toLocaleString(), description: label, id }))
  const run = await vscode.window.showQuickPick(earlier, { title: 'Compare the Last Results With…' })
  if (!run) return
  const { comparison } = await session.request<Comparison>('rubric/compare', { uri, run: run.id })
  const { title, notes, cases } = comparison!
  const rows = cases.flatMap((c) => [c, ...c.criteria.map((criterion) => ({ ...criterion, label: `    ${criterion.label}` }))])
  const differences = rows.map(({ label, text, outcome, range }) => ({ label, description: `${text}  ${outcome}`, range }))
  const picked = await vscode.window.showQuickPick(differences, { title, placeHolder: notes.join('; ') || (rows.length > 0 ? 'Go to a case or criterion' : 'No result has changed'), matchOnDescription: true })
  if (picked?.range) await vscode.window.showTextDocument(document, { selection: new vscode.Range(picked.range.start.line, picked.range.start.character, picked.range.start.line, picked.range.start.character) })
}

/** judges returns the choices of a judge: those of the setting, and others. */
function judges({ extension }: vscode.ExtensionContext) {
  const [{ enum: names, enumDescriptions }] = extension.packageJSON.contributes.configuration.properties['rubric.judge'].anyOf
  const chosen: unknown = vscode.workspace.getConfiguration('rubric').get('judge')
  const choice = (judge: string, detail: string) => ({ label: judge || detail, description: chosenText(judge && detail, judge === chosen), judge })
  return [
    ...names.map((name: string, i: number) => choice(name, enumDescriptions[i])),
    ...(typeof chosen !== 'string' || names.includes(chosen) ? [] : [choice(chosen, '')]),
    { label: 'other…', description: 'PROVIDER:MODEL, cli:COMMAND, replay:FILE, or a target of targets.yaml', judge: undefined },
  ] as { label: string; description: string; judge?: string }[]
}

/** chosenText marks a choice that is chosen. */
function chosenText(detail: string, isChosen?: boolean) {
  return [detail, isChosen && '(chosen)'].filter(Boolean).join(' ')
}

/** chooseGrading lets the user choose what is graded or by whom. It reports whether that was done. */
async function chooseGrading({ context, session, model }: Services, uri: string) {
  // Without a process, only the expected answers can be graded.
  const { targets } = await session.request<{ targets: TargetChoice[] }>('rubric/targets', { textDocument: { uri } }).catch(() => ({ targets: [] as TargetChoice[] }))
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, target: undefined })
  const picked = await vscode.window.showQuickPick([
    ...(targets.length > 0 ? [separator('What is graded')] : []),
    ...targets.map((target) => ({ label: target.name || target.detail, description: chosenText(target.name && target.detail, target.chosen), target })),
    separator('Who judges'),
    ...judges(context).map((judge) => ({ ...judge, target: undefined })),
  ], { title: 'What Is Graded, and by Whom' })
  if (!picked) return false
  if (!picked.target) return setJudge(picked, model)
  const { name, recorded } = picked.target
  if (recorded || targets.some((target) => target.recorded && target.chosen)) await session.execute('rubric.measureRecording', { uri, recorded: recorded ? name : undefined })
  if (!recorded) await setOption('target', name || undefined)
  return true
}

async function setJudge(picked: { label: string; judge?: string } | undefined, model: Model) {
  if (!picked) return false
  const judge = picked.judge ?? (await vscode.window.showInputBox({ title: 'Choose a Judge', placeHolder: 'openai:MODEL', ignoreFocusOut: true }))
  if (judge === undefined) return false
  if (judge === 'editor') await model.choose()
  await setOption('judge', judge || undefined)
  return true
}

/** setOption sets an option of runs, of the workspace if there is one. */
async function setOption(name: string, value: string | undefined) {
  await vscode.workspace.getConfiguration('rubric').update(name, value, vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global)
}

async function openSample({ extensionUri }: vscode.ExtensionContext) {
  const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'sample/refund.eval.yaml'))
  const document = await vscode.workspace.openTextDocument({ language: 'rubric-eval', content: new TextDecoder().decode(text) })
  await vscode.window.showTextDocument(document)
}

/** showMenu shows the menu of the status bar item. */
async function showMenu({ extension }: vscode.ExtensionContext, jobs: Jobs) {
  const names = [...(jobs.progress.jobs > 0 ? ['rubric.run.cancel'] : []),
    'rubric.target.choose', 'rubric.results', 'rubric.model.choose', 'rubric.key.set', 'rubric.output', 'rubric.doctor', 'rubric.restart']
  const titles: { command: string; title: string }[] = extension.packageJSON.contributes.commands
  const picked = await vscode.window.showQuickPick(names.map((command) => ({ command, label: titles.find((t) => t.command === command)!.title })), { title: 'Rubric' })
  if (picked) await vscode.commands.executeCommand(picked.command)
}
