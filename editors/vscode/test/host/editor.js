// What tests do in the editor.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')

/** until waits for what `look` gives; nothing else tells of it. */
exports.until = async (what, look, patience = 120_000) => {
  const end = Date.now() + patience
  for (;;) {
    const result = await look()
    if (result) return result
    if (Date.now() > end) throw new Error(`${what}: not within ${patience / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** open opens a file of the workspace in an editor. */
exports.open = async (name) => {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name)
  const document = await vscode.workspace.openTextDocument(uri)
  const editor = await vscode.window.showTextDocument(document)
  return { uri, document, editor }
}

/** findings are a document's diagnostics as `line:start-end severity code: text`, in the order of the text. */
exports.findings = (document) =>
  vscode.languages.getDiagnostics(document.uri).sort((a, b) => a.range.start.compareTo(b.range.start)).map(({ range: r, code, severity }) => {
    const end = r.end.line === r.start.line ? r.end.character : `${r.end.line}:${r.end.character}`
    return `${r.start.line}:${r.start.character}-${end} ${vscode.DiagnosticSeverity[severity]} ${code?.value ?? code}: ${document.getText(r)}`
  })

/** find waits for the findings of a document to be these, and shows those that there are instead. */
exports.find = async (document, ...want) => {
  const same = () => exports.findings(document).join('\n') === want.join('\n')
  await exports.until('the findings', same).catch(() => assert.deepEqual(exports.findings(document), want))
}

exports.text = (hovers) => hovers.flatMap((h) => h.contents.map((c) => c.value ?? c)).join('\n')
