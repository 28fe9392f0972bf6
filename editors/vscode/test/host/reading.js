// What is shown of a file as it is read and typed.
'use strict'
const vscode = require('vscode')
const assert = require('node:assert/strict')
const { until, open, find, text } = require('./editor.js')

module.exports = {
  async 'faults have squiggles at their exact ranges'() {
    const { document } = await open('faults.eval.yaml')
    assert.equal(document.languageId, 'rubric-eval')
    await find(document,
      '6:14-17 Hint id-style: 窓👍',
      '6:79-85 Warning unknown-key: wieght',
      '9:16-18 Error out-of-bounds: -3',
      '11:4-10 Error unknown-key: outcom',
    )
  },
}
