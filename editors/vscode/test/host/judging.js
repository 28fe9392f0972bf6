// The editor's own model as the judge.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')
const { existsSync, writeFileSync, rmSync } = require('node:fs')
const { until, open } = require('./editor.js')

/** judge sets who judges, and waits for the server to know. */
async function judge(uri, name) {
  await vscode.workspace.getConfiguration('rubric').update('judge', name, vscode.ConfigurationTarget.Workspace)
  await until('the judge', async () => (await vscode.commands.executeCommand('rubric.dryRun', { uri: uri.toString() })).judge === (name ?? 'offline'))
}

const hints = async (uri) => (await vscode.commands.executeCommand('vscode.executeInlayHintProvider', uri, new vscode.Range(0, 0, 99, 0))).map((h) => `${h.position.line} ${h.label.map?.((p) => p.value).join('') ?? h.label}`)
const file = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name).fsPath

module.exports = {
  async 'the editor’s own model judges a case that is run'() {
    const { uri } = await open('refund.eval.yaml')
    await judge(uri, 'editor')
    await vscode.commands.executeCommand('rubric.runCase', { uri: uri.toString(), case: 'window' })
    await until('grades', async () => (await hints(uri)).includes('8 satisfied'))
    const hover = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(8, 13))
    assert.match(hover.flatMap((h) => h.contents.map((c) => c.value)).join('\n'), /so it is/)
    assert.match((await vscode.commands.executeCommand('rubric.doctor')).join('\n'), /^models +Obliging of the editor's; obliging is chosen$/m)
  },

  async 'cancelling a run cancels the request to the model'() {
    const { uri } = await open('refund.eval.yaml')
    writeFileSync(file('thinking'), '')
    const { job } = await vscode.commands.executeCommand('rubric.runCase', { uri: uri.toString(), case: 'greeting' })
    await until('the model to be asked', () => existsSync(file('asked')))
    await vscode.commands.executeCommand('rubric.cancelRun', { job })
    await until('the model to hear of it', () => existsSync(file('cancelled')))
    rmSync(file('thinking'))
    await judge(uri, undefined)
  },
}
