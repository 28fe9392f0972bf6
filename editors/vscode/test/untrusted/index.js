// In an untrusted workspace.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')
const { existsSync } = require('node:fs')
const { until, open, find, text } = require('../host/editor.js')

exports.run = require('../host/tests.js').run({
  async 'the workspace is not trusted'() {
    assert.equal(vscode.workspace.isTrusted, false)
  },

  async 'what needs no running is all there'() {
    const { uri, document } = await open('faults.eval.yaml')
    await find(document,
      '6:14-17 Hint id-style: 窓👍',
      '6:79-85 Error unknown-key: wieght',
      '9:16-18 Error out-of-bounds: -3',
      '11:4-10 Error unknown-key: outcom',
    )
    assert.match(text(await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(9, 10))), /weight/)
  },

  async 'an untrusted workspace runs, asks and starts nothing'() {
    const { uri } = await open('refund.eval.yaml')
    const marker = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'started').fsPath
    for (const command of ['rubric.runFile', 'rubric.runCase', 'rubric.rejudge']) {
      await until(command, async () => {
        const { refused } = await vscode.commands.executeCommand(command, { uri: uri.toString(), case: 'window' }).catch((fault) => ({ refused: fault.message }))
        return /not trusted/.test(refused) || (/not found/.test(refused) ? false : assert.fail(refused ?? `${command} was done`))
      })
    }
    assert.equal(existsSync(marker), false)
  },

  async 'a refused run says what the file names, and what to do'() {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'named.eval.yaml')
    const cases = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(uri, '../refund.eval.yaml'))
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`execution: { target: prod }\n${cases.getText()}`))
    await open('named.eval.yaml')
    await until('the refusal', async () => {
      const { refused } = await vscode.commands.executeCommand('rubric.runFile', { uri: uri.toString() }).catch((fault) => ({ refused: fault.message }))
      return /named\.eval\.yaml names the target `prod`; trust the workspace in your editor first/.test(refused) || (/not (found|open)/.test(refused) ? false : assert.fail(refused ?? 'it ran'))
    })
  },

  async 'grades are scored all the same'() {
    await open('refund.eval.yaml')
    const result = await vscode.commands.executeCommand('rubric.grade', [{ id: 'days', satisfied: true }, { id: 'label', satisfied: true }])
    assert.deepEqual([result.score, result.verdict], [1, 'pass'])
  },
})
