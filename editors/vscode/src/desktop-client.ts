// The desktop's clients. The server is a process, or in an untrusted workspace a thread of the extension host.
import * as vscode from 'vscode'
import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { LanguageClient, type LanguageClientOptions } from 'vscode-languageclient/node'
import { findServer, versionWarning } from './find-server.ts'
import type { Connection } from './session.ts'
import { startServerThread } from './server-thread.ts'

/** connect creates the client that the workspace's trust allows. */
export function connect(context: vscode.ExtensionContext, options: LanguageClientOptions): Connection {
  if (!vscode.workspace.isTrusted) {
    const client = new LanguageClient('rubric', 'Rubric', async () => startServerThread(context.asAbsolutePath('dist')), options)
    return { client, where: 'in a thread, since the workspace is not trusted' }
  }
  const { command, source } = findServer({
    setting: vscode.workspace.getConfiguration('rubric').get('server.path', ''),
    extension: context.extensionPath,
    path: process.env.PATH ?? '',
    home: homedir(),
    folder: vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file')?.uri.fsPath,
    platform: process.platform,
    isExecutable,
  })
  const client = new LanguageClient('rubric', 'Rubric', { command, args: ['lsp'] }, options)
  const version: string = context.extension.packageJSON.version
  client.onDidChangeState(() => {
    const warning = versionWarning(version, client.initializeResult?.serverInfo?.version ?? version)
    if (warning) void vscode.window.showWarningMessage(`Rubric: ${warning}`)
  })
  return { client, where: `${command} (${source}), over its standard input and output` }
}

function isExecutable(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
