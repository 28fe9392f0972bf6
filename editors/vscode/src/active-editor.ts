// The editor that commands and the status bar are about.
import * as vscode from 'vscode'

let last: vscode.TextEditor | undefined

/** activeEditor returns the active text editor. While something else is active, such as the panel of a case or the output, it is the one before, if it is still visible. */
export function activeEditor() {
  const active = vscode.window.activeTextEditor
  last = active && active.document.uri.scheme !== 'output' ? active : vscode.window.visibleTextEditors.find((editor) => editor === last)
  return last
}
