// The web extension. Its server is the evaluator, WebAssembly in a worker. The client library loads when it is
// needed.
import * as vscode from 'vscode'
import { activateWith } from './activate.ts'

export function activate(context: vscode.ExtensionContext) {
  activateWith(context, async (options) => {
    const { LanguageClient } = await import('vscode-languageclient/browser')
    const dist = vscode.Uri.joinPath(context.extensionUri, 'dist')
    const module = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, 'rubric.wasm'))
    const worker = new Worker(vscode.Uri.joinPath(dist, 'server.js').toString(true))
    worker.postMessage({ module })
    return { client: new LanguageClient('rubric', 'Rubric', options, worker), where: 'in a worker' }
  })
}
