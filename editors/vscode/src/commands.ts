// The commands of the palette. What the server's own commands do they let it do.
import * as vscode from 'vscode'
import { doctor } from './doctor.ts'
import type { Explorer } from './explorer.ts'
import type { Jobs } from './jobs.ts'
import type { Keys } from './keys.ts'
import type { Model } from './model.ts'
import type { Plan, Scored, Started, Target, TestItem } from './protocol.ts'
import type { Results } from './results.ts'
import type { Session } from './session.ts'

/** Parts are what commands are about. */
export interface Parts {
  context: vscode.ExtensionContext
  session: Session
  jobs: Jobs
  explorer: Explorer
  results: Results
  keys: Keys
  model: Model
}

/** commands registers all of them; one that fails says why. */
export function commands(parts: Parts): vscode.Disposable[] {
  const { context, session, jobs, explorer, results, keys, model } = parts
  const all: Record<string, (argument?: unknown) => unknown> = {
    'rubric.run.case': async () => session.execute<Started>('rubric.runCase', (await caseAtCursor(explorer)).target),
    'rubric.run.file': () => session.execute<Started>('rubric.runFile', file()),
    'rubric.run.again': () => session.execute<Started>('rubric.rejudge', file()),
    'rubric.run.dry': () => session.execute<Plan>('rubric.dryRun', file()),
    'rubric.run.cancel': () => session.execute('rubric.cancelRun', {}),
    'rubric.generate': async () => session.execute('rubric.generateRubrics', (await caseAtCursor(explorer)).target),
    'rubric.grade': (grades) => grade(parts, Array.isArray(grades) ? grades : undefined),
    'rubric.results': () => results.show(active().uri),
    'rubric.judge.choose': () => chooseJudge(model),
    'rubric.model.choose': () => model.choose(),
    'rubric.key.set': () => keys.set(),
    'rubric.key.forget': () => keys.forget(),
    'rubric.sample': () => sample(context),
    'rubric.restart': () => session.restart(),
    'rubric.output': () => session.log.show(),
    'rubric.doctor': async () => {
      const lines = await doctor(context, session, keys, model)
      for (const line of lines) session.log.info(line)
      session.log.show()
      return lines
    },
    'rubric.menu': () => menu(context, jobs),
  }
  return Object.entries(all).map(([name, act]) => vscode.commands.registerCommand(name, async (argument?: unknown) => {
    try {
      return await act(argument)
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault)
      session.log.error(`${name}: ${why}`)
      void vscode.window.showErrorMessage(`Rubric: ${why}`)
      return undefined
    }
  }))
}

function active() {
  const editor = vscode.window.activeTextEditor
  if (!editor) throw new Error('no eval file is open')
  return editor.document
}

/** file is the open file as commands take it. */
function file(): Target {
  return { uri: active().uri.toString() }
}

/** caseAtCursor is the last case that begins before the cursor, or the first. */
async function caseAtCursor(explorer: Explorer): Promise<TestItem> {
  const { uri } = active()
  const line = vscode.window.activeTextEditor!.selection.active.line
  const cases = await explorer.casesOf(uri)
  const found = cases.findLast((c) => (c.range?.start.line ?? 0) <= line) ?? cases[0]
  if (!found) throw new Error('this file has no cases')
  return found
}

/** Grade is what somebody grades a criterion of the answer that they have before them. */
interface Grade {
  id: string
  satisfied: boolean
}

/** grade tells what a case comes to by the grades of a person; no judge is asked. */
async function grade({ session, explorer }: Parts, given?: Grade[]) {
  const { target: { uri, case: id }, children } = await caseAtCursor(explorer)
  const grades = given ?? (await pickSatisfied(`Grade ${id}: Which Criteria Are Satisfied?`, children))
  if (!grades) return undefined
  const result = await session.request<Scored>('rubric/score', { uri, case: id, grades })
  const why = result.gates.find((gate) => !gate.met)?.reason
  if (!given) void vscode.window.showInformationMessage(`${id}: ${result.verdict}${result.score === null ? '' : `, score ${Math.round(result.score * 1000) / 1000}`}${why ? `; ${why}` : ''}`)
  return result
}

async function pickSatisfied(title: string, criteria: TestItem[]): Promise<Grade[] | undefined> {
  const all = criteria.map(({ label, target }) => ({ label, id: target.criterion! }))
  const picked = await vscode.window.showQuickPick(all, { title, canPickMany: true })
  return picked && all.map(({ id }) => ({ id, satisfied: picked.some((p) => p.id === id) }))
}

async function chooseJudge(model: Model) {
  const picked = await vscode.window.showQuickPick([
    { label: 'offline', description: 'no model: compares words' },
    { label: 'editor', description: "the editor's own model" },
    { label: 'other…', description: 'PROVIDER:MODEL, cli:COMMAND, replay:FILE, or a target of targets.yaml' },
  ], { title: 'Who Judges' })
  if (!picked) return
  const judge = picked.label === 'other…' ? await vscode.window.showInputBox({ title: 'Who Judges', placeHolder: 'openai:MODEL', ignoreFocusOut: true }) : picked.label
  if (!judge) return
  if (judge === 'editor') await model.choose()
  await vscode.workspace.getConfiguration('rubric').update('judge', judge, vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global)
}

async function sample({ extensionUri }: vscode.ExtensionContext) {
  const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'sample/refund.eval.yaml'))
  const document = await vscode.workspace.openTextDocument({ language: 'rubric-eval', content: new TextDecoder().decode(text) })
  await vscode.window.showTextDocument(document)
}

/** menu is what the status bar leads to. */
async function menu({ extension }: vscode.ExtensionContext, jobs: Jobs) {
  const names = [...(jobs.underWay.jobs > 0 ? ['rubric.run.cancel'] : []),
    'rubric.results', 'rubric.judge.choose', 'rubric.model.choose', 'rubric.key.set', 'rubric.output', 'rubric.doctor', 'rubric.restart']
  const titles: { command: string; title: string }[] = extension.packageJSON.contributes.commands
  const picked = await vscode.window.showQuickPick(names.map((command) => ({ command, label: titles.find((t) => t.command === command)!.title })), { title: 'Rubric' })
  if (picked) await vscode.commands.executeCommand(picked.command)
}
