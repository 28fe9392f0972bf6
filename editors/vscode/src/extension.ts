// The desktop extension. The client library is a file of its own, which loads when it is needed.
import type * as vscode from 'vscode'
import { activateWith } from './activate.ts'

export function activate(context: vscode.ExtensionContext) {
  activateWith(context, async (options) => (require('./client.js') as typeof import('./desktop-client.ts')).connect(context, options))
}
