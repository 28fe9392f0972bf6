// What somebody wants to know who helps: of the editor, the server, the judge.
import * as vscode from 'vscode'
import { runnable } from './files.ts'
import type { Keys } from './keys.ts'
import type { Model } from './model.ts'
import type { Session } from './session.ts'

export async function doctor(context: vscode.ExtensionContext, session: Session, keys: Keys, model: Model): Promise<string[]> {
  await session.client().catch(() => {}) // what is wrong is told below
  const settings = vscode.workspace.getConfiguration('rubric')
  const found = await Promise.all(runnable.map((pattern) => vscode.workspace.findFiles(pattern, '**/node_modules/**')))
  const models = await Promise.resolve(vscode.lm?.selectChatModels()).catch(() => undefined)
  const { server, fault, state, where } = session
  return [
    `extension   ${context.extension.packageJSON.version}`,
    `editor      ${vscode.env.appName} ${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}${vscode.env.remoteName ? `, ${vscode.env.remoteName}` : ''}`,
    `workspace   ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted: nothing is run'}, ${new Set(found.flat().map(String)).size} eval files`,
    `server      ${state}${server ? `, ${server.name} ${server.version}, ${where}` : ''}`,
    ...(fault ? [`fault       ${fault}`] : []),
    `judge       ${settings.get('judge')}`,
    `target      ${settings.get('target')}`,
    `keys        ${(await keys.names()).join(', ') || 'none'}`,
    `models      ${models?.map((m) => m.name).join(', ') || 'none'} of the editor's; ${model.name || 'none'} is chosen`,
    `yaml        ${vscode.extensions.getExtension('redhat.vscode-yaml') ? 'the YAML extension is there too' : 'no YAML extension'}`,
  ]
}
