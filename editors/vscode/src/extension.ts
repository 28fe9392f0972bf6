// The desktop's extension. What speaks to a server is loaded when one is needed.
import type * as vscode from 'vscode'
import { activateWith } from './activate.ts'

export function activate(context: vscode.ExtensionContext) {
  activateWith(context, async (options) => (await import('./connect.ts')).connect(context, options))
}
