// Pictures of what the extension shows, in five themes, to be looked at by eye.
import fs from 'node:fs'
import path from 'node:path'
import { choice, command, expand, gesture, hidden, lenses, open, side, status, until } from './gestures.mjs'
import { writeSettings } from './walkthrough.mjs'
import { savePicture } from './workbench.mjs'

/** themes are VS Code's own, with a part of the class that the window has in them. */
const themes = [['Default Dark+', 'dark_plus'], ['Default Light+', 'light_plus'], ['Default High Contrast', 'hc_black'], ['Default High Contrast Light', 'hc_light'], ['Monokai', 'monokai']]

/** graded has a criterion of each kind of grade. */
const graded = `evalcases:
  - id: lamp-refund
    expected_outcome: Explains the refund policy
    input: Can I send my lamp back?
    expected_output: You can send it back within 30 days.
    rubrics:
      - id: window
        expected_outcome: Mentions "30 days"
      - id: label
        expected_outcome: Mentions "prepaid label"
        required: false
      - id: tone
        expected_outcome: Is kind
        score_ranges: { 0: Rude, 6: Kind }
      - id: order
        expected_outcome: Gives the steps in order
        score_ranges: { 0: Wrong, 5: Right }
  - id: greeting
    expected_outcome: Greets the customer
    input: Hello
    expected_output: Good morning!
    rubrics: [{ id: greets, expected_outcome: Mentions "Good morning" }]
`

/** answer is the judge's: it leaves one criterion ungraded. */
const answer = {
  checks: [
    { id: 'window', satisfied: true, reasoning: 'it names `30 days`' }, { id: 'label', satisfied: false, reasoning: 'no label is named' },
    { id: 'tone', score: 7, reasoning: 'friendly enough' }, { id: 'order', score: 2, reasoning: 'there is one step only' }, { id: 'greets', satisfied: true, reasoning: 'it does' },
  ],
  overall_reasoning: '',
}

/** pictures brings the window into each state and writes its pictures. `pids` is the file in which each server writes its process id. */
export async function pictures(page, address, { workspace, pids }) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const line = (text) => editor.locator('.view-line', { hasText: text }).first()
  const lens = (text) => lenses(editor, text).first()
  const rows = page.locator('.test-explorer .monaco-list-row')
  const webview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('html')
  const settings = { 'rubric.judge': `cli:cat ${workspace}/answer.json` }
  const inThemes = async (state) => {
    for (const [theme, part] of themes) {
      writeSettings(workspace, { ...settings, 'workbench.colorTheme': theme })
      await page.locator(`.monaco-workbench[class*="${part}"]`).waitFor()
      await page.waitForTimeout(700) // pages of extensions and decorations follow
      await savePicture(page, `state-${state}-${part}`)
    }
    console.log(`  ok ${state}`)
  }

  for (const [name, text] of [['graded.eval.yaml', graded], ['answer.json', JSON.stringify(answer)]]) fs.writeFileSync(path.join(workspace, name), text)
  writeSettings(workspace, settings)
  await page.goto(address('faults.eval.yaml'))
  await editor.locator('.squiggly-error').first().waitFor()
  const key = line('weight: -3').locator('span span', { hasText: 'weight' }).first()
  await gesture(async (i, soon) => {
    await page.mouse.move(5, 400 + i)
    await key.hover(soon)
  }, page.locator('.monaco-hover-content', { hasText: 'weight' }).first())
  await inThemes('finding')

  await page.keyboard.press('Escape')
  await open(page, 'graded.eval.yaml')
  await status(page, 'cli:cat').waitFor()
  await gesture((_, soon) => lens('Run file').click(soon), lens('of 2 passed'))
  await command(page, 'Rubric: Show Case at Cursor', webview.getByRole('heading', { name: 'lamp-refund', exact: true }))
  await inThemes('panel')
  await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))
  await inThemes('lens')

  await side(page, 'Testing', rows.filter({ hasText: 'graded.eval.yaml' }))
  for (const [row, child] of [['graded.eval.yaml', 'lamp-refund'], ['lamp-refund', 'Is kind']]) await gesture((_, soon) => expand(rows.filter({ hasText: row }).first(), soon), rows.filter({ hasText: child }).first())
  await gesture((_, soon) => editor.getByText(/^not satisfied: /).first().click(soon), page.locator('.peekview-widget').getByText('Judged answer').first())
  await inThemes('explorer')
  await gesture(() => page.keyboard.press('Escape'), hidden(page.locator('.peekview-widget')))

  await gesture(async (_, soon) => {
    await line('You can send it back').click(soon)
    await page.keyboard.press('End')
    await page.keyboard.type('x')
  }, lens('(stale)'))
  await inThemes('stale')
  await command(page, 'File: Revert File', hidden(page.locator('.tab.active.dirty')))

  await gesture((_, soon) => lens('Grades ').click(soon), choice(page, 'self'))
  await inThemes('choose')
  await page.keyboard.press('Escape')
  await command(page, 'Rubric: Show Results', webview.getByText('of 2 passed').first())
  await inThemes('results')
  await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))

  await open(page, 'draft.eval.yaml')
  settings['rubric.judge'] = 'offline'
  writeSettings(workspace, settings)
  await status(page, 'offline').waitFor()
  await gesture((_, soon) => lens('Generate rubrics').click(soon), page.locator('.monaco-diff-editor .line-insert').first())
  await inThemes('draft')
  await command(page, 'Rubric: Discard', hidden(page.locator('.monaco-diff-editor')))

  await open(page, 'graded.eval.yaml')
  const started = () => fs.readFileSync(pids, 'utf8').trim().split('\n')
  for (let n = 1; n <= 5; n++) {
    await status(page, 'offline judge').waitFor()
    process.kill(Number(started()[n - 1]), 'SIGKILL')
    if (n < 5) await until(page, () => started().length === n + 1).waitFor()
  }
  await status(page, 'Rubric: stopped').waitFor()
  await inThemes('crashed')
}
