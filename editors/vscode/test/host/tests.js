// Runs tests inside the extension host of the real workbench: what a test sees here
// is what the editor would show.
'use strict'
const vscode = require('vscode')

/** run gives what the workbench calls: all tests of some suites, one after the other. */
exports.run = (...suites) => async () => {
  let failed = 0
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
