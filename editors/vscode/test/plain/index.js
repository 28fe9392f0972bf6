// In a workspace without an eval file.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')
const { open, until } = require('../host/editor.js')

const extension = () => vscode.extensions.getExtension('rubric-ls.rubric')

/** activation is what VS Code itself measured of ours, in milliseconds; undefined until it tells. */
async function activation() {
  await vscode.commands.executeCommand('perfview.show')
  const text = vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'perf')?.getText() ?? ''
  const row = text.split('\n').find((line) => /^\|\s*rubric-ls\.rubric\s*\|/.test(line))
  const [, , , loading, calling] = row?.split('|').map((cell) => cell.trim()) ?? []
  return loading && { loading: Number(loading), calling: Number(calling) }
}

exports.run = require('../host/tests.js').run({
  async 'ordinary YAML activates nothing'() {
    const { document } = await open('plain.yaml')
    assert.equal(document.languageId, 'yaml')
    await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, new vscode.Position(0, 0))
    assert.equal(extension().isActive, false)
  },

  async 'the first eval file does'() {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'first.eval.yaml')
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('evalcases: []\n'))
    await vscode.window.showTextDocument(uri)
    await until('its activation', () => extension().isActive)
    const { loading, calling } = await until('the times', activation)
    console.log(`ok activated in ${loading + calling} ms by VS Code's own clock: ${loading} of loading, ${calling} of the call; 100 are the goal`)
  },

  async 'a sample is opened and looked at'() {
    await vscode.commands.executeCommand('rubric.sample')
    const { document } = vscode.window.activeTextEditor
    assert.equal(document.languageId, 'rubric-eval')
    await until('its fault', () => vscode.languages.getDiagnostics(document.uri).some((d) => document.getText(d.range) === 'wieght'))
  },
})
