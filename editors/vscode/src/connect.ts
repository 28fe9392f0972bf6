// The desktop's clients: of a server that is a process, or, where nothing may be
// started, a thread of the extension host's.
import * as vscode from 'vscode'
import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { LanguageClient, type LanguageClientOptions } from 'vscode-languageclient/node'
import { locate, skew } from './locate.ts'
import type { Connection } from './session.ts'
import { thread } from './thread.ts'

/** connect makes the client that the workspace's trust allows. */
export function connect(context: vscode.ExtensionContext, options: LanguageClientOptions): Connection {
  if (!vscode.workspace.isTrusted) {
    const client = new LanguageClient('rubric', 'Rubric', async () => thread(context.asAbsolutePath('dist')), options)
    return { client, where: 'in a thread, since the workspace is not trusted' }
  }
  const { command, source } = locate({
    setting: vscode.workspace.getConfiguration('rubric').get('server.path', ''),
    extension: context.extensionPath,
    path: process.env.PATH ?? '',
    home: homedir(),
    folder: vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file')?.uri.fsPath,
    platform: process.platform,
    executable,
  })
  const client = new LanguageClient('rubric', 'Rubric', { command, args: ['lsp'] }, options)
  const version: string = context.extension.packageJSON.version
  client.onDidChangeState(() => {
    const warning = skew(version, client.initializeResult?.serverInfo?.version ?? version)
    if (warning) void vscode.window.showWarningMessage(`Rubric: ${warning}`)
  })
  return { client, where: `${command} (${source})` }
}

function executable(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
