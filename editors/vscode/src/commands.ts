// The commands of the palette. What the server's own commands do they let it do.
import * as vscode from 'vscode'
import { doctor } from './doctor.ts'
import type { Explorer } from './explorer.ts'
import type { Jobs } from './jobs.ts'
import type { Keys } from './keys.ts'
import type { Model } from './model.ts'
import type { Scored, Started } from './protocol.ts'
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
  const { context, session, jobs, results, keys, model } = parts
  const all: Record<string, (argument?: unknown) => unknown> = {
    'rubric.run.case': () => run(parts, 'rubric.runCase', true),
    'rubric.run.file': () => run(parts, 'rubric.runFile', false),
    'rubric.run.again': () => run(parts, 'rubric.rejudge', false),
    'rubric.run.dry': () => session.execute('rubric.dryRun', { uri: active().uri.toString() }),
    'rubric.run.cancel': () => session.execute('rubric.cancelRun', {}),
    'rubric.generate': async () => session.execute('rubric.generateRubrics', await caseAtCursor(parts)),
    'rubric.grade': (grades) => grade(parts, grades as Grade[] | undefined),
    'rubric.results': () => results.show(active().uri),
    'rubric.judge.choose': () => chooseJudge(model),
    'rubric.model.choose': () => model.choose(),
    'rubric.key.set': () => keys.set(),
    'rubric.key.forget': () => keys.forget(),
    'rubric.sample': () => sample(context),
    'rubric.restart': () => session.restart(),
    'rubric.output': () => session.log.show(),
    'rubric.doctor': async () => {
      for (const line of await doctor(context, session, keys, model)) session.log.info(line)
      session.log.show()
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

async function run({ session, jobs, explorer, ...rest }: Parts, command: string, one: boolean) {
  const argument = one ? await caseAtCursor({ session, jobs, explorer, ...rest }) : { uri: active().uri.toString() }
  return session.execute<Started>(command, argument)
}

/** caseAtCursor is the last case that begins before the cursor, or the first. */
async function caseAtCursor({ explorer }: Parts) {
  const { uri } = active()
  const line = vscode.window.activeTextEditor!.selection.active.line
  const cases = await explorer.casesOf(uri)
  const found = cases.findLast((c) => (c.range?.start.line ?? 0) <= line) ?? cases[0]
  if (!found) throw new Error('this file has no cases')
  return found.target
}

/** Grade is what somebody grades a criterion of the answer that they have before them. */
interface Grade {
  id: string
  satisfied: boolean
}

/** grade tells what a case comes to by the grades of a person; no judge is asked. */
async function grade({ session, explorer, ...rest }: Parts, given?: Grade[]) {
  const { uri, case: id } = await caseAtCursor({ session, explorer, ...rest })
  const cases = await explorer.casesOf(active().uri)
  const criteria = cases.find((c) => c.target.case === id)!.children
  const picked = given ?? (await vscode.window.showQuickPick(criteria.map((c) => ({ label: c.label, id: c.target.criterion! })), {
    title: `Grade ${id}: Which Criteria Are Satisfied?`, canPickMany: true,
  }).then((items) => items && criteria.map((c) => ({ id: c.target.criterion!, satisfied: items.some((i) => i.id === c.target.criterion) }))))
  if (!picked) return undefined
  const result = await session.request<Scored>('rubric/score', { uri, case: id, grades: picked })
  const why = result.gates.find((gate) => !gate.met)?.reason
  if (!given) void vscode.window.showInformationMessage(`${id}: ${result.verdict}, score ${Math.round(result.score * 1000) / 1000}${why ? `; ${why}` : ''}`)
  return result
}

async function chooseJudge(model: Model) {
  const picked = await vscode.window.showQuickPick([
    { label: 'offline', description: 'no model: compares words' },
    { label: 'editor', description: "the editor's own model" },
    { label: 'other…', description: 'PROVIDER:MODEL, cli:COMMAND, replay:FILE, or a target of targets.yaml' },
  ], { title: 'Who Judges' })
  if (!picked) return
  const judge = picked.label === 'other…' ? await vscode.window.showInputBox({ title: 'Who Judges', placeHolder: 'openai:MODEL' }) : picked.label
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
