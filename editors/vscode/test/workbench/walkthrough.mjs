// What a person does and sees, from the first squiggle to rubrics that are drafted.
// It writes screenshots; README.md shows some.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { barriers } from './access.mjs'
import { choice, command, expand, gesture, hidden, judge, lenses, noRunInProgress, open, runWithProfile, running, saved, settles, side, status, type, until } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))

/** writeSettings writes the workspace's settings. */
export function writeSettings(workspace, settings = {}) {
  fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true })
  fs.writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings))
}

/** themes are one of each kind, with the class of the pages in it, and whether it is dark or light. The last is the tests' own. */
export const themes = [
  ['Default Dark Modern', '.vscode-dark', 'dark'], ['Default High Contrast', '.vscode-high-contrast', 'dark'],
  ['Solarized Dark', '.vscode-dark:not(.vscode-high-contrast)', 'dark'], ['Default High Contrast Light', '.vscode-high-contrast-light', 'light'],
  ['Default Light Modern', '.vscode-light:not(.vscode-high-contrast)', 'light'],
]

const scored = `evalcases:
  - id: steps
    expected_outcome: Explains how to reset it
    input: How do I reset it?
    expected_output: Hold the button.
    rubrics:
      - id: order
        expected_outcome: Gives the steps in order
        score_ranges: { 0: Wrong, 5: Right }
      - id: tone
        expected_outcome: Is kind
        score_ranges: { 0: Rude, 5: Kind }
      - id: link
        expected_outcome: Links the manual
        score_ranges: { 0: No link, 5: A link }
`

/** state is the state that a class of a test's icon names: passed, failed, error … */
const state = (classes) => /codicon-testing-(\w+)-icon/.exec(classes)?.[1]

