// The desktop's extension: the server is a process.
import * as vscode from 'vscode'
import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { LanguageClient } from 'vscode-languageclient/node'
import { activateWith } from './activate.ts'
import { locate, skew } from './locate.ts'

export function activate(context: vscode.ExtensionContext) {
  const version: string = context.extension.packageJSON.version
  return activateWith(context, async (options) => {
    const found = locate({
      setting: vscode.workspace.getConfiguration('rubric').get('server.path', ''),
      extension: context.extensionPath,
      path: process.env.PATH ?? '',
      home: homedir(),
      folder: vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file')?.uri.fsPath,
      platform: process.platform,
      executable,
    })
    const client = new LanguageClient('rubric', 'Rubric', { command: found.command, args: ['lsp'] }, options)
    client.onDidChangeState(() => {
      const warning = skew(version, client.initializeResult?.serverInfo?.version ?? version)
      if (warning) void vscode.window.showWarningMessage(`Rubric: ${warning}`)
    })
    return { client, where: `${found.command} (${found.source})` }
  })
}

function executable(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
