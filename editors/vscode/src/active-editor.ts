// The editor that commands and the status bar are about.
import * as vscode from 'vscode'

let last: vscode.TextEditor | undefined

/** activeEditor returns the active text editor. While a panel of another kind is active, such as that of a case, it is the one before, if it is still visible. */
export function activeEditor() {
  last = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.find((editor) => editor === last)
  return last
}
