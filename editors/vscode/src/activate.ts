// The activation that the desktop and web extensions share.
import * as vscode from 'vscode'
import { activeEditor } from './active-editor.ts'
import { setRubricLanguage } from './set-language.ts'
import { commands } from './commands.ts'
import { CasePanel } from './case-panel.ts'
import { Drafts } from './drafts.ts'
import { Explorer } from './explorer.ts'
import { selects } from './files.ts'
import { Jobs } from './jobs.ts'
import { Keys } from './keys.ts'
import { Model } from './model.ts'
import { offerToLeaveFiles } from './yaml-extension.ts'
import type { Draft, NeighbourRequest, Progress, Question } from './protocol.ts'
import { Results } from './results.ts'
import { Session, type Connect } from './session.ts'
import { Status } from './status.ts'

/** activateWith creates and registers everything. The server starts only when an eval file is open or a command needs it. */
export function activateWith(context: vscode.ExtensionContext, connect: Connect) {
  const log = vscode.window.createOutputChannel('Rubric', { log: true })
  const keys = new Keys(context.secrets)
  const session = new Session(connect, log, keys.redactingChannel(log))
  const jobs = new Jobs()
  const model = new Model(context.workspaceState)
  const explorer = new Explorer(session, jobs)
  const results = new Results(session, explorer)
  const drafts = new Drafts()
  const casePanel = new CasePanel(session, context.extensionUri)
  const status = new Status(session, jobs, explorer)

  session.onClient((client) => {
    client.onNotification('rubric/results', (progress: Progress) => jobs.receive(progress))
    client.onNotification('rubric/preview', (draft: Draft) => drafts.show(draft).catch((error) => session.log.warn(String(error))))
    client.onRequest('rubric/ask', (question: Question, token) => model.ask(question, token))
    client.onRequest('rubric/read', (file: NeighbourRequest) => readNeighbour(file))
    client.onRequest('rubric/key', async ({ name }: { name: string }) => ({ key: await keys.get(name) }))
  })
  session.onChange(() => {
    if (session.state !== 'running') jobs.failAll('the server has ended')
    if (session.state === 'crashed') void reportCrashes(session)
  })
  let wasRunning = false
  let needsModel = false
  let isJudgeOffered = false // once in a window
  jobs.onProgress = (progress) => {
    if (wasRunning !== (wasRunning = jobs.progress.jobs > 0)) void vscode.commands.executeCommand('setContext', 'rubric.running', wasRunning)
    status.update()
    needsModel ||= progress.results.some(({ state, message }) => state === 'ungraded' && message?.endsWith('needs a model'))
    if (progress.state !== 'running' && needsModel && !isJudgeOffered) {
      isJudgeOffered = true
      void offerJudge()
    }
    if (progress.state !== 'running' && progress.done > 0) void showResults(vscode.Uri.parse(progress.uri), results, status)
  }

  const onActiveEditor = () => {
    const document = activeEditor()?.document
    const isEval = document !== undefined && explorer.isEval(document)
    void vscode.commands.executeCommand('setContext', 'rubric.evalFile', isEval)
    status.isEvalFileActive = isEval
    status.update()
    if (isEval) void offerToLeaveFiles(document, context.globalState)
  }
  const startServer = (document: vscode.TextDocument) => {
    if (session.state === 'stopped' && selects(document)) session.client().catch((error) => reportMissingServer(error))
  }
  context.subscriptions.push(
    log, session, explorer, results, drafts, casePanel, status,
    ...commands({ context, session, jobs, explorer, results, drafts, casePanel, keys, model }),
    explorer.onLoad(onActiveEditor),
    explorer.onLoad((uri) => updateLanguage(uri, session)),
    vscode.window.onDidChangeActiveTextEditor(onActiveEditor),
    vscode.workspace.onDidOpenTextDocument(startServer),
    vscode.workspace.onDidGrantWorkspaceTrust(() => (session.state === 'stopped' ? undefined : session.restart())),
  )
  onActiveEditor()
  vscode.workspace.textDocuments.forEach(startServer)
}

/** reportMissingServer shows why the server did not start. */
async function reportMissingServer(error: unknown) {
  const settings = 'Open Settings'
  const output = 'Show Output'
  const choice = await vscode.window.showErrorMessage(`Rubric: ${error instanceof Error ? error.message : error}`, settings, output)
  // The setting has machine scope, so on a remote machine its settings apply.
  const open = vscode.env.remoteName ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings'
  if (choice === settings) await vscode.commands.executeCommand(open, { query: 'rubric.server.path' })
  if (choice === output) await vscode.commands.executeCommand('rubric.output')
}

/** reportCrashes says that the server is not restarted any more. */
async function reportCrashes(session: Session) {
  const restart = 'Restart'
  const choice = await vscode.window.showErrorMessage(`Rubric: ${session.fault}. Nothing is checked until it is restarted.`, restart, 'Show Output')
  if (choice) await vscode.commands.executeCommand(choice === restart ? 'rubric.restart' : 'rubric.output')
}

/** offerJudge offers another judge for what the offline judge leaves ungraded. */
async function offerJudge() {
  const choose = 'Choose Judge'
  const choice = await vscode.window.showInformationMessage("Some criteria are ungraded because they need a model, such as the editor's own (judge `editor`).", choose)
  if (choice === choose) await vscode.commands.executeCommand('rubric.judge.choose')
}

/** showResults updates the status bar and the report after a run. */
async function showResults(uri: vscode.Uri, results: Results, status: Status) {
  try {
    status.showUsage((await results.report(uri, true)).spent)
    await results.refresh(uri)
  } catch {
    // The file may be closed or have no results.
  }
}

/** updateLanguage changes the language of an open JSON file that is an eval file. */
function updateLanguage(uri: vscode.Uri, session: Session) {
  const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString())
  if (document) setRubricLanguage(document, session).catch((error) => session.log.warn(String(error)))
}

/** readNeighbour reads a file in the folder of an open one, or above it in the workspace, for a server without file access. */
async function readNeighbour({ uri, beside, above }: NeighbourRequest) {
  const openFile = vscode.Uri.parse(uri)
  if (openFile.scheme === 'untitled') return {} // it has no folder yet
  const root = above ? vscode.workspace.getWorkspaceFolder(openFile)?.uri.path : undefined
  for (let folder = vscode.Uri.joinPath(openFile, '..'); ; folder = vscode.Uri.joinPath(folder, '..')) {
    try {
      return { text: new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, beside))) }
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) throw error // an unreadable file is not a missing one
    }
    if (root === undefined || folder.path.length <= root.length) return {}
  }
}
