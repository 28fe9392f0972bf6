// In a workspace without an eval file.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')
const { open, until } = require('../host/editor.js')

const extension = () => vscode.extensions.getExtension('rubric-ls.rubric')

exports.run = require('../host/tests.js').run({
  async 'ordinary YAML activates nothing'() {
    const { document } = await open('plain.yaml')
    assert.equal(document.languageId, 'yaml')
    await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, new vscode.Position(0, 0))
    assert.equal(extension().isActive, false)
  },

  async 'the first eval file does, in no time'() {
    const before = performance.now()
    await extension().activate()
    const took = performance.now() - before
    console.log(`ok activated in ${took.toFixed(0)} ms`)
    assert.ok(took < 1000, `${took} ms`)
  },

  async 'a sample is opened and looked at'() {
    await vscode.commands.executeCommand('rubric.sample')
    const { document } = vscode.window.activeTextEditor
    assert.equal(document.languageId, 'rubric-eval')
    await until('its fault', () => vscode.languages.getDiagnostics(document.uri).some((d) => document.getText(d.range) === 'wieght'))
  },
})
