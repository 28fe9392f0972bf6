// What a person does without thinking of the extension: copies a case, renames and deletes files, and loses the
// server. Each step looks at what stays on the screen.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { barriers } from './access.mjs'
import { choice, command, expand, gesture, hidden, lenses, open, saved, settles, side, status, type, until } from './gestures.mjs'
import { themes, writeSettings } from './walkthrough.mjs'
import { savePicture } from './workbench.mjs'

/** natural does the steps in a page that shows the workspace. `pids` the file in which each server writes its process id, `git` runs git in the workspace. */
export async function natural(page, address, { workspace, pids, git }) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const glyphs = editor.locator('.glyph-margin-widgets [class*=codicon-testing-]')
  const tree = page.locator('.test-explorer')
  const rows = tree.locator('.monaco-list-row')
  const at = (place) => page.locator('#status\\.editor\\.selection', { hasText: place })
  const step = async (name, act) => {
    await act()
    console.log(`  ok ${name}`)
  }
  const unfold = (row, child) => gesture((_, soon) => expand(rows.filter({ hasText: row }).first(), soon), rows.filter({ hasText: child }).first())

  await open(page, 'twice.eval.yaml')
  await step('a copied case keeps all run icons, and is an item of its own', async () => {
    // The file, two cases and the criterion of each.
    await glyphs.nth(4).waitFor()
    await side(page, 'Testing', rows.filter({ hasText: 'twice.eval.yaml' }))
    await unfold('twice.eval.yaml', 'copied')
    await until(page, async () => (await rows.filter({ hasText: 'copied' }).count()) === 2).waitFor()
    await savePicture(page, 'natural-twice')
  })

  await step('rows of renamed and deleted files and folders go', async () => {
    const file = (name) => path.join(workspace, name)
    await rows.filter({ hasText: 'draft.eval.yaml' }).waitFor()
    fs.renameSync(file('draft.eval.yaml'), file('sketch.eval.yaml'))
    await rows.filter({ hasText: 'sketch.eval.yaml' }).waitFor()
    await hidden(rows.filter({ hasText: 'draft.eval.yaml' })).waitFor({})
    fs.renameSync(file('adk'), file('moved'))
    await rows.filter({ hasText: 'moved/shop.evalset.json' }).waitFor()
    await hidden(rows.filter({ hasText: 'adk/shop.evalset.json' })).waitFor({})
    await rows.filter({ hasText: 'services.yaml' }).waitFor()
    fs.rmSync(file('evals'), { recursive: true })
    await hidden(rows.filter({ hasText: 'services.yaml' })).waitFor({})
  })

  await step('under git a file has one row, and follows a switch of the branch', async () => {
    await open(page, 'branch.eval.yaml')
    git('checkout', '--quiet', 'faulty')
    const fault = editor.locator('.squiggly-error').first()
    await fault.waitFor()
    git('checkout', '--quiet', 'main')
    await hidden(fault).waitFor({})
    await gesture(async (_, soon) => {
      await editor.locator('.view-line', { hasText: 'id: branch' }).first().click(soon)
      await page.keyboard.press('End')
      await page.keyboard.type('x')
    }, editor.locator('[class*=dirty-diff-modified]').first()) // against git's own document
    await side(page, 'Testing', rows.filter({ hasText: 'branch.eval.yaml' }))
    await unfold('branch.eval.yaml', 'branchx')
    await settles(page, () => rows.filter({ hasText: 'branch.eval.yaml' }).count(), 1)
    await command(page, 'File: Revert File', hidden(page.locator('.tab.active.dirty')))
  })

  await step('a failure is told in words, and the peek has the judged answer', async () => {
    await open(page, 'refund.eval.yaml')
    await gesture((_, soon) => lenses(editor, 'Run case').first().click(soon),
      editor.locator('.codelens-decoration', { hasText: 'fail, score 0.5' }).first())
    const failure = editor.getByText(/^not satisfied: /)
    await failure.waitFor()
    await savePicture(page, 'natural-failure')
    const peek = page.locator('.peekview-widget')
    await gesture((_, soon) => failure.click(soon), peek.getByText('Judged answer').first())
    await peek.getByText('The refund window is 30 days.').first().waitFor()
    await savePicture(page, 'natural-peek')
    await gesture(() => page.keyboard.press('Escape'), hidden(peek))
  })

  await step('a renamed file keeps its verdicts', async () => {
    const names = ['refund.eval.yaml', 'returns.eval.yaml']
    for (const [old, name] of [names, names.toReversed()]) {
      const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: old })
      const box = page.locator('.explorer-folders-view .monaco-inputbox input')
      await side(page, 'Explorer', row)
      await type(page, box, name, async (soon) => {
        await row.click(soon)
        await page.keyboard.press('F2')
        await box.waitFor(soon)
      }, page.locator('.tab.active', { hasText: name }))
      await lenses(editor, 'fail, score 0.5').first().waitFor()
    }
  })

  await step('a panel shows the case at the cursor, follows it, and runs it', async () => {
    const panel = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('main')
    const line = (text) => editor.locator('.view-line', { hasText: text }).first()
    await gesture((_, soon) => line('id: window').click(soon), at('Ln 2,'))
    await command(page, 'Rubric: Show Case at Cursor', panel.getByRole('heading', { name: 'window', exact: true }))
    await panel.getByText('fail, score 0.5').waitFor()
    await panel.getByRole('heading', { name: 'Judged answer' }).waitFor()
    await panel.locator('.criteria').getByText(/^not satisfied: it does not have/).waitFor()
    await panel.getByText('Prompt to the judge').waitFor()
    await savePicture(page, 'natural-case')
    await settles(page, () => barriers(panel), [])
    await gesture((_, soon) => line('id: greeting').click(soon), panel.getByRole('heading', { name: 'greeting', exact: true }))
    writeSettings(workspace, { 'editor.codeLens': false })
    await hidden(lenses(editor, 'Run case')).waitFor({})
    await gesture((_, soon) => panel.getByRole('button', { name: 'Run case', exact: true }).click(soon), panel.getByText('pass, score 1'))
    await hidden(page.locator('#status\\.editor\\.selection')).waitFor({}) // the panel has the focus
    await status(page, 'expected answers · offline judge').waitFor()
    // One click shows the answer, the grades and what they rest on.
    await panel.getByRole('heading', { name: 'Judged answer' }).waitFor()
    await panel.locator('.criteria .verdict.pass', { hasText: /^satisfied: / }).first().waitFor()
    await gesture((_, soon) => panel.getByRole('button', { name: 'Run again with…' }).click(soon), choice(page, 'offline'))
    await savePicture(page, 'natural-with')
    await gesture((_, soon) => choice(page, 'offline').click(soon), panel.locator('tbody tr').nth(1))
    writeSettings(workspace)
    await panel.getByRole('button', { name: 'Mentions "Good morning"' }).press('Enter')
    await at('Ln 16,').waitFor()
    await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))
  })

  await step('the verdict of a case leads to its panel, and that of the file to its results', async () => {
    const shown = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('html')
    const lens = (text) => lenses(editor, text).first()
    await gesture((_, soon) => lens('fail, score 0.5').click(soon), shown.getByRole('heading', { name: 'window', exact: true }))
    await at('Ln 2,').waitFor()
    await gesture((_, soon) => lens('1 of 2 passed').click(soon), page.locator('.tab', { hasText: 'Results of refund.eval.yaml' }))
    await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))
  })

  await step('the output has each run in one line, and what is graded stays in the status bar', async () => {
    const line = page.locator('.panel .view-line', { hasText: 'refund.eval.yaml: done' }).first()
    await command(page, 'Rubric: Show Output', line)
    assert.match(await line.innerText(), /^\S+\s\S+\s\[info\]\srefund\.eval\.yaml:\sdone,\s1\sof\s1/)
    await gesture((_, soon) => line.click(soon), page.locator('.panel .monaco-editor.focused').first())
    await status(page, 'expected answers · offline judge').waitFor()
    await command(page, 'View: Hide Panel', hidden(line))
  })

  await step('criteria without ids fail without covering their hints', async () => {
    await open(page, 'short.eval.yaml')
    await gesture((_, soon) => lenses(editor, 'Run case').first().click(soon), editor.getByText(/^not satisfied: /).first())
    await savePicture(page, 'natural-short')
    await until(page, async () => {
      const heading = await editor.locator('.view-line', { hasText: 'id: short' }).boundingBox()
      const failures = await Promise.all((await editor.getByText(/^not satisfied: /).all()).map((failure) => failure.boundingBox()))
      return failures.length && failures.every(({ y }) => Math.abs(y - heading.y) < 9)
    }).waitFor()
    await open(page, 'refund.eval.yaml')
  })

  await step('a case runs although another has an error, fast edits can be undone, and a fix keeps the ends of lines', async () => {
    const file = path.join(workspace, 'mixed.eval.yaml')
    const before = fs.readFileSync(file, 'utf8')
    await open(page, 'mixed.eval.yaml')
    await editor.locator('.squiggly-error').first().waitFor()
    await gesture((_, soon) => lenses(editor, 'Run case').last().click(soon), editor.locator('.codelens-decoration', { hasText: 'pass, score 1' }).first())
    const fault = editor.locator('.view-line', { hasText: 'inptu' }).first()
    await gesture((_, soon) => fault.click(soon), page.locator('.editor-instance .monaco-editor.focused').first())
    await page.keyboard.press('End')
    await page.keyboard.type(' and, typed fast,: - more')
    await editor.locator('.view-line', { hasText: 'typed fast' }).first().waitFor()
    for (const key of ['Control+Z', 'Control+Y', 'Control+Z']) for (let n = 0; n < 20; n++) await page.keyboard.press(key)
    await hidden(page.locator('.tab.active.dirty')).waitFor({})
    await editor.locator('.squiggly-error').first().waitFor()
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'input' }).first()
    await gesture(async (i, soon) => {
      if (i > 1) await page.keyboard.press('Escape')
      await fault.locator('span', { hasText: 'inptu' }).last().click(soon)
      await page.keyboard.press('Control+.')
    }, fix)
    const offered = await page.locator('.action-widget .monaco-list-row.action').allTextContents()
    assert.ok(!/ignore/i.test(offered[0]), `the first fix is ${offered}`)
    await gesture((_, soon) => fix.click(soon), editor.locator('.view-line', { hasText: 'input: Hi' }).first())
    await saved(page, file, (text) => text === before.replace('inptu', 'input'))
  })

  await step('a finding links its rule and a related place, and underlines no indentation', async () => {
    await open(page, 'linked.eval.yaml')
    const faults = editor.locator('.squiggly-error')
    await faults.nth(1).waitFor()
    // How far each underline begins before the text of its line.
    await settles(page, () => editor.evaluate((shown) => [...shown.querySelectorAll('.squiggly-error')].map((fault) => {
      const { left, top } = fault.getBoundingClientRect()
      const line = [...shown.querySelectorAll('.view-line')].find((one) => Math.abs(one.getBoundingClientRect().top - top) < 9)
      const first = [...line.querySelectorAll('span span')].find((span) => span.textContent.trim())
      return left >= first.getBoundingClientRect().left
    })), [true, true])
    const hover = page.locator('.monaco-hover-content', { hasText: 'two criteria have the id' }).first()
    await gesture(async (i, soon) => {
      await page.mouse.move(5, 400 + i)
      await editor.locator('.view-line', { hasText: 'id: hello' }).last().locator('span span', { hasText: 'hello' }).last().hover(soon)
    }, hover)
    await hover.locator('a', { hasText: 'duplicate-criterion-id' }).waitFor()
    await savePicture(page, 'natural-linked')
    await gesture((_, soon) => hover.getByText(/^linked\.eval\.yaml\(7, 9\)/).click(soon), at('Ln 7, Col 9'))
  })

  await step('completion leaves out keys that are there, and inserts a key with its value', async () => {
    const offered = page.locator('.suggest-widget .monaco-list-row')
    const ranges = offered.filter({ hasText: /^score_ranges/ }).first()
    await gesture((_, soon) => editor.locator('.view-line', { hasText: 'Is polite' }).first().click(soon), at('Ln 10,'))
    await page.keyboard.press('End')
    await gesture(() => page.keyboard.press('Enter'), at(/Ln 1[1-9],/))
    await gesture(async (i) => {
      if (i > 1) await page.keyboard.press('Escape')
      await page.keyboard.press('Control+Space')
    }, ranges)
    const labels = await offered.locator('.label-name').allTextContents()
    assert.ok(!labels.includes('id') && labels.includes('weight'), `${labels}`)
    await savePicture(page, 'natural-completion')
    await gesture((_, soon) => ranges.click(soon), editor.locator('.view-line', { hasText: 'score_range' }).nth(3))
    await command(page, 'File: Revert File', hidden(page.locator('.tab.active.dirty')))
  })

  await step('a save fixes and formats, and undo takes that back', async () => {
    const line = (text) => editor.locator('.view-line', { hasText: text }).first()
    const file = path.join(workspace, 'saved.eval.yaml')
    fs.writeFileSync(file, fs.readFileSync(path.join(workspace, 'waits.eval.yaml'), 'utf8').replace('waits', 'saved').replace('output: Hello', 'output:   Hello').replace('id: polite', 'id: polite, weight: "2"'))
    writeSettings(workspace, { 'editor.formatOnSave': true, 'editor.codeActionsOnSave': { 'source.fixAll': 'explicit' } })
    await open(page, 'saved.eval.yaml')
    await editor.locator('.squiggly-error').first().waitFor()
    await gesture(async (_, soon) => {
      await line('id: saved').click(soon)
      await page.keyboard.press('End')
      await page.keyboard.type('x')
    }, page.locator('.tab.active.dirty'))
    await saved(page, file, (text) => text.includes('output: Hello') && text.includes('weight: 2,'))
    await gesture(() => page.keyboard.press('Control+Z'), line('weight: "2"'))
    await line('output:   Hello').waitFor()
    await command(page, 'File: Revert File', hidden(page.locator('.tab.active.dirty')))
    writeSettings(workspace)
  })

  await step('a file is saved and closed during its run, and its row has the verdict', async () => {
    await open(page, 'waits.eval.yaml')
    writeSettings(workspace, { 'rubric.judge': `cli:while [ ! -e '${workspace}/go' ]; do sleep 0.1; done; cat '${workspace}/answer.json'` })
    await status(page, 'cli:while').waitFor()
    await gesture((_, soon) => lenses(editor, 'Run file').first().click(soon), lenses(editor, 'Cancel run').first())
    await status(page, '0/1').waitFor()
    await gesture(async (_, soon) => {
      await editor.locator('.view-line', { hasText: 'evalcases' }).first().click(soon)
      await page.keyboard.press('End')
      await page.keyboard.type(' ')
    }, page.locator('.tab.active.dirty'))
    await saved(page, path.join(workspace, 'waits.eval.yaml'), (text) => text.startsWith('evalcases: '))
    const tab = page.locator('.tab', { hasText: 'waits.eval.yaml' })
    await gesture((_, soon) => tab.click({ button: 'middle', ...soon }), hidden(tab))
    fs.writeFileSync(path.join(workspace, 'go'), '')
    await side(page, 'Testing', rows.filter({ hasText: 'waits.eval.yaml' }))
    await rows.filter({ hasText: 'waits.eval.yaml' }).locator('.codicon-testing-passed-icon').first().waitFor()
    writeSettings(workspace)
    await open(page, 'refund.eval.yaml')
    await status(page, 'offline').waitFor()
  })

  await step('an evalset is measured on the recording beside it, and recorded results are a page', async () => {
    const lens = (text) => editor.locator('.codelens-decoration', { hasText: text }).first()
    await open(page, 'bank.evalset.json', 'bank')
    await gesture((_, soon) => lenses(editor, 'Measure bank.evalset_result.json').first().click(soon), lens('1 of 2 passed'))
    await lens('Grades bank.evalset_result.json').waitFor()
    await savePicture(page, 'natural-recording')
    await open(page, 'bank.evalset_result.json')
    const report = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('html')
    await gesture((_, soon) => lenses(editor, 'Show results').first().click(soon), report.getByText(/\d of \d passed/).first())
    await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))
  })

  await step('which of several targets answers is asked', async () => {
    await open(page, 'two.eval.yaml')
    const ask = page.locator('.notification-toast', { hasText: 'which target answers?' })
    await gesture((_, soon) => lenses(editor, 'Run case').first().click(soon), ask)
    await savePicture(page, 'natural-targets')
    await gesture((_, soon) => ask.getByRole('button', { name: 'mock:Hello' }).click(soon), editor.locator('.codelens-decoration', { hasText: /pass, score 1$/ }).first())
    await open(page, 'refund.eval.yaml')
  })

  await step('in each theme a failure covers no text, and axe finds nothing wrong with the panel', async () => {
    await page.setViewportSize({ width: 1800, height: 800 })
    const failure = editor.getByText(/^not satisfied: /)
    const panel = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('html')
    await gesture((_, soon) => editor.locator('.view-line', { hasText: 'id: window' }).first().click(soon), at('Ln 2,'))
    await command(page, 'Rubric: Show Case at Cursor', panel.getByRole('heading', { name: 'window', exact: true }))
    await gesture((_, soon) => panel.getByRole('button', { name: 'Run again', exact: true }).click(soon), failure)
    for (const [theme, kind] of themes) {
      writeSettings(workspace, { 'workbench.colorTheme': theme })
      await panel.locator(`body${kind}`).waitFor()
      await settles(page, () => barriers(panel), [], theme)
      await savePicture(page, `natural-${theme.toLowerCase().replaceAll(' ', '-')}`)
      // Hints and failures are drawn anew with the theme.
      await until(page, async () => {
        const box = await failure.boundingBox()
        const texts = await editor.locator('.view-line > span > span').evaluateAll((spans) => spans.map((span) => ({ text: span.textContent, ...span.getBoundingClientRect().toJSON() })))
        return texts.every(({ text, y, right }) => Math.abs(y - box.y) > 9 || /^not satisfied: /.test(text) || right <= box.x + 1)
      }).waitFor()
    }
    writeSettings(workspace)
    await gesture((_, soon) => editor.locator('.view-line', { hasText: 'id: window' }).first().click(soon), page.locator('.editor-instance .monaco-editor.focused').first()) // the panel has the focus
    await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await step('an edit makes the icon of a result outdated', async () => {
    const line = editor.locator('.view-line', { hasText: 'The refund window is 30 days.' }).first()
    await gesture(async (_, soon) => {
      await line.click(soon)
      await page.keyboard.press('End')
      await page.keyboard.type('x')
    }, editor.locator('.codelens-decoration', { hasText: '(stale)' }).first())
    await editor.getByText('not satisfied (stale)', { exact: true }).waitFor() // the editor cuts what else the line shows
    await command(page, 'Testing: Focus on Test Explorer View', rows.filter({ hasText: 'refund.eval.yaml' }).first())
    await unfold('refund.eval.yaml', 'window')
    await rows.filter({ hasText: 'window' }).locator('.computed-state.retired').first().waitFor()
    await command(page, 'File: Revert File', hidden(page.locator('.tab.active.dirty')))
  })

  await step('the server ends, is started again, and in the end says that it is not', async () => {
    const started = () => (fs.existsSync(pids) ? fs.readFileSync(pids, 'utf8').trim().split('\n') : [])
    for (let n = 1; n <= 5; n++) {
      if (n !== 3) await status(page, 'expected answers · offline judge').waitFor() // the third ends while it starts
      assert.equal(started().length, n)
      process.kill(Number(started()[n - 1]), 'SIGKILL')
      if (n < 5) await until(page, () => started().length === n + 1).waitFor()
    }
    await status(page, 'Rubric: stopped').waitFor()
    const toast = page.locator('.notification-toast', { hasText: 'the server ended 5 times' })
    await toast.getByRole('button', { name: 'Restart' }).waitFor()
    assert.equal(await page.locator('.notification-toast', { hasText: 'connection to server' }).count(), 0) // the client's own
    await savePicture(page, 'natural-stopped')
    assert.equal(started().length, 5) // nothing starts another before the user does
    await gesture((_, soon) => status(page, 'Rubric: stopped').locator('a').first().click(soon), status(page, 'expected answers · offline judge'))
    assert.equal(started().length, 6)
    await gesture((_, soon) => lenses(editor, 'Run case').first().click(soon),
      editor.locator('.codelens-decoration', { hasText: 'fail, score 0.5' }).first())
    process.kill(Number(started()[5]), 'SIGKILL')
    await until(page, () => started().length === 7).waitFor()
    await status(page, 'expected answers · offline judge').waitFor()
  })

  await step('a new window shows the last results, and what has changed since an earlier run', async () => {
    await page.goto(address('refund.eval.yaml'))
    await editor.locator('.codelens-decoration', { hasText: 'fail, score 0.5' }).first().waitFor()
    await side(page, 'Testing', rows.filter({ hasText: 'refund.eval.yaml' }))
    await rows.filter({ hasText: 'refund.eval.yaml' }).getByText('1 of 2 passed').waitFor()
    await unfold('refund.eval.yaml', 'window')
    await rows.filter({ hasText: 'window' }).locator('.codicon-testing-failed-icon').first().waitFor()
    await savePicture(page, 'natural-restored')
    const run = page.locator('.quick-input-list .monaco-list-row', { hasText: 'expected answers' }).first()
    await command(page, 'Rubric: Compare Results With', run)
    await gesture((_, soon) => run.click(soon), page.locator('.quick-input-title', { hasText: 'tied' }))
    await savePicture(page, 'natural-compared')
  })
}
