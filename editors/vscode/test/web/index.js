// Runs inside the web's extension host: there is no process and no server.
'use strict'
const vscode = require('vscode')

const refund = `evalcases:
  - id: window
    expected_outcome: Names the refund window
    input: Can I send it back?
    expected_output: The refund window is 30 days.
    rubrics:
      - id: days
        expected_outcome: States that the refund window is 30 days
        wieght: 2
`

const equal = (what, got, want) => {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`)
}

async function until(what, look) {
  const end = Date.now() + 20_000
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > end) throw new Error(`${what}: not within 20 s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const tests = {
  async 'a fault has a squiggle at its exact range'({ uri, document }) {
    const [found] = await until('a finding', () => vscode.languages.getDiagnostics(uri).length && vscode.languages.getDiagnostics(uri))
    equal('the word', document.getText(found.range), 'wieght')
    equal('the place', [found.range.start.line, found.range.start.character], [8, 8])
  },
  async 'a hover explains'({ uri }) {
    const [hover] = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(5, 6))
    if (!/rubrics/.test(hover.contents[0].value)) throw new Error(hover.contents[0].value)
  },
  async 'a quick fix mends the text'({ uri, document }) {
    const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, new vscode.Range(8, 8, 8, 14), vscode.CodeActionKind.QuickFix.value, 9)
    await vscode.workspace.applyEdit(actions.find((a) => a.edit).edit)
    equal('the line', document.lineAt(8).text, '        weight: 2')
  },
  async 'a half-typed list is completed'({ uri, editor }) {
    await editor.edit((e) => e.insert(new vscode.Position(9, 0), '      - \n'))
    const list = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', uri, new vscode.Position(9, 8))
    const labels = list.items.map((i) => i.label.label ?? i.label)
    for (const key of ['id', 'expected_outcome']) if (!labels.includes(key)) throw new Error(`${key} is not among ${labels}`)
    await editor.edit((e) => e.delete(new vscode.Range(9, 0, 10, 0)))
  },
  async 'grades are scored without a server'({ editor }) {
    editor.selection = new vscode.Selection(2, 0, 2, 0)
    const passed = await vscode.commands.executeCommand('rubric.grade', [{ id: 'days', satisfied: true }])
    equal('satisfied', [passed.score, passed.verdict], [1, 'pass'])
    const failed = await vscode.commands.executeCommand('rubric.grade', [{ id: 'days', satisfied: false }])
    equal('not satisfied', [failed.score, failed.verdict, failed.gates[0].met], [0, 'fail', false])
  },
  async 'a lens begins a run, whose judge is the editor’s own model'({ uri }) {
    const lens = await until('a lens', async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 9)).find((l) => l.command.title === 'Run case'))
    const { job } = await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments)
    if (!job) throw new Error('no job was begun')
  },
}

exports.run = async () => {
  const uri = vscode.Uri.parse('tmp:/ws/a.eval.yaml')
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(refund))
  const document = await vscode.workspace.openTextDocument(uri)
  const editor = await vscode.window.showTextDocument(document)
  let failed = 0
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test({ uri, document, editor })
      console.log(`ok ${name}`)
    } catch (fault) {
      failed++
      console.log(`not ok ${name}\n${fault.stack ?? fault}`)
    }
  }
  console.log(`VS Code ${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}`)
  if (failed) throw new Error(`${failed} failed`)
}