/** walkthrough does the steps in a page. `address` returns the workbench's address for a file, `provider` is the mock judge. */
export async function walkthrough(page, address, workspace, provider) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const report = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('html')
  const step = async (name, act) => {
    await act()
    console.log(`  ok ${name}`)
  }

  await page.goto(address('faults.eval.yaml'))
  await step('faults have squiggles', async () => {
    await editor.locator('.squiggly-error').first().waitFor()
  })
  await step('a hover explains', async () => {
    const key = editor.locator('.view-line', { hasText: 'weight: -3' }).locator('span span', { hasText: 'weight' }).first()
    await gesture(async (i, soon) => {
      await page.mouse.move(5, 400 + i)
      await key.hover(soon)
    }, page.locator('.monaco-hover-content', { hasText: 'weight' }).first())
    await savePicture(page, 'hover')
    await page.keyboard.press('Escape')
  })
  await step('the light bulb mends a fault, and it is saved', async () => {
    const line = editor.locator('.view-line', { hasText: 'outcom:' })
    const fix = page.locator('.action-widget .action', { hasText: 'outcome' }).first()
    const openFixes = () => gesture(async (i, soon) => {
      if (i > 1) await page.keyboard.press('Escape')
      await line.locator('span span', { hasText: 'outcom' }).first().click(soon)
      await page.keyboard.press('Control+.')
    }, fix)
    await openFixes()
    await savePicture(page, 'fix')
    await gesture(async (_, soon) => {
      if (!(await fix.isVisible())) await openFixes()
      await fix.click(soon)
    }, editor.locator('.view-line', { hasText: 'outcome: Says when' }))
    const file = path.join(workspace, 'faults.eval.yaml')
    await saved(page, file, (text) => /^ {4}outcome: Says when the shop is open$/m.test(text))
  })

  await open(page, 'refund.eval.yaml')
  await step('a lens runs a case, and the grades stand beside the criteria', async () => {
    await gesture((_, soon) => lenses(editor, 'Run case').first().click(soon),
      editor.locator('.codelens-decoration', { hasText: 'fail, score 0.5' }).first())
    await editor.locator('.view-line', { hasText: 'id: label' }).getByText('not satisfied').waitFor()
    await savePicture(page, 'grades')
  })
  await step('the status bar shows the judge', () => status(page, 'offline').waitFor())
  await step('what is graded and by whom is chosen above the file', async () => {
    await gesture(async (i, soon) => {
      if (i > 1) await page.keyboard.press('Escape')
      await lenses(editor, 'Grades expected answers · offline judge').first().click(soon)
    }, choice(page, 'self'))
    await settles(page, () => page.locator('.quick-input-list .monaco-list-row', { hasText: '(chosen)' }).count(), 2)
    await savePicture(page, 'choose')
    await gesture((_, soon) => choice(page, 'self').click(soon), until(page, () => fs.readFileSync(path.join(workspace, '.vscode/settings.json'), 'utf8').includes('"rubric.target": "self"')))
    writeSettings(workspace)
    await status(page, 'offline').waitFor()
  })
  await step('the results are a page beside the file, in the colours of the theme', async () => {
    await command(page, 'Rubric: Show Results', report.getByText('0 of 1 passed').first())
    await settles(page, () => report.evaluate((html) => {
      const { backgroundColor: paper, color: ink } = getComputedStyle(document.body)
      return { lang: html.lang, paper, inked: ink !== paper, runs: document.querySelectorAll('th button').length }
    }), { lang: 'en', paper: 'rgb(255, 255, 255)', inked: true, runs: 0 }) // the page's script adds buttons where it may run
    await savePicture(page, 'results')
  })
  await step('axe finds nothing wrong with that page in a theme of any kind', async () => {
    const scheme = () => report.evaluate((html) => getComputedStyle(html).colorScheme)
    for (const [theme, kind, drawn] of themes) {
      writeSettings(workspace, { 'workbench.colorTheme': theme })
      await report.locator(`body${kind}`).waitFor()
      // It is drawn anew once the editor tells of its new theme.
      await until(page, async () => (await scheme()) === drawn).waitFor()
      await settles(page, () => barriers(report), [], theme)
    }
    writeSettings(workspace)
    await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))
  })

  await step('the test explorer runs everything', async () => {
    const tree = page.locator('.test-explorer')
    const file = tree.locator('.monaco-list-row', { hasText: 'refund.eval.yaml' })
    await side(page, 'Testing', file)
    await command(page, 'Test: Run All Tests', tree.locator('.codicon-testing-failed-icon').first())
    const failure = editor.getByText(/^not satisfied: /)
    const line = editor.locator('.view-line', { hasText: 'expected_outcome: Mentions "prepaid label"' })
    // It covers what the line shows after its text, such as the hints after an id.
    await until(page, async () => Math.abs((await failure.boundingBox()).y - (await line.boundingBox()).y) < 9).waitFor()
    await noRunInProgress(page)
    await gesture((_, soon) => expand(file, soon), tree.locator('.monaco-list-row', { hasText: 'greeting' }).first())
    await savePicture(page, 'explorer')
  })
  await step('a criterion that got 0 of 10 is failed in the gutter and in the test explorer, and one without a grade is an error', async () => {
    fs.writeFileSync(path.join(workspace, 'zero.json'), JSON.stringify({
      checks: [{ id: 'order', score: 0, reasoning: 'no step is right' }, { id: 'tone', score: 9, reasoning: 'kind' }, { id: 'link', score: 'n/a', reasoning: '' }], overall_reasoning: '',
    }))
    fs.writeFileSync(path.join(workspace, 'scored.eval.yaml'), scored)
    writeSettings(workspace, { 'rubric.judge': `cli:cat ${path.join(workspace, 'zero.json')}` })
    await status(page, 'cli:cat').waitFor()
    await open(page, 'scored.eval.yaml')
    await editor.locator('.glyph-margin-widgets [class*=codicon-testing-run]').nth(4).waitFor() // those of the file, the case and its criteria
    await command(page, 'Rubric: Run File', editor.getByText('0 of 10', { exact: true }))
    const icon = async (label) => {
      const line = await editor.locator('.view-line', { hasText: label }).first().boundingBox()
      const glyphs = await editor.locator('.glyph-margin-widgets [class*=testing-]').all()
      for (const glyph of glyphs) if (Math.abs((await glyph.boundingBox()).y - line.y) < 9) return state(await glyph.getAttribute('class'))
    }
    const rows = page.locator('.test-explorer .monaco-list-row')
    await command(page, 'Testing: Focus on Test Explorer View', rows.first())
    for (const row of ['scored.eval.yaml', 'steps']) await gesture((_, soon) => expand(rows.filter({ hasText: row }), soon), rows.filter({ hasText: row === 'steps' ? 'Is kind' : 'steps' }))
    for (const [id, label, want] of [['order', 'Gives the steps in order', 'failed'], ['tone', 'Is kind', 'passed'], ['link', 'Links the manual', 'error']]) {
      await until(page, async () => (await icon(`id: ${id}`)) === want).waitFor()
      await settles(page, async () => state(await rows.filter({ hasText: label }).locator('[class*=codicon-testing-]').first().getAttribute('class')), want, label)
    }
    await savePicture(page, 'scored')
    writeSettings(workspace)
    await status(page, 'offline').waitFor()
    await open(page, 'refund.eval.yaml')
    await command(page, 'Testing: Focus on Test Explorer View', rows.first())
  })
  await step('the profiles ask as often as they say', async () => {
    const log = path.join(workspace, 'asked')
    const countingProgram = `cli:exec ${process.execPath} ${path.join(here, 'counting.mjs')} ${log}`
    writeSettings(workspace, { 'rubric.judge': `${countingProgram} judge`, 'rubric.target': countingProgram })
    await status(page, 'cli:exec').waitFor()
    const logLines = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n') : [])
    const count = (word) => logLines().filter((line) => line === word).length
    for (const [profile, answered, judged] of [['Dry Run', 0, 0], ['Run', 2, 2], ['Repeat N Times', 4, 8], ['Replay', 4, 10]]) {
      await runWithProfile(page, 'refund.eval.yaml', profile)
      if (profile.startsWith('Repeat')) {
        const input = page.locator('.quick-input-widget', { hasText: 'Number of samples for each judgement' }).locator('input').first()
        await type(page, input, '3', (soon) => input.waitFor(soon), hidden(input))
      }
      await until(page, () => count('judged') >= judged).waitFor()
      await noRunInProgress(page)
      assert.deepEqual([count('answered'), count('judged')], [answered, judged], profile)
    }
    writeSettings(workspace)
    await status(page, 'offline').waitFor()
  })
  await step('a run is cancelled', async () => {
    await judge(page, 'cli:sleep 60')
    await command(page, 'Test: Run All Tests', running(page))
    await status(page, '0/').waitFor()
    await command(page, 'Test: Cancel Test Run', hidden(running(page)))
    await page.locator('.test-explorer .codicon-testing-skipped-icon').first().waitFor()
    await savePicture(page, 'cancelled')
  })

  await step('the editor’s own model is asked once a person allows it, and its tokens are shown', async () => {
    await judge(page, 'editor')
    const allow = page.getByRole('button', { name: 'Allow', exact: true })
    await gesture(async (_, soon) => {
      if (await allow.isVisible()) return allow.click(soon)
      return lenses(editor, 'Run case').first().click(soon)
    }, status(page, / tokens$/))
    await editor.locator('.codelens-decoration', { hasText: /pass, score 1$/ }).first().waitFor()
    await savePicture(page, 'model')
    await judge(page, 'offline')
  })

  await step('a key is kept as a secret, and sent to its provider alone', async () => {
    const input = page.locator('.quick-input-widget input[type=password]')
    await type(page, input, provider.key, async () => {
      await command(page, 'Rubric: Set API Key', choice(page, 'openai,'))
      await gesture((_, soon) => choice(page, 'openai,').click(soon), input, { tries: 2 })
    }, hidden(input))
    await judge(page, 'openai:gpt-test')
    await command(page, 'Rubric: Run File', until(page, () => provider.sent.includes(`Bearer ${provider.key}`)))
    await judge(page, 'offline')
  })

  await open(page, 'draft.eval.yaml')
  await step('rubrics are drafted, looked at and inserted, and every comment is still there', async () => {
    const file = path.join(workspace, 'draft.eval.yaml')
    const before = fs.readFileSync(file, 'utf8')
    const action = (name) => page.locator('.editor-actions').getByRole('button', { name, exact: true }).first()
    const added = page.locator('.monaco-diff-editor .line-insert').first()
    const draft = () => gesture((_, soon) => lenses(editor, 'Generate rubrics').first().click(soon), added)
    const size = page.viewportSize()
    const sideBySide = page.locator('.monaco-diff-editor.side-by-side')
    await page.setViewportSize({ ...size, width: 1800 })
    await command(page, 'File: Compare Active File with Saved', sideBySide.first()) // a diff is side by side here
    await gesture((_, soon) => page.locator('.tab.active .tab-actions a').first().click(soon), hidden(sideBySide))
    await draft()
    await settles(page, () => sideBySide.count(), 0, 'the draft is an inline diff')
    await savePicture(page, 'draft')
    await page.setViewportSize(size)
    await gesture((_, soon) => action('Discard').click(soon), hidden(added))
    assert.equal(fs.readFileSync(file, 'utf8'), before)
    await draft()
    await page.evaluate(() => { // it may be gone for a moment only
      const shown = () => [...document.querySelectorAll('.monaco-diff-editor .line-insert')].some((line) => line.checkVisibility())
      window.gone = new Promise((gone) => new MutationObserver(() => shown() || gone()).observe(document.body, { attributes: true, childList: true, subtree: true }))
    })
    await action('Regenerate').click()
    await page.evaluate(() => window.gone)
    await added.waitFor()
    await gesture((_, soon) => action('Keep').click(soon), editor.locator('.view-line', { hasText: 'rubrics:' }))
    await hidden(page.locator('.monaco-diff-editor')).waitFor({})
    await saved(page, file, (text) => text.includes('rubrics:'))
    const after = fs.readFileSync(file, 'utf8')
    let at = 0
    for (const line of before.split('\n')) {
      assert.ok((at = after.indexOf(line, at)) >= 0, `${line} is lost in\n${after}`)
      at += line.length
    }
    assert.match(after, /rubrics:\n(\s+- id: .+\n\s+expected_outcome: .+\n)+/)
  })

  await step('where the YAML extension reports too that is said once, and can be ended', async () => {
    fs.writeFileSync(path.join(workspace, 'evals/double.yaml'), 'evalcases:\n  - { id: a, id: b, expected_outcome: Greets, input: Hello }\n')
    await open(page, 'double.yaml', 'evals')
    const doubled = page.locator('.markers-panel .monaco-list-row', { hasText: 'Map keys must be unique' }).first()
    await command(page, 'View: Toggle Problems', doubled)
    await savePicture(page, 'double')
    const language = page.locator('#status\\.editor\\.mode')
    await language.filter({ hasText: /^YAML$/ }).waitFor()
    const notification = page.locator('.notification-list-item', { hasText: 'The YAML extension checks this eval file too' }).first()
    await gesture(async (i, soon) => {
      // A notification hides after a while; the command shows it again.
      if (i > 1 && !(await notification.isVisible())) await command(page, 'Notifications: Show Notifications', notification)
      await notification.getByRole('button', { name: 'Leave Eval Files to Rubric' }).click(soon)
    }, language.filter({ hasText: 'Rubric Eval' }))
    await hidden(doubled).waitFor({})
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'duplicate-key' }).first().waitFor()
  })
}
