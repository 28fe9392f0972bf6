// Collects facts about the editor, the server and the judge for bug reports.
import * as vscode from 'vscode'
import { runnable } from './files.ts'
import type { Keys } from './keys.ts'
import type { Model } from './model.ts'
import type { Session } from './session.ts'

export async function doctor(context: vscode.ExtensionContext, session: Session, keys: Keys, model: Model): Promise<string[]> {
  await session.client().catch(() => {}) // the report below contains the error
  const settings = vscode.workspace.getConfiguration('rubric')
  const evalFiles = await Promise.all(runnable.map((pattern) => vscode.workspace.findFiles(pattern, '**/node_modules/**')))
  const models = await Promise.resolve(vscode.lm?.selectChatModels()).catch(() => undefined)
  const { server, fault, state, where } = session
  return [
    `extension   ${context.extension.packageJSON.version}`,
    `editor      ${vscode.env.appName} ${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}${vscode.env.remoteName ? `, ${vscode.env.remoteName}` : ''}`,
    `workspace   ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted: nothing runs'}, ${new Set(evalFiles.flat().map(String)).size} eval files`,
    `server      ${state}${server ? `, ${server.name} ${server.version}, ${where}` : ''}`,
    `folder      ${context.extensionPath || context.extensionUri}`,
    ...(fault ? [`last fault  ${fault}`] : []),
    `judge       ${settings.get('judge') || 'as the files say'}`,
    `target      ${settings.get('target') || 'as the files say'}`,
    `keys        ${(await keys.names()).join(', ') || 'none'}`,
    `models      ${models?.map((m) => m.name).join(', ') || 'none'} of the editor's; ${model.name || 'none'} is chosen`,
    `yaml        ${vscode.extensions.getExtension('redhat.vscode-yaml') ? 'the YAML extension is installed' : 'no YAML extension'}`,
  ]
}
