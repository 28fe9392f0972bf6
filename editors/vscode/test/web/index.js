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
        expected_outcome: Mentions 30 days
        wieght: 2
`

const equal = (what, got, want) => {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`)
}

async function until(what, look) {
  const end = Date.now() + 120_000
  for (;;) {
    const result = await look()
    if (result) return result
    if (Date.now() > end) throw new Error(`${what}: not within 120 s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** shown reports whether there is a tab of that name. */
const shown = (label) => vscode.window.tabGroups.all.flatMap((g) => g.tabs).find((t) => t.label === label)

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
  async 'a quick fix changes the text'({ uri, document }) {
    const ask = () => vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, new vscode.Range(8, 8, 8, 14), vscode.CodeActionKind.QuickFix.value, 9)
    const canceled = (fault) => { if (fault.name !== 'Canceled') throw fault } // the workbench does so while extensions still start
    const fix = await until('a fix', async () => (await ask().catch(canceled))?.find((a) => a.edit))
    await vscode.workspace.applyEdit(fix.edit)
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
  async 'a lens runs a case, and its verdict and grades are shown'({ uri }) {
    const lenses = () => vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 9)
    const lens = await until('a lens', async () => (await lenses()).find((l) => l.command.title === 'Run case'))
    await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments)
    await until('the verdict', async () => (await lenses()).some((l) => l.command.title === 'pass, score 1'))
    const hints = await vscode.commands.executeCommand('vscode.executeInlayHintProvider', uri, new vscode.Range(0, 0, 99, 0))
    equal('grades', hints.map((h) => h.label.map?.((p) => p.value).join('') ?? h.label).filter((label) => /satisfied/.test(label)), ['satisfied'])
  },
  async 'an edit makes a grade stale'({ uri, document, editor }) {
    const at = document.getText().indexOf('30 days\n        w')
    const word = new vscode.Range(document.positionAt(at), document.positionAt(at + 2))
    await editor.edit((e) => e.replace(word, '60'))
    await until('a stale verdict', async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 9)).some((l) => /stale/.test(l.command.title)))
    await vscode.commands.executeCommand('undo')
  },
  async 'a case of ADK is measured by the configuration beside it'() {
    const at = (name) => vscode.Uri.parse(`tmp:/ws/${name}`)
    const write = (name, value) => vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(JSON.stringify(value)))
    const turn = { user_content: { parts: [{ text: 'When?' }] }, final_response: { parts: [{ text: 'Within 30 days' }] } }
    await write('test_config.json', { criteria: { rubric_based_final_response_quality_v1: { threshold: 0.5, rubrics: [{ rubric_id: 'days', rubric_content: { text_property: 'Names 30 days' } }] } } })
    await write('shop.evalset.json', { eval_set_id: 'shop', eval_cases: [{ eval_id: 'window', conversation: [turn] }] })
    const { document: { uri } } = await vscode.window.showTextDocument(at('shop.evalset.json'))
    const lens = await until('a lens', async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 9)).find((l) => l.command.title === 'Run case'))
    await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments)
    await until('the verdict', async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 9)).some((l) => /, score/.test(l.command.title)))
    await vscode.commands.executeCommand('rubric.results')
    await until('its results', () => shown('Results of shop.evalset.json'))
  },
  async 'the panel shows a case, and runs it again'({ uri, document }) {
    const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(1, 0, 1, 0) })
    await Promise.all([1, 2].map(() => vscode.commands.executeCommand('rubric.case')))
    equal('panels', vscode.window.tabGroups.all.flatMap((g) => g.tabs).filter((t) => t.label.startsWith('Case')).length, 1)
    await vscode.window.tabGroups.close(await until('its panel', () => shown('Case window')))
    await vscode.commands.executeCommand('rubric.case')
    await until('its panel, opened again', () => shown('Case window'))
    // What is on the screen is looked at from outside of this host, as web.mjs does, and Run again is clicked there.
    const verdict = (of) => async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 9)).some((l) => of.test(l.command.title))
    await editor.edit((e) => e.replace(document.lineAt(3).range, '    input: May I return it?'))
    await until('a stale verdict', verdict(/stale/))
    await until('the verdict of another run', verdict(/^pass, score 1$/))
  },
  async 'the results are a page'({ document, uri }) {
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One)
    await until('the verdict, which is stale no more', async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 9)).some((l) => l.command.title === 'pass, score 1'))
    await vscode.commands.executeCommand('rubric.results')
    await until('the panel', () => shown('Results of a.eval.yaml'))
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
