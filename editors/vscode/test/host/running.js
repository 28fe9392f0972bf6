// What is run, and what is shown of it.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')
const { until, open, findings, text } = require('./editor.js')

const lenses = (uri) => vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 50)
const titles = async (uri) => (await lenses(uri)).map((l) => `${l.range.start.line} ${l.command.title}`)
const hints = async (uri) => {
  const all = await vscode.commands.executeCommand('vscode.executeInlayHintProvider', uri, new vscode.Range(0, 0, 99, 0))
  return all.map((h) => `${h.position.line} ${h.label.map?.((p) => p.value).join('') ?? h.label}`)
}

/** press does what a lens does that is clicked. */
async function press(uri, line, title) {
  const lens = await until(`the lens ${title}`, async () => (await lenses(uri)).find((l) => l.range.start.line === line && l.command.title === title))
  await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments)
}

module.exports = {
  async 'a lens runs a case with the offline judge, and an edit makes one criterion stale'() {
    const { uri, document, editor } = await open('refund.eval.yaml')
    await press(uri, 1, 'Run case')
    await until('the verdict', async () => (await titles(uri)).some((t) => t.startsWith('1 fail, score 0.5')))
    const graded = await until('grades', async () => {
      const all = await hints(uri)
      return all.some((h) => h.startsWith('6 ') && h.endsWith(' satisfied')) && all
    })
    assert.ok(graded.includes('6 satisfied'), graded.join('; '))
    assert.ok(graded.includes('8 not satisfied'), graded.join('; '))
    await until('the failed gate', () => findings(document).some((f) => f.includes('failed-gate')))

    const word = document.lineAt(7).text.indexOf('30 days')
    await editor.edit((e) => e.replace(new vscode.Range(7, word, 7, word + 2), '60'))
    const stale = await until('a stale grade', async () => {
      const all = await hints(uri)
      return all.some((h) => h.includes('(stale)')) && all
    })
    assert.deepEqual(stale.filter((h) => h.includes('satisfied')), ['6 satisfied (stale)', '8 not satisfied'])
    await vscode.commands.executeCommand('workbench.action.files.revert')
  },

  async 'the results are shown beside the file'() {
    await open('refund.eval.yaml')
    await vscode.commands.executeCommand('rubric.results')
    const tab = await until('the panel', () => vscode.window.tabGroups.all.flatMap((g) => g.tabs).find((t) => t.label === 'Results of refund.eval.yaml'))
    await vscode.window.tabGroups.close(tab)
  },

  async 'commands at the cursor run the case that it is in'() {
    const { uri, editor } = await open('refund.eval.yaml')
    editor.selection = new vscode.Selection(12, 0, 12, 0)
    await vscode.commands.executeCommand('rubric.run.case')
    await until('the verdict', async () => (await titles(uri)).some((t) => t.startsWith('10 pass, score 1')))
  },

  async 'a server that is started anew works'() {
    const { uri } = await open('refund.eval.yaml')
    await vscode.commands.executeCommand('rubric.restart')
    const hovers = await until('a hover', async () => {
      const all = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(2, 8))
      return all.length > 0 && all
    })
    assert.match(text(hovers), /expected_outcome/)
  },

  async 'the doctor tells of the server, the judge and the workspace'() {
    const report = (await vscode.commands.executeCommand('rubric.doctor')).join('\n')
    for (const line of [/^server +running, rubric .+tap\.mjs \(setting\), over its standard input and output$/m, /^judge +as the files say$/m, /^workspace +trusted, \d+ eval files$/m, /^keys +none$/m]) {
      assert.match(report, line)
    }
  },
}
