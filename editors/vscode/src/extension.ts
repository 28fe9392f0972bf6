// The desktop extension. The client library loads when it is needed.
import type * as vscode from 'vscode'
import { activateWith } from './activate.ts'

export function activate(context: vscode.ExtensionContext) {
  activateWith(context, async (options) => (await import('./desktop-client.ts')).connect(context, options))
}
