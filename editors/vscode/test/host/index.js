// Runs inside the extension host of the real workbench: what a test sees here is
// what the editor would show.
'use strict'
const vscode = require('vscode')
const suites = [require('./reading.js'), require('./running.js')]

exports.run = async () => {
  let failed = 0
  const extension = vscode.extensions.getExtension('rubric-ls.rubric')
  const began = performance.now()
  await extension.activate()
  console.log(`ok activated in ${(performance.now() - began).toFixed(0)} ms`)
  for (const [name, test] of suites.flatMap((suite) => Object.entries(suite))) {
    try {
      await test()
      console.log(`ok ${name}`)
    } catch (fault) {
      failed++
      console.error(`not ok ${name}\n${fault.stack ?? fault}`)
    }
  }
  console.log(`VS Code ${vscode.version}`)
  if (failed) throw new Error(`${failed} failed`)
}
