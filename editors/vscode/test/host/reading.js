// What is shown of a file as it is read and typed.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')
const { until, open, find, findings, text } = require('./editor.js')

module.exports = {
  async 'diagnostics have exact ranges'() {
    const { document } = await open('faults.eval.yaml')
    assert.equal(document.languageId, 'rubric-eval')
    await find(document,
      '6:14-17 Hint id-style: 窓👍',
      '6:79-85 Error unknown-key: wieght',
      '9:16-18 Error out-of-bounds: -3',
      '11:4-10 Error unknown-key: outcom',
    )
  },

  async 'a revision of source control is not an eval file'() {
    const provider = vscode.workspace.registerTextDocumentContentProvider('git', { provideTextDocumentContent: () => 'evalcases:\n  - weight: -3\n' })
    const { uri } = await open('faults.eval.yaml')
    const document = await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(uri.with({ scheme: 'git' })), 'rubric-eval')
    await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(9, 10)) // the server has answered since
    assert.deepEqual(findings(document), [])
    assert.deepEqual(await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri), [])
    provider.dispose()
  },

  async 'a hover explains a key'() {
    const { uri } = await open('faults.eval.yaml')
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(9, 10))
    assert.match(text(hovers), /weight/)
    assert.match(text(hovers), /share|counts/i)
  },

  async 'a quick fix changes the text'() {
    const { uri, document } = await open('faults.eval.yaml')
    const at = new vscode.Range(6, 79, 6, 85)
    const actions = await until('a quick fix', async () => {
      const all = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, at, vscode.CodeActionKind.QuickFix.value, 20)
      return all.some((a) => a.isPreferred && a.edit) && all
    })
    const before = document.getText()
    assert.ok(await vscode.workspace.applyEdit(actions.find((a) => a.isPreferred).edit))
    assert.equal(document.getText(), before.replace('wieght', 'weight'))
    await until('one finding less', () => findings(document).length === 3)
    await vscode.commands.executeCommand('workbench.action.files.revert')
  },

  async 'a quick fix creates a missing file'() {
    const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'attached')
    const [uri, missing] = ['attached.eval.yaml', 'notes/policy.md'].map((name) => vscode.Uri.joinPath(folder, name))
    const content = 'input: [{ role: user, content: [{ type: file, value: notes/policy.md }] }]'
    await vscode.workspace.fs.writeFile(uri, Buffer.from(`evalcases:\n  - id: a\n    expected_outcome: Names the policy\n    ${content}\n`))
    const document = await vscode.workspace.openTextDocument(uri)
    await vscode.window.showTextDocument(document)
    const action = await until('a quick fix', async () => {
      const all = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, new vscode.Range(3, 4, 3, 4), vscode.CodeActionKind.QuickFix.value, 20)
      return all.find((a) => a.title === 'create `notes/policy.md`' && a.edit)
    })
    assert.ok(await vscode.workspace.applyEdit(action.edit))
    assert.equal((await vscode.workspace.fs.stat(missing)).size, 0)
    await until('the file is found', () => !findings(document).some((f) => f.includes('missing-file')))
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor')
    await vscode.workspace.fs.delete(folder, { recursive: true })
  },

  async 'a half-typed list is completed'() {
    const { uri, document } = await open('evals/typed.yaml')
    assert.equal(document.languageId, 'yaml')
    const list = await until('completions', async () => {
      const all = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', uri, new vscode.Position(7, 8))
      return all.items.some((i) => (i.label.label ?? i.label) === 'expected_outcome') && all
    })
    const labels = list.items.map((i) => i.label.label ?? i.label)
    for (const key of ['id', 'weight', 'required']) assert.ok(labels.includes(key), `${key} among ${labels}`)
  },

  async 'without completions, words of the file are not offered'() {
    for (const [name, place] of [['refund.eval.yaml', [3, 14]], ['adk/shop.evalset.json', [1, 20]]]) {
      const { uri } = await open(name)
      const { items } = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', uri, new vscode.Position(...place))
      assert.deepEqual(items.map((i) => i.label.label ?? i.label), [], name)
    }
  },

  async 'ADK evalsets have diagnostics'() {
    const { document } = await open('adk/shop.evalset.json')
    assert.equal(document.languageId, 'rubric-evalset')
    await find(document, '1:2-15 Information no-config: "eval_set_id"', '5:6-20 Error unknown-key: "conversatoin"')
  },

  async 'only JSON files that are eval files get the language rubric'() {
    for (const [name, language] of [['agent/test_config.json', 'rubric-config'], ['evals/cases.jsonl', 'rubric-cases']]) {
      const { uri } = await open(name)
      await until(language, () => vscode.workspace.textDocuments.some((d) => d.uri.toString() === uri.toString() && d.languageId === language))
    }
    const { document } = await open('other/test_config.json')
    await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', document.uri) // after which the server has it
    assert.equal(document.languageId, 'json')
    await find((await open('agent/test_config.json')).document, '1:16-39 Error unknown-metric: "response_match_scores"')
  },

  async 'other YAML files in an evals folder have no diagnostics'() {
    const { uri, document } = await open('evals/services.yaml')
    assert.equal(document.languageId, 'yaml')
    const symbols = await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri) // after which the server has it
    assert.ok(!symbols?.length)
    assert.deepEqual(findings(document), [])
  },
}
