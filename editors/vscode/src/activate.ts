// What the desktop's and the web's extension have in common.
import * as vscode from 'vscode'
import { become } from './becoming.ts'
import { commands } from './commands.ts'
import { Explorer } from './explorer.ts'
import { selector } from './files.ts'
import { Jobs } from './jobs.ts'
import { Keys } from './keys.ts'
import { Model } from './model.ts'
import { meet } from './neighbours.ts'
import type { Beside, Progress, Question } from './protocol.ts'
import { Results } from './results.ts'
import { Session, type Connect } from './session.ts'
import { Status } from './status.ts'

/** activateWith puts everything in place. No server is started before an eval file is open or somebody asks for something. */
export function activateWith(context: vscode.ExtensionContext, connect: Connect) {
  const log = vscode.window.createOutputChannel('Rubric', { log: true })
  const keys = new Keys(context.secrets)
  const session = new Session(connect, log, keys.hiding(log))
  const jobs = new Jobs()
  const model = new Model(context.workspaceState)
  const explorer = new Explorer(session, jobs)
  const results = new Results(session)
  const status = new Status(session, jobs)

  session.onClient((client) => {
    client.onNotification('rubric/results', (progress: Progress) => jobs.take(progress))
    client.onRequest('rubric/ask', (question: Question, token) => model.ask(question, token))
    client.onRequest('rubric/read', (file: Beside) => read(file))
    client.onRequest('rubric/key', async ({ name }: { name: string }) => ({ key: await keys.get(name) }))
  })
  session.onChange(() => {
    if (session.state === 'stopped' || session.state === 'failed') jobs.end('the server has ended')
  })
  let running = false
  jobs.onProgress = (progress) => {
    if (running !== (running = jobs.underWay.jobs > 0)) void vscode.commands.executeCommand('setContext', 'rubric.running', running)
    status.draw()
    if (progress.state !== 'running' && progress.done > 0) void ended(vscode.Uri.parse(progress.uri), results, status)
  }

  const attend = () => {
    const document = vscode.window.activeTextEditor?.document
    const ours = document !== undefined && explorer.isEval(document)
    void vscode.commands.executeCommand('setContext', 'rubric.evalFile', ours)
    status.shown = ours
    status.draw()
    if (ours) void meet(document, context.globalState)
  }
  const look = (document: vscode.TextDocument) => {
    if (session.state === 'stopped' && vscode.languages.match(selector, document)) session.client().catch((fault) => missing(fault))
  }
  context.subscriptions.push(
    log, session, explorer, results, status,
    ...commands({ context, session, jobs, explorer, results, keys, model }),
    explorer.onLoad(attend),
    explorer.onLoad((uri) => turn(uri, session)),
    vscode.window.onDidChangeActiveTextEditor(attend),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration('rubric') && status.draw()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => (session.state === 'stopped' ? undefined : session.restart())),
  )
  attend()
  vscode.workspace.textDocuments.forEach(look)
}

/** missing says why there is no server, to somebody who only opened a file. */
async function missing(fault: unknown) {
  const settings = 'Open Settings'
  const output = 'Show Output'
  const picked = await vscode.window.showErrorMessage(`Rubric: ${fault instanceof Error ? fault.message : fault}`, settings, output)
  // The setting is a machine's: of the one that the extension runs on.
  const open = vscode.env.remoteName ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings'
  if (picked === settings) await vscode.commands.executeCommand(open, { query: 'rubric.server.path' })
  if (picked === output) await vscode.commands.executeCommand('rubric.output')
}

/** ended shows what a run came to, wherever results are on show. */
async function ended(uri: vscode.Uri, results: Results, status: Status) {
  try {
    status.cost((await results.report(uri)).spent)
    await results.refresh(uri)
  } catch {
    // The file may be closed, or have no results after all.
  }
}

/** turn has an open file become ours that is. */
function turn(uri: vscode.Uri, session: Session) {
  const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString())
  if (document) become(document, session).catch((fault) => session.log.warn(String(fault)))
}

/** read gives a server that has no files of its own one that stands beside an open one. */
async function read({ uri, beside }: Beside) {
  const one = vscode.Uri.parse(uri)
  if (one.scheme === 'untitled') return {} // which has no folder yet
  const file = vscode.Uri.joinPath(one, '..', beside)
  try {
    return { text: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) }
  } catch (fault) {
    if (fault instanceof vscode.FileSystemError && fault.code === 'FileNotFound') return {}
    throw fault // one that cannot be read is not none
  }
}
