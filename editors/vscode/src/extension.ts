// The desktop extension. The client library is a file of its own, which loads when it is needed, and not during the
// activation: other extensions wait for that.
import type * as vscode from 'vscode'
import { activateWith } from './activate.ts'

export function activate(context: vscode.ExtensionContext) {
  activateWith(context, async (options) => {
    await new Promise(setImmediate)
    return (require('./client.js') as typeof import('./desktop-client.ts')).connect(context, options)
  })
}
