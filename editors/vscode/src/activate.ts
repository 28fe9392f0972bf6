// What the desktop's and the web's extension have in common.
import * as vscode from 'vscode'
import { selector } from './files.ts'
import { Session, type Connect } from './session.ts'

/** activateWith registers everything and starts nothing before an eval file is open. */
export function activateWith(context: vscode.ExtensionContext, connect: Connect) {
  const log = vscode.window.createOutputChannel('Rubric', { log: true })
  const session = new Session(connect, log, {})
  context.subscriptions.push(log, session)

  const look = (document: vscode.TextDocument) => {
    if (session.state === 'stopped' && vscode.languages.match(selector, document)) session.client().catch(() => {})
  }
  vscode.workspace.textDocuments.forEach(look)
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidGrantWorkspaceTrust(() => (session.state === 'stopped' ? undefined : session.restart())),
  )
}
